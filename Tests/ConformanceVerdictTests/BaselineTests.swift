import ConformanceModel
import ConformanceTranscript
import ConformanceVerdict
import JSONKit
import Testing

/// The outcomes that an entry of a baseline excuses, and those that it does not.
@Suite struct BaselineTests {
  private static let finding = Finding(
    subject: "queueSize 'size'", path: .root.appending(key: "kept"), expected: "100", observed: "99", entries: [4])

  private static func expectation(observed: String? = "99") -> Baseline.Expectation {
    .finding(
      subject: "queueSize 'size'", path: .root.appending(key: "kept"), expected: "100", observed: observed)
  }

  static func entry(
    _ cases: CasePattern = "queue.full[101]", dialects: [Dialect] = [],
    expects: [Baseline.Expectation] = [expectation()], isFlaky: Bool = false, expires: String? = nil,
    condition: Baseline.Condition? = nil
  ) -> Baseline.Entry {
    .init(
      cause: "PA-Q-001", covers: ["PA-Q-001": [cases]], dialects: dialects, expects: expects, reason: "In review",
      isFlaky: isFlaky, link: "#12", expires: expires, condition: condition, line: 4)
  }

  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var entry: Baseline.Entry
    var outcome = Verdict.Outcome.violates([finding])
    var requirement: RequirementID = "PA-Q-001"
    var cause: RequirementID?
    var disposition: Disposition
  }

  private static func other(_ change: (inout Finding) -> Void) -> Verdict.Outcome {
    var finding = finding
    change(&finding)
    return .violates([finding])
  }

  private static func named(_ address: String) -> Finding {
    var finding = Finding(subject: "s", expected: address + "/a", observed: address + "/b")
    finding.normal = .init(subject: "s", expected: "${api.url}/a", observed: "${api.url}/b")
    return finding
  }

  private static let rows = [
    Row(testDescription: "the finding", entry: entry(), disposition: .known),
    Row(
      testDescription: "in other entries of the transcript", entry: entry(), outcome: other { $0.entries = [] },
      disposition: .known),
    Row(testDescription: "another value", entry: entry(), outcome: other { $0.observed = "98" }, disposition: .fail),
    Row(testDescription: "another place", entry: entry(), outcome: other { $0.path = .root }, disposition: .fail),
    Row(testDescription: "another subject", entry: entry(), outcome: other { $0.subject = "x" }, disposition: .fail),
    Row(
      testDescription: "another expectation", entry: entry(), outcome: other { $0.expected = "1" }, disposition: .fail),
    Row(
      testDescription: "one finding more", entry: entry(),
      outcome: .violates([finding, .init(subject: "x", expected: "1", observed: "2")]), disposition: .fail),
    Row(
      testDescription: "any value", entry: entry(expects: [expectation(observed: nil)]),
      outcome: other { $0.observed = "98" }, disposition: .known),
    Row(
      testDescription: "values of a form", entry: entry(expects: [expectation(observed: "9*")]),
      outcome: other { $0.observed = "98" }, disposition: .known),
    Row(
      testDescription: "the same on another port",
      entry: entry(expects: [.finding(subject: "s", path: .root, expected: "${api.url}/a", observed: "${api.url}/b")]),
      outcome: .violates([named("http://127.0.0.1:41")]), disposition: .known),
    Row(
      testDescription: "another address",
      entry: entry(expects: [.finding(subject: "s", path: .root, expected: "${api.url}/a", observed: "${api.url}/c")]),
      outcome: .violates([named("http://127.0.0.1:41")]), disposition: .fail),
    Row(
      testDescription: "not judged for a violation of its own", entry: entry(),
      outcome: .unjudged(reason: "PA-Q-002 is violated"), cause: "PA-Q-002", disposition: .known),
    Row(testDescription: "flaky, and it fails", entry: entry(isFlaky: true), disposition: .known),
    Row(testDescription: "flaky, and it passes", entry: entry(isFlaky: true), outcome: .conforms, disposition: .pass),
    Row(
      testDescription: "flaky, and something else fails", entry: entry(isFlaky: true),
      outcome: other { $0.observed = "98" }, disposition: .fail),
    Row(testDescription: "its dialect in the name", entry: entry("queue.full[101]@spec"), disposition: .known),
    Row(testDescription: "another dialect in the name", entry: entry("queue.full[101]@old"), disposition: .fail),
    Row(testDescription: "what is gone", entry: entry(), outcome: .conforms, disposition: .stale),
    Row(testDescription: "not judged", entry: entry(), outcome: .unjudged(reason: "it died"), disposition: .error),
    Row(
      testDescription: "expected not to be judged", entry: entry(expects: [.unjudged(reason: "it *")]),
      outcome: .unjudged(reason: "it died"), disposition: .known),
    Row(
      testDescription: "violated where it was not to be judged", entry: entry(expects: [.unjudged(reason: "it *")]),
      disposition: .fail),
    Row(testDescription: "not applicable", entry: entry(), outcome: .notApplicable(reason: "r"), disposition: .skipped),
    Row(testDescription: "every row", entry: entry("queue.full"), disposition: .known),
    Row(testDescription: "cases of a form", entry: entry("queue.*"), disposition: .known),
    Row(testDescription: "another row", entry: entry("queue.full[102]"), disposition: .fail),
    Row(testDescription: "another requirement", entry: entry(), requirement: "PA-Q-002", disposition: .fail),
    Row(testDescription: "its dialect", entry: entry(dialects: ["other", "spec"]), disposition: .known),
    Row(testDescription: "another dialect", entry: entry(dialects: ["other"]), disposition: .fail),
    Row(testDescription: "on its last day", entry: entry(expires: "2026-11-21"), disposition: .known),
    Row(testDescription: "after its term", entry: entry(expires: "2026-11-20"), disposition: .fail),
    Row(
      testDescription: "after its term, and gone", entry: entry(expires: "2026-11-20"), outcome: .conforms,
      disposition: .pass),
    Row(testDescription: "its version", entry: entry(condition: .init(version: "1.*")), disposition: .known),
    Row(testDescription: "another version", entry: entry(condition: .init(version: "2.*")), disposition: .fail),
    Row(testDescription: "its platform", entry: entry(condition: .init(platform: "android")), disposition: .known),
    Row(
      testDescription: "its version on another platform",
      entry: entry(condition: .init(version: "1.*", platform: "ios")), disposition: .fail),
  ]

  private static let subject = Subject(name: "parcel-dart", version: "1.2.0", platform: "android")

  @Test(arguments: rows) func anEntryExcusesWhatItExpects(_ row: Row) {
    let terms = BaselineTerms(
      Baseline(protocolName: "parcel", entries: [row.entry]), on: "2026-11-21", for: [Self.subject])
    let verdict = Verdict(
      instance: .init(id: "queue.full", row: "101", dialect: "spec"), requirement: row.requirement,
      outcome: row.outcome, clock: .virtual, cause: row.cause)
    let settled = Settlement(gate: .stated, baseline: terms).settle(verdict, .must, .stated)
    #expect(settled.disposition == row.disposition)
    let isExplained = [.known, .stale].contains(row.disposition)
    #expect(settled.baseline == (isExplained ? "In review (#12)" : nil))
  }

  /// A new mistake often keeps a case from reaching a known mistake, which stays known. A death is new.
  @Test(
    arguments: [
      (.completed, .known), (.preconditionFailed, .known), (.faultUnused, .known), (.adapterDied, .error),
      (.adapterHung, .error), (.timeLimit, .error), (.machine, .error), (.kitError, .error), (nil, .error),
    ] as [(TranscriptEntry.Ending.Kind?, Disposition)])
  func aKnownMistakeThatACaseDoesNotReachStaysKnown(ending: TranscriptEntry.Ending.Kind?, disposition: Disposition) {
    let terms = BaselineTerms(Baseline(protocolName: "parcel", entries: [Self.entry()]), on: "2026-11-21", for: [])
    func settled(_ row: String) -> Disposition {
      let verdict = Verdict(
        instance: .init(id: "queue.full", row: row, dialect: "spec"), requirement: "PA-Q-001",
        outcome: .unjudged(reason: "the case did not reach what it is about"), clock: .virtual)
      return Settlement(gate: .stated, baseline: terms).settle(verdict, .must, .stated, after: ending).disposition
    }
    #expect(settled("101") == disposition)
    #expect(settled("102") == .error)
  }

  /// A mistake can block the judgement of a rule. When it is repaired, the rule may show another known mistake.
  @Test func aKnownMistakeMayShowWhereAnotherStoodInTheWay() {
    let blocked = Baseline.Entry(
      cause: "PA-Q-002", covers: ["PA-Q-001": ["queue.empty"], "PA-Q-002": ["queue.empty"]],
      expects: [.unjudged(reason: "PA-Q-002 *")], reason: "Blocked")
    let terms = BaselineTerms(
      Baseline(protocolName: "parcel", entries: [Self.entry(), blocked]), on: "2026-11-21", for: [])
    func reason(_ outcome: Verdict.Outcome) -> String? {
      terms.entry(
        expecting: Verdict(
          instance: .init(id: "queue.empty", row: nil, dialect: "spec"), requirement: "PA-Q-001", outcome: outcome,
          clock: .virtual))?.reason
    }
    #expect(reason(.unjudged(reason: "PA-Q-002 is violated")) == "Blocked")
    #expect(reason(.violates([Self.finding])) == "In review")
    #expect(reason(Self.other { $0.observed = "98" }) == nil)
  }

  /// A second violation at a place whose own violation is known stays red, though an entry knows it at another place.
  @Test func rejectsTheViolationOfAnotherPlaceAtAKnownPlace() {
    var elsewhere = Self.entry()
    elsewhere.covers = ["PA-Q-001": ["queue.empty"]]
    elsewhere.reason = "Elsewhere"
    elsewhere.expects = elsewhere.expects.map { expectation in
      guard case .finding(let subject, let path, let expected, _) = expectation else { return expectation }
      return .finding(subject: subject, path: path, expected: expected, observed: "98")
    }
    let terms = BaselineTerms(
      Baseline(protocolName: "parcel", entries: [Self.entry(), elsewhere]), on: "2026-11-21", for: [])
    func reason(at name: CaseID, row: String? = nil) -> String? {
      terms.entry(
        expecting: Verdict(
          instance: .init(id: name, row: row, dialect: "spec"), requirement: "PA-Q-001",
          outcome: Self.other { $0.observed = "98" }, clock: .virtual))?.reason
    }
    #expect(reason(at: "queue.empty") == "Elsewhere")
    #expect(reason(at: "queue.full", row: "101") == nil)
  }

  @Test func anotherViolationOfAKnownRuleIsTold() {
    let terms = BaselineTerms(Baseline(protocolName: "parcel", entries: [Self.entry()]), on: "2026-11-21", for: [])
    func settled(_ observed: String) -> SettledVerdict {
      let requirement = Requirement(
        id: "PA-Q-001", role: "sdk", feature: nil, level: .must, basis: .stated,
        source: .init(document: "D", section: "1", revision: "1"), text: "A rule.")
      let verdict = Verdict(
        instance: .init(id: "queue.full", row: "101", dialect: "spec"), requirement: requirement.id,
        outcome: Self.other { $0.observed = observed }, clock: .virtual)
      return Settlement(gate: .stated, baseline: terms).settle(verdict, on: requirement)
    }
    #expect(terms.disagreement(with: settled("99")) == nil)
    #expect(
      terms.disagreement(with: settled("98"))
        == "baseline, line 4: the entry for PA-Q-001 in queue.full[101] expects something else than was found in "
        + "queue.full[101]@spec: queueSize 'size' $.kept: expected 100, observed 98 (entry 4); it excuses nothing there"
    )
  }
}
