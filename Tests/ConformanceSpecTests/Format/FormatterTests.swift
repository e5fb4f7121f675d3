import ConformanceModel
import ConformanceSpec
import SpecDocuments
import Testing

@testable import Format

@Suite struct FormatterTests {
  private func format(_ text: String, _ file: String = "a.yaml") throws -> Formatter.Formatted {
    try Formatter.format(file: file, bytes: Array(text.utf8))
  }

  @Test(
    arguments: [
      ("a: 1\n", "a: 1\n", nil),
      ("a: 1", "a: 1\n", 1),
      ("a: 1  \nb: 2 \n\n\n", "a: 1\nb: 2\n", 1),
      ("# note  \r\na: 1\r\nb: 2\r\n", "# note\na: 1\nb: 2\n", 1),
      ("a: 1\n\nb: 2\n\n", "a: 1\n\nb: 2\n", 5),
      ("a: |\n  one\n  two\n", "a: |\n  one\n  two\n", nil),
      ("a: \"tab\\t\"   # a comment\n", "a: \"tab\\t\"   # a comment\n", nil),
    ] as [(String, String, Int?)])
  func yamlKeepsItsLayout(old: String, new: String, line: Int?) throws {
    let formatted = try format(old)
    #expect(formatted.text == new)
    #expect(formatted.firstChange == line)
    #expect(formatted.diagnostics.isEmpty)
  }

  @Test func jsonIsPrintedAnew() throws {
    let formatted = try format(#"{"b":[1.50,{}],"a":{"x":"é\u0007"}}"#, "a.json")
    #expect(
      formatted.text == """
        {
          "b": [
            1.50,
            {}
          ],
          "a": {
            "x": "é\\u0007"
          }
        }

        """)
    #expect(formatted.firstChange == 1)
    #expect(try format(formatted.text, "a.json").firstChange == nil)
  }

  @Test func spaceThatMeansSomethingIsLeftAndTold() throws {
    let text = "b: 1  \na: |\n  one  \n  two\n"
    let formatted = try format(text)
    #expect(formatted.text == text)
    #expect(
      formatted.complaints.map(\.description) == [
        "a.yaml:3:1: error: $: expected no white space that means something at the end of a line, found some"
          + " — write the text in double quotes"
      ])
  }

  @Test(arguments: [
    (
      "a:\n   - b: 1\n     c: 2\n",
      [
        "2:1: error: $: expected an indentation by twos, found 3 spaces",
        "3:1: error: $: expected an indentation by twos, found 5 spaces",
      ]
    ),
    ("a: |\n   three\nb: 'x\n   y'\n", []),
    (
      "requirements:\n  - id: LF-A-002\n  - id: LF-A-010\n  - id: LF-A-009\n",
      [
        "4:5: error: $.requirements[2].id: expected the requirements in the order of their ids, found 'LF-A-009' after 'LF-A-010'"
      ]
    ),
    ("positions:\n  - id: P-2\n  - id: P-10\n", []),
    (
      "defects:\n  - id: b\nvariants:\n  - id: b\n  - id: a\n",
      ["5:5: error: $.variants[1].id: expected the variants in the order of their ids, found 'a' after 'b'"]
    ),
    ("cases:\n  - case: b\n  - case: a\n", []),
  ])
  func whatAPersonMustChangeIsTold(text: String, complaints: [String]) throws {
    #expect(try format(text).complaints.map(\.description) == complaints.map { "a.yaml:\($0)" })
  }

  @Test func aChangeIsACheckThatFails() throws {
    #expect(
      try format("a: 1\nb: 2 \n").complaints.map(\.description) == [
        "a.yaml:2:1: error: $: expected the canonical form, found another — run conform fmt"
      ])
  }

  @Test func syntaxErrorsAreThrown() {
    #expect(throws: Diagnostic.self) { try format("a: [") }
    #expect(throws: Diagnostic.self) { try format("{", "a.json") }
  }

  @Test(arguments: 0..<200)
  func formattingTwiceChangesNothingAndNeverTheMeaning(seed: Int) throws {
    var random = SeededRandom(seed: UInt64(seed))
    let sample = Sample().texts.filter { !$0.key.hasPrefix("spec/schema/") }.sorted { $0.key < $1.key }
    let (file, text) = try #require(sample.randomElement(using: &random))
    let untidy = random.untidied(text)
    let once = try Formatter.format(file: file, bytes: Array(untidy.utf8))
    let twice = try Formatter.format(file: file, bytes: Array(once.text.utf8))
    #expect(twice.text == once.text)
    #expect(twice.firstChange == nil)
    let before = try SpecDocument(file: file, bytes: Array(untidy.utf8)).value
    #expect(try SpecDocument(file: file, bytes: Array(once.text.utf8)).value == before)
    #expect(once.text == text)
  }

  @Test func theFilesOfAProtocolAreFormattedTogether() throws {
    var sample = Sample()
    let formatter = Formatter(CatalogueFolder(texts: sample.texts))
    #expect(try formatter.files(of: "sample").count == 11)
    #expect(
      try formatter.files(of: "sample").flatMap(\.complaints).map(\.found) == ["'event.no-link' after 'event.twice'"])
    sample.texts[Sample.cases] = "a: ["
    sample.texts[Sample.link] = "{"
    let broken = Formatter(CatalogueFolder(texts: sample.texts))
    let error = #expect(throws: CatalogueError.self) { try broken.files(of: "sample") }
    #expect(error?.diagnostics.map(\.file) == [Sample.link, Sample.cases])
  }

  @Test(arguments: [
    "protocol", "requirements", "positions", "defects", "cases", "exchange", "model", "adapter-message",
  ])
  func publishedSchemasAreCanonical(kind: String) throws {
    let path = "spec/schema/\(kind).schema.json"
    let bytes = try CatalogueFolder(root: Sample.repository).bytes(of: path)
    #expect(try Formatter.format(file: path, bytes: bytes).complaints == [])
  }
}

extension SeededRandom {
  /// The text with white space at the ends of some lines, other line ends and a ragged end.
  fileprivate mutating func untidied(_ text: String) -> String {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    for index in lines.indices where Bool.random(using: &self) {
      lines[index] += [" ", "   ", "\r", " \r"].randomElement(using: &self) ?? ""
    }
    return lines.joined(separator: "\n") + String(repeating: "\n", count: Int.random(in: 0...2, using: &self))
  }
}
