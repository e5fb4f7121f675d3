import ConformanceModel

/// What is wrong with a file of the catalogue, where, and what to do about it.
public struct Diagnostic: Error, Hashable, Sendable {
  /// Whether the catalogue can be used in spite of it.
  public enum Severity: String, CaseIterable, Sendable {
    case error, warning
  }

  public var severity: Severity
  /// The name of the rule that found it, such as `schema` or `unused-fixture`.
  public var rule: String
  /// The path from the catalogue's root.
  public var file: String
  /// Both count from 1; 0 when the file as a whole is meant.
  public var line: Int
  public var column: Int
  /// The value inside the file.
  public var field: JSONPath
  public var expected: String
  public var found: String
  public var hint: String?

  public init(
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
  public var description: String {
    let place = line > 0 ? "\(file):\(line):\(column)" : file
    let advice = hint.map { " — \($0)" } ?? ""
    return "\(place): \(severity): \(field): expected \(expected), found \(found)\(advice)"
  }
}

extension Diagnostic: Comparable {
  /// In the order of files, then of lines.
  public static func < (left: Self, right: Self) -> Bool {
    (left.file, left.line, left.column, left.description) < (right.file, right.line, right.column, right.description)
  }
}

/// Everything that keeps a catalogue from being used, in the order of files and lines; never empty.
public struct CatalogueError: Error, Sendable, CustomStringConvertible {
  public let diagnostics: [Diagnostic]

  public init(_ diagnostics: [Diagnostic]) { self.diagnostics = diagnostics.sorted() }

  public var description: String { diagnostics.map(\.description).joined(separator: "\n") }
}
