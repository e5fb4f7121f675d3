import ConformanceModel
import JSONKit

/// What is wrong with a file of the catalogue, where, and what to do about it.
package struct Diagnostic: Error, Hashable, Sendable {
  /// Whether the catalogue can be used in spite of it.
  package enum Severity: String, CaseIterable, Sendable {
    case error, warning
  }

  package var severity: Severity
  /// The name of the rule that found it, such as `schema` or `unused-fixture`.
  package var rule: String
  /// The path as a person may open it: from the catalogue's root for what the program carries.
  package var file: String
  /// Both count from 1; 0 when the file as a whole is meant.
  package var line: Int
  package var column: Int
  /// The value inside the file.
  package var field: JSONPath
  package var expected: String
  package var found: String
  package var hint: String?

  package init(
    severity: Severity = .error, rule: String, file: String, line: Int = 0, column: Int = 0, field: JSONPath = .root,
    expected: String, found: String, hint: String? = nil
  ) {
    self.severity = severity
    self.rule = rule
    self.file = file
    self.line = line
    self.column = column
    self.field = field
    self.expected = expected
    self.found = found
    self.hint = hint
  }
}

extension Diagnostic: CustomStringConvertible {
  /// One line in the form that editors and CI systems find: `cases/offline.yaml:12:5: error: $.cases[0]: expected …`.
  package var description: String {
    let place = line > 0 ? "\(file):\(line):\(column)" : file
    let advice = hint.map { " — \($0)" } ?? ""
    return "\(place): \(severity): \(field): expected \(expected), found \(found)\(advice)".visibleOnOneLine
  }
}

extension Diagnostic: Comparable {
  /// The definition of the protocol first, on which all else rests; then in the order of files and of lines.
  package static func < (left: Self, right: Self) -> Bool {
    if left.isAboutDefinition != right.isAboutDefinition { return left.isAboutDefinition }
    return (left.file, left.line, left.column, left.description)
      < (right.file, right.line, right.column, right.description)
  }

  private var isAboutDefinition: Bool { file == "protocol.yaml" || file.hasSuffix("/protocol.yaml") }
}

/// Everything that keeps a catalogue from being used, in the order of files and lines; never empty.
package struct CatalogueError: Error, Sendable, CustomStringConvertible {
  package let diagnostics: [Diagnostic]

  package init(_ diagnostics: [Diagnostic]) { self.diagnostics = diagnostics.sorted() }

  package var description: String { diagnostics.map(\.description).joined(separator: "\n") }
}
