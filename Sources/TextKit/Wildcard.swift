/// A pattern for names, in which `*` matches any text.
package struct Wildcard: Sendable {
  private let parts: [Substring]

  package init(_ pattern: String) {
    parts = pattern.split(separator: "*", omittingEmptySubsequences: false)
  }

  package func matches(_ name: String) -> Bool {
    guard let first = parts.first, let last = parts.last, parts.count > 1 else {
      return parts.first.map { $0 == name } ?? false
    }
    guard name.hasPrefix(first), name.hasSuffix(last), name.count >= first.count + last.count else { return false }
    var rest = name.dropFirst(first.count).dropLast(last.count)
    for part in parts.dropFirst().dropLast() where !part.isEmpty {
      guard let found = rest.firstRange(of: part) else { return false }
      rest = rest[found.upperBound...]
    }
    return true
  }
}
