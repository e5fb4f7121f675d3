import ConformanceSpec
import Testing

@testable import CommandInterface
@testable import Coverage

@Suite struct SourceCoverageTests {
  private static let notes = """
    kit: 2
    documents:
      - document: Sample specification
        sections:
          - section: 1 Events
            sentences:
              - { says: An event is sent once., rules: [SA-EVT-001] }
              - { says: Events are a fine thing., reason: Nothing follows from it. }
          - { section: 9 Words, reason: Nothing but words. }

    """

  @Test func eachSentenceHasItsRulesOrTheReason() async throws {
    let sources = try await Sample().appending(Self.notes, to: "spec/sample/coverage.yaml").sources()
    let coverage = SourceCoverage(sources)
    #expect(
      coverage.text == """
        Sample specification
          1 Events
            An event is sent once.
              SA-EVT-001
            Events are a fine thing.
              no requirement: Nothing follows from it.
          9 Words
            no requirement: Nothing but words.
          5
            SA-APP-001
          3
            SA-EVT-003
          4
            SA-EVT-004

        A page
          2
            SA-EVT-002

        2 sentences: 1 with requirements, 1 with a reason, 0 open; 4 requirements rest
        on a section as a whole

        """)
  }

  /// A sentence that is listed earlier comes earlier, whatever its section is called.
  @Test func requirementsAreInTheOrderOfTheSentences() async throws {
    let notes =
      Self.notes + """
              - section: "4"
                sentences: [ { says: An event has a name., rules: [SA-EVT-003, SA-EVT-001] } ]
              - { section: "3", says: An event has a time. }

        """
    let sources = try await Sample().appending(notes, to: "spec/sample/coverage.yaml").sources()
    // SA-EVT-003 has a sentence, so its section is not its place. SA-EVT-004 cites a section with other sentences.
    #expect(sources.catalogue.documentOrder == ["SA-EVT-001": 0, "SA-EVT-003": 1, "SA-EVT-004": 3])
  }

  /// Without sentences, requirements belong to the section that they cite.
  @Test func aSectionThatNobodyTookApartHasItsRules() async throws {
    let coverage = SourceCoverage(try await Sample().sources())
    let section = try #require(coverage.sections.first { $0.document == "A page" })
    #expect(section.name == "2")
    #expect(section.sentences.map(\.rules) == [["SA-EVT-002"]])
    #expect(coverage.summary.hasPrefix("0 sentences: 0 with requirements, 0 with a reason, 0 open;"))
  }
}
