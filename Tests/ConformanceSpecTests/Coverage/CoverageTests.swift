import ConformanceSpec
import Testing

@testable import Coverage
@testable import LinkFortyCore

@Suite struct CoverageTests {
  @Test func eachRequirementHasItsCasesOrTheReason() async throws {
    let sample = try Sample()
      .replacing(
        "text: An event is answered with a link.", with: "text: x\n    withdrawn: \"No\\tmore.\"",
        in: Sample.requirements
      )
      .replacing("[SA-EVT-002]", with: "[SA-EVT-002, SA-EVT-001]", in: Sample.cases)
      .appending(
        """
          - id: SA-EVT-005
            role: sdk
            level: MUST
            basis: stated
            source: { section: "5", revision: "2026-01-01" }
            text: Nobody looks.

        """, to: Sample.requirements)
    let withoutAnswer = try #require(sample.texts[Sample.cases]?.split(separator: "  - case: event.answer").first)
    var bare = sample
    bare.texts[Sample.cases] = String(withoutAnswer)
    let coverage = Coverage(try await bare.sources().catalogue)
    #expect(
      coverage.tsv == """
        id\trole\tlevel\tbasis\tfeature\tcases-or-reason
        SA-APP-001\tbackend\tMUST\tstated\t-\tapp.asked
        SA-EVT-001\tsdk\tMUST\tstated\t1\tevent.once event.queued event.online
        SA-EVT-002\tsdk\tSHOULD\tposition\t1\tevent.queued
        SA-EVT-003\tserver\tMUST\tstated\t-\twithdrawn: No more.
        SA-EVT-004\tsdk\tMAY\tstated\t-\tuntestable: Nothing can be seen of it from outside.
        SA-EVT-005\tsdk\tMUST\tstated\t-\tuncovered

        """)
    #expect(
      coverage.table == """
        id          role     level   basis     feature  cases-or-reason
        SA-APP-001  backend  MUST    stated    -        app.asked
        SA-EVT-001  sdk      MUST    stated    1        event.once event.queued event.online
        SA-EVT-002  sdk      SHOULD  position  1        event.queued
        SA-EVT-003  server   MUST    stated    -        withdrawn: No more.
        SA-EVT-004  sdk      MAY     stated    -        untestable: Nothing can be seen of it from outside.
        SA-EVT-005  sdk      MUST    stated    -        uncovered

        6 requirements: 3 covered by 4 cases, 1 untestable, 1 withdrawn, 1 uncovered

        """)
    #expect(coverage.rows.map(\.isUncovered) == [false, false, false, false, false, true])
  }
}

@Suite struct ExplanationTests {
  @Test(arguments: [
    (
      "SA-EVT-002",
      """
      SHOULD SA-EVT-002, role sdk

        A failed event is queued.

        source     A page, 2 (2026-01-01), position
        feature    1 Events
        condition  only for subjects with queue-size
        position   P-1: What becomes of a failed event. It is queued.
        defined    spec/sample/requirements/events.yaml:10
        case       event.queued: A failed event is queued

      """
    ),
    (
      "SA-EVT-001",
      """
      MUST SA-EVT-001, role sdk

        An event is sent once.

        source   Sample specification, 1 Events (2026-01-01), stated
        feature  1 Events
        defined  spec/sample/requirements/events.yaml:3
        case     event.once: An event is sent once
        case     event.online: An event waits for the network
        defect   event.twice: Sends every event twice. Noticed by event.once[b].

      """
    ),
    (
      "P-1",
      """
      position P-1

        It is queued.

        gap          What becomes of a failed event.
        defined      spec/sample/positions.yaml:3
        requirement  SA-EVT-002: A failed event is queued.

      """
    ),
    (
      "event.kept",
      """
      case event.queued, role sdk

        A failed event is queued

        dialects  spec
        needs     events, queue-size
        formerly  event.kept
        defined   spec/sample/cases/events.yaml:17
        step 1    call initialize, with {"url":"${main.url}"}
        step 2    answer event, response found, with {"link":{"code":"abc"}}
        step 3    fault {"how":"status","status":503,"exchange":"event","times":1}
        step 4    call trackEvent, with {"name":"x"}, need either, as tracked
        step 5    call queueSize, as size
        claim     requirement ["SA-EVT-002"], returns {"size":1}
        claim     requirement SA-EVT-002, dialects ["spec"], never {"request":"event","after":"size"}

      """
    ),
    (
      "event.no-link",
      """
      defect event.no-link of the reference server

        No link.

        breaks   SA-EVT-003: An event is answered with a link.
        noticed  event.answer
        dialect  spec
        defined  spec/sample/defects/all.yaml:4

      """
    ),
    (
      "event.chunked",
      """
      variant event.chunked of the reference sdk

        Sends events chunked.

        defined  spec/sample/defects/all.yaml:6

      """
    ),
  ])
  func aNameIsExplainedWithAllThatIsLinkedToIt(name: String, text: String) async throws {
    #expect(try await Explanation(of: name, in: Sample().sources()).description == text)
  }

  /// The explanation contains the request as it is written, since authors of SDKs have no other page for it.
  @Test func anExchangeIsExplained() async throws {
    let explanation = try await Explanation(of: "event", in: Sample().sources())
    #expect(explanation.title == "exchange event at main")
    #expect(explanation.text == "An app tracks an event.")
    #expect(
      explanation.entries.dropLast().map { "\($0.label): \($0.text)" } == [
        "request: POST /event", "  headers: Content-Type: application/json", #"  body: {"name":"${name:text}"}"#,
        #"answer found: 200 {"link":"${link:Link}"}"#,
      ])
  }

  /// The words that belong to a protocol as a whole are explained too, with the parts that use them.
  @Test(arguments: [
    ("trackEvent", "command trackEvent, role sdk", "used by"), ("events", "capability events, role sdk", "command"),
    ("1", "feature 1", "MUST"), ("stated", "gate stated", "sdk"),
  ])
  func aWordOfTheProtocolIsExplained(name: String, title: String, label: String) async throws {
    let explanation = try await Explanation(of: name, in: Sample().sources())
    #expect(explanation.title == title)
    #expect(explanation.entries.contains { $0.label == label && !$0.text.isEmpty })
  }

  @Test(arguments: ["baseline", "known", "stale", "unjudged", "skipped", "capability"])
  func aWordOfReportsIsExplained(word: String) async throws {
    let explanation = try await Explanation(of: word, in: Sample().sources())
    #expect(explanation.title == word)
    #expect(explanation.text.hasPrefix("A"))
  }

  @Test(arguments: ["event.once[b]", "event.once[b] @spec"])
  func aCaseMayBeNamedAsReportsPrintIt(name: String) async throws {
    let explanation = try await Explanation(of: name, in: Sample().sources())
    #expect(explanation.title == "case event.once, role sdk")
    #expect(
      explanation.entries.filter { $0.label == "row" }.map(\.text) == [
        "row a, name A, sent 1", "row b, name B, sent 2",
      ])
    #expect(explanation.entries.last?.text == "event.twice: Sends every event twice.")
  }

  /// The states and the environment of a case belong to it like its steps.
  @Test func aCaseTellsWhatItBeginsIn() async throws {
    let explanation = try await Explanation(of: "event.online", in: Sample().sources())
    #expect(
      explanation.entries.filter { ["environment", "given"].contains($0.label) }.map { "\($0.label) \($0.text)" } == [
        "environment online false", "given started: The app has started. (SA-EVT-001)",
      ])
  }

  @Test func anUnknownNameSuggestsTheNearest() async throws {
    let sources = try await Sample().sources()
    let error = #expect(throws: UnknownName.self) { try Explanation(of: "event.qeued", in: sources) }
    #expect(error?.nearest == ["event.queued"])
    #expect(
      error?.description
        == "expected the name of a requirement, position, case, defect, variant, exchange, command, capability, feature, dialect or gate, "
        + "or a word of reports such as baseline, found \"event.qeued\" — did you mean \"event.queued\"?")
  }
}
