import JSONKit
import TextKit

/// A problem in a file of a catalogue: its place, the expected and the found content, and in some cases advice.
package struct Diagnostic: Error, Hashable, Sendable {
  /// The severity of the problem. An error prevents the use of the catalogue, and a warning does not.
  package enum Severity: String, CaseIterable, Sendable {
    case error, warning
  }

  package var severity: Severity
  /// The name of the lint rule that reports the problem, such as `schema` or `unused-fixture`.
  package var rule: String
  /// The path of the file, in a form with which a person can open the file. For a file that is built into the program,
  /// the path from the catalogue's root.
  package var file: String
  /// The line and the column, counted from 1; both are 0 for the file as a whole.
  package var line: Int
  package var column: Int
  /// The path of the wrong value inside the file.
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
  /// One line that editors and CI systems can parse: `cases/offline.yaml:12:5: error: $.cases[0]: expected …`.
  package var description: String {
    let place = line > 0 ? "\(file):\(line):\(column)" : file
    let advice = hint.map { " — \($0)" } ?? ""
    return "\(place): \(severity): \(field): expected \(expected), found \(found)\(advice)".visibleOnOneLine
  }
}

extension Diagnostic: Comparable {
  /// Problems in `protocol.yaml` come first, since all other files depend on it. All other problems are sorted by file
  /// and line.
  package static func < (left: Self, right: Self) -> Bool {
    if left.isAboutDefinition != right.isAboutDefinition { return left.isAboutDefinition }
    return (left.file, left.line, left.column, left.description)
      < (right.file, right.line, right.column, right.description)
  }

  private var isAboutDefinition: Bool { file == "protocol.yaml" || file.hasSuffix("/protocol.yaml") }
}

/// All errors that prevent the use of a catalogue, in the order of ``Diagnostic``. There is at least one.
package struct CatalogueError: Error, Sendable, CustomStringConvertible {
  package let diagnostics: [Diagnostic]

  package init(_ diagnostics: [Diagnostic]) { self.diagnostics = diagnostics.sorted() }

  package var description: String { diagnostics.map(\.description).joined(separator: "\n") }
}
