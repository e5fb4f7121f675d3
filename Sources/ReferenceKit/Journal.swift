import JSONKit

/// A numbered list in a file that tells its changes, one a line at its end: `[7,{"event":1}]` adds, `[7]` removes.
///
/// So to store a change costs the same however long the list is. An app that is killed finds all changes that were
/// written before: a line that has no end was never written. Now and then the file is replaced by one with what is in
/// the list, so that it does not grow for ever.
package struct Journal: Sendable {
  /// What happens to a list.
  package enum Change: Hashable, Sendable {
    /// Puts a value at the place of its number.
    case add(Int, JSON)
    /// Takes the value of this number out; there may be none.
    case remove(Int)
  }

  /// How a change gets into the file.
  package enum Write: Hashable, Sendable {
    case append([UInt8])
    case replace([UInt8])
  }

  /// How many lines there may be besides two for each value, before the file is replaced.
  private static let spareLines = 64

  /// The lines of what is in the list, by number.
  private var lines: [Int: [UInt8]] = [:]
  /// How many lines the file has; nil while nobody knows how it ends.
  private var written: Int?

  /// Goes on with a file that an earlier launch may have left.
  package init(_ file: [UInt8]?) {
    for (number, value) in Self.entries(of: file ?? []) { lines[number] = Self.line(number, value) }
  }

  /// Takes changes in; nil when they change nothing.
  package mutating func take(_ changes: [Change]) -> Write? {
    let new = changes.compactMap { line(of: $0) }
    guard !new.isEmpty else { return nil }
    if let known = written, known + new.count <= 2 * lines.count + Self.spareLines {
      written = known + new.count
      return .append(new.flatMap(\.self))
    }
    written = lines.count
    return .replace(lines.sorted { $0.key < $1.key }.flatMap(\.value))
  }

  /// What was to be written is not there, or not all of it: the next change replaces the file.
  package mutating func noteFailure() { written = nil }

  /// The line of a change; nil when it changes nothing.
  private mutating func line(of change: Change) -> [UInt8]? {
    switch change {
    case .add(let number, let value):
      let line = Self.line(number, value)
      lines[number] = line
      return line
    case .remove(let number):
      return lines.removeValue(forKey: number).map { _ in Self.line(number) }
    }
  }

  private static func line(_ number: Int, _ value: JSON? = nil) -> [UInt8] {
    JSON.array([.int(number)] + [value].compactMap(\.self)).compactBytes + [0x0A]
  }
}

extension Journal {
  /// What is in the list by these bytes of a file, in the order of the numbers. A line that makes no sense changes
  /// nothing, and what comes after the last end of a line is none.
  package static func entries(of file: [UInt8]) -> [(number: Int, value: JSON)] {
    let end = file.lastIndex(of: 0x0A) ?? 0
    var values: [Int: JSON] = [:]
    for line in file[..<end].split(separator: 0x0A) {
      guard let parts = try? JSON(parsing: line).array, parts.count <= 2, let number = parts.first?.int else {
        continue
      }
      values[number] = parts.count > 1 ? parts[1] : nil
    }
    return values.sorted { $0.key < $1.key }.map { (number: $0.key, value: $0.value) }
  }
}
