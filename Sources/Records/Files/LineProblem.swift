import JSONKit

/// The error that a line of a JSON Lines file violates the format, with the place in the file and the expected and the
/// found text.
package struct LineProblem: Error, Hashable, Sendable, CustomStringConvertible {
  package var file: String
  /// The number of the line, counted from 1.
  package var line: Int
  /// The path of the wrong field in the line; the root if the whole line is wrong.
  package var field: JSONPath
  package var expected: String
  package var found: String

  package init(file: String, line: Int, field: JSONPath = .root, expected: String, found: String) {
    self.file = file
    self.line = line
    self.field = field
    self.expected = expected
    self.found = found
  }

  package var description: String { "\(file):\(line): \(field): expected \(expected), found \(found)" }
}
