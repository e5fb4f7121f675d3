import ConformanceModel
import JSONKit

/// A file of the catalogue as it was read: its value, and where each part of it stands in the text.
package struct SpecDocument: Sendable {
  /// A place in a text; both count from 1, columns in Unicode scalars.
  package struct Position: Hashable, Sendable {
    package var line: Int
    package var column: Int

    package init(line: Int, column: Int) {
      self.line = line
      self.column = column
    }
  }

  /// The places of a value and of all that is in it: members by their key, elements by their first character.
  package struct Place: Sendable {
    package var position: Position
    /// Where the value itself begins: of a member, behind its key.
    package let start: Position
    /// Of members or elements, in their order.
    package var children: [Place]

    init(position: Position, children: [Place] = []) {
      self.position = position
      start = position
      self.children = children
    }
  }

  /// The path from the catalogue's root.
  package let file: String
  package let value: JSON
  package let place: Place

  /// The largest file that is read.
  static let maximumSize = Bounds.fileBytes

  /// Reads the text of a file; its name tells YAML (`.yaml`) from JSON. Throws the first error of syntax.
  package init(file: String, bytes: [UInt8]) throws(Diagnostic) {
    guard bytes.count <= Self.maximumSize else {
      throw Diagnostic(
        rule: "syntax", file: file, line: 1, column: 1, expected: "at most \(Self.maximumSize) bytes",
        found: "\(bytes.count)", hint: "split the file")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      let line = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil } ?? 0
      throw Diagnostic(
        rule: "syntax", file: file, line: line + 1, column: 1, expected: "UTF-8", found: "other bytes on this line")
    }
    self.file = file
    (value, place) =
      file.hasSuffix(".json")
      ? try JSONPlaceReader.read(bytes, file: file) : try YAMLReader.read(text, file: file)
  }

  /// Where the value at the path stands, or what is nearest above it.
  package func position(of path: JSONPath) -> Position {
    var (value, place) = (value, place)
    for step in path.steps {
      let index: Int?
      switch (step, value) {
      case (.key(let key), .object(let object)):
        index = object.members.lastIndex { $0.key == key || $0.key == key + "?" }
        if let index { value = object.members[index].value }
      case (.index(let element), .array(let elements)):
        index = elements.indices.contains(element) ? element : nil
        if let index { value = elements[index] }
      default: index = nil
      }
      guard let index, place.children.indices.contains(index) else { break }
      place = place.children[index]
    }
    return place.position
  }

  /// The field of the whole file.
  package var root: JSONField { JSONField(value) }

  /// The problem of a value in this file.
  package func diagnostic(
    _ problem: JSONField.Problem, rule: String, severity: Diagnostic.Severity = .error
  ) -> Diagnostic {
    let position = position(of: problem.path)
    return Diagnostic(
      severity: severity, rule: rule, file: file, line: position.line, column: position.column, field: problem.path,
      expected: problem.expected, found: problem.found, hint: problem.hint)
  }
}
