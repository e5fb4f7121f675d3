import ConformanceModel
import JSONKit

/// A file of the catalogue that was read: its value, and the place of each part of the value in the text.
package struct SpecDocument: Sendable {
  /// A place in a text. Lines and columns are counted from 1. A column is the position of a Unicode scalar.
  package struct Position: Hashable, Sendable {
    package var line: Int
    package var column: Int

    package init(line: Int, column: Int) {
      self.line = line
      self.column = column
    }
  }

  /// The place of a value and the places of its parts. A member begins at its key, and an element at its first
  /// character.
  package struct Place: Sendable {
    package var position: Position
    /// The beginning of the value. For a member, the value begins after the key, while ``position`` is the beginning of
    /// the key.
    package let start: Position
    /// The places of the value's members or elements, in their order.
    package var children: [Place]

    init(position: Position, children: [Place] = []) {
      self.position = position
      start = position
      self.children = children
    }
  }

  /// The path of the file from the catalogue's root.
  package let file: String
  package let value: JSON
  package let place: Place

  /// The size of the largest file that the kit reads, in bytes.
  static let maximumSize = Bounds.fileBytes

  /// Parses the text of a file: as YAML if the name ends in `.yaml`, as JSON if it ends in `.json`. Throws the first
  /// syntax error.
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

  /// The place of the value at the path. If the path leads to no value, the place of the nearest value above it.
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

  /// The value of the whole file as a field from which models can be decoded.
  package var root: JSONField { JSONField(value) }

  /// The diagnostic for a problem in this file.
  package func diagnostic(
    _ problem: JSONField.Problem, rule: String, severity: Diagnostic.Severity = .error
  ) -> Diagnostic {
    let position = position(of: problem.path)
    return Diagnostic(
      severity: severity, rule: rule, file: file, line: position.line, column: position.column, field: problem.path,
      expected: problem.expected, found: problem.found, hint: problem.hint)
  }
}
