import ConformanceModel
import TextKit

/// A pattern that selects runs of cases by name. It is the name of one row such as `offline.capacity[101]`, the name of
/// a case with all its rows, or a name in which `*` matches any text. `@spec` at the end limits it to the dialect
/// `spec`.
package struct CasePattern: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The text as written in the file.
  package let text: String

  package init(_ text: String) { self.text = text }

  package var description: String { text }

  /// The name with its row, without a dialect.
  package var name: String { dialectMark.map { String(text[..<$0]) } ?? text }

  /// The only dialect that the pattern matches; nil if it matches all dialects.
  package var dialect: Dialect? { dialectMark.map { Dialect(String(text[text.index(after: $0)...])) } }

  /// The position of the `@` before a dialect. An `@` in the name of a row does not count.
  private var dialectMark: String.Index? {
    text.lastIndex(of: "@").flatMap { text[$0...].contains("]") ? nil : $0 }
  }

  /// Whether the pattern may match more than one case.
  package var isWide: Bool { text.contains("*") }

  /// Whether the pattern matches this run of a case.
  package func fits(_ instance: CaseInstance) -> Bool {
    guard dialect.map({ $0 == instance.dialect }) ?? true else { return false }
    let pattern = Wildcard(name)
    return pattern.matches(instance.name) || pattern.matches(instance.id.rawValue)
  }

  package static func < (left: Self, right: Self) -> Bool { left.text < right.text }
}

extension CasePattern: ExpressibleByStringLiteral {
  package init(stringLiteral text: String) { self.init(text) }
}
