import ConformanceSpec
import JSONKit
import Testing

/// The assumptions of `steps.yaml`, which cases name.
@Suite struct AssumptionTests {
  /// The lint rules that are tested here.
  static let rules: Set<String> = ["unused-assumption"]

  /// The sample whose last case has such `assumes`, and an assumption with a hole.
  private static func sample(assumes: String, name: String = "answered") throws -> Sample {
    try Sample()
      .replacing(
        "    environment: { online: false }",
        with: "    rows: [ { row: one, status: 201 } ]\n    environment: { online: false }\n    assumes: \(assumes)",
        in: Sample.otherCases
      )
      .appending(
        """
        assumptions:
          \(name):
            requirement: [SA-EVT-001, SA-EVT-002]
            count: { response: event, where: { status: "${status}" }, is: 1 }

        """, to: Sample.states)
  }

  @Test func aNameStandsForItsClaimsWithTheValuesOfTheRow() async throws {
    let named = try await Self.sample(assumes: "[answered]").sources()
    let written = try await Self.sample(
      assumes: """
        [ { requirement: [SA-EVT-001, SA-EVT-002], count: { response: event, where: { status: 201 }, is: 1 } } ]
        """
    ).sources()
    let assumed = try [named, written].map {
      try #require($0.catalogue.case("event.online")?.scenarios.first).assumes
    }
    #expect(assumed[0].map(\.requirement) == ["SA-EVT-001", "SA-EVT-002"])
    #expect(assumed[0].map(\.assertion) == assumed[1].map(\.assertion))
    #expect(assumed[0].map(\.index) == [0, 0])
    #expect(named.assumptions.map(\.value.name) == ["answered"])
  }

  /// A case is another one when what it assumes is, although its own text is the same.
  @Test func theDigestOfACaseCoversWhatItAssumes() async throws {
    let sample = try Self.sample(assumes: "[answered]")
    let changed = try sample.replacing("is: 1 }\n", with: "is: 2 }\n", in: Sample.states)
    let digests = try await [
      sample.sources().catalogue.case("event.online")?.digest,
      changed.sources().catalogue.case("event.online")?.digest,
    ]
    #expect(digests[0] != nil && digests[0] != digests[1])
  }

  @Test func anUnknownNameIsReportedWithTheNearestOne() async throws {
    let problems = try await Self.sample(assumes: "[answred]").complaints().map { String($0.drop { $0 != "$" }) }
    #expect(
      problems == [
        """
        $.cases[1].assumes[0]: expected an assumption of steps.yaml: answered, found "answred" \
        — did you mean "answered"?
        """
      ])
  }

  @Test(arguments: [("[answered]", "one"), ("[ { requirement: SA-EVT-002, never: { request: ask } } ]", "none")])
  func anAssumptionOfFewerThanTwoCasesIsReported(assumes: String, found: String) async throws {
    let findings = try await Self.sample(assumes: assumes).lint().filter { $0.rule == "unused-assumption" }
    #expect(
      findings.map { String($0.description.drop { $0 != "$" }) } == [
        "$.assumptions.answered: expected two cases that assume 'answered', found \(found)"
      ])
  }
}
