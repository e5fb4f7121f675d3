import ConformanceVerdict
import JSONKit
import Testing

@testable import Records

/// No place of a record can be edited unseen, whether or not the kit knows the right value.
@Suite struct RecordSealTests {
  private static func write(_ record: RunRecord, to path: String) throws {
    let writer = try RunRecordWriter(path, header: record.header)
    for line in record.lines.dropFirst() { try writer.write(line) }
  }

  /// Every value of the sample, by its line and path.
  private static let places = Sample.record.lines.enumerated().flatMap { index, line in
    line.representation.paths.map { Place(line: index, path: $0) }
  }

  struct Place: Sendable, CustomTestStringConvertible {
    var line: Int
    var path: [JSONPath.Step]
    var testDescription: String { "\(line + 1): \(JSONPath(path))" }
  }

  @Test(arguments: places) func noFieldIsEditedUnseen(place: Place) throws {
    let folder = try TemporaryFolder()
    try Self.write(Sample.record, to: folder.file("run.jsonl"))
    var lines = try folder.text(folder.file("run.jsonl")).split(separator: "\n").map(String.init)
    let edited = try JSON(parsing: Array(lines[place.line].utf8)).edited(at: place.path[...]).compactText
    try #require(edited != lines[place.line])
    lines[place.line] = edited
    let forged = try folder.file("forged.jsonl", holding: lines.joined(separator: "\n") + "\n")
    let problem = try #require(throws: LineProblem.self) { try RunRecord(readingFrom: forged) }
    // Some edits show only where another line disagrees, and none later than at the end.
    #expect((1...lines.count).contains(problem.line))
    #expect(!problem.expected.isEmpty && !problem.found.isEmpty)
  }

  /// A change of the lines, and the line at which the reader detects it.
  struct Edit: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var line: Int
    var change: @Sendable (inout [String]) -> Void
  }

  @Test(arguments: [
    Edit(testDescription: "two verdicts change places", line: 8) { $0.swapAt(7, 8) },
    Edit(testDescription: "a line of another record", line: 2) { $0[1] = $0[1].replacing("1.2.0", with: "1.2.1") },
    Edit(testDescription: "no seal", line: 4) { $0[3] = $0[3].replacing(/,"seal":.*/, with: "}") },
    Edit(testDescription: "a line that is laid out anew", line: 3) { $0[2] = $0[2].replacing("\":", with: "\": ") },
  ])
  func aChainHasNoGap(edit: Edit) throws {
    let folder = try TemporaryFolder()
    try Self.write(Sample.record, to: folder.file("run.jsonl"))
    var lines = try folder.text(folder.file("run.jsonl")).split(separator: "\n").map(String.init)
    edit.change(&lines)
    let forged = try folder.file("forged.jsonl", holding: lines.joined(separator: "\n") + "\n")
    let problem = try #require(throws: LineProblem.self) { try RunRecord(readingFrom: forged) }
    #expect(problem.line == edit.line, "\(problem)")
    #expect(problem.field.description == "$.seal")
  }
}

extension JSON {
  /// Where its members and elements are, and theirs.
  fileprivate var paths: [[JSONPath.Step]] {
    switch self {
    case .object(let object):
      object.members.flatMap { member in ([[]] + member.value.paths).map { [.key(member.key)] + $0 } }
    case .array(let elements):
      elements.enumerated().flatMap { index, element in ([[]] + element.paths).map { [.index(index)] + $0 } }
    default: []
    }
  }

  /// The value with another value of the same kind at the path. A list or an object loses its last part.
  fileprivate func edited(at path: ArraySlice<JSONPath.Step>) -> JSON {
    switch (self, path.first) {
    case (.object(let object), .key(let key)?):
      .object(
        Object(
          object.members.map {
            .init(key: $0.key, value: $0.key == key ? $0.value.edited(at: path.dropFirst()) : $0.value)
          }))
    case (.array(let elements), .index(let index)?):
      .array(elements.enumerated().map { $0 == index ? $1.edited(at: path.dropFirst()) : $1 })
    case (.string(let text), _): .string(text + "1")
    case (.number(let number), _): .int(Int(number.double) + 1)
    case (.bool(let flag), _): .bool(!flag)
    case (.array(let elements), _): .array(elements.isEmpty ? ["new"] : elements.dropLast())
    case (.object(let object), _): .object(Object(object.members.dropLast()))
    default: .null
    }
  }
}
