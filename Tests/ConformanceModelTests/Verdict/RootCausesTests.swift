import ConformanceModel
import Testing

/// What rests on a broken rule is not held against a subject; everything else is.
@Suite struct RootCausesTests {
  /// c rests on b, and b on a; d rests on nothing.
  private static let requirements = [
    requirement("AB-C-001"), requirement("AB-C-002", restsOn: ["AB-C-001"]),
    requirement("AB-C-003", restsOn: ["AB-C-002"]), requirement("AB-C-004"),
    requirement("AB-C-005", restsOn: ["AB-C-006"]), requirement("AB-C-006", level: .should),
  ]

  private static func requirement(
    _ id: String, level: Requirement.Level = .must, restsOn: [String] = []
  ) -> Requirement {
    Requirement(
      id: RequirementID(id), role: "sdk", feature: nil, level: level, basis: .stated,
      source: .init(document: "Document", section: "1", revision: "2026-01-01"), text: "A rule.",
      restsOn: restsOn.map { RequirementID($0) })
  }

  private static func settled(
    _ id: String, isViolated: Bool, dialect: Dialect = "spec",
    by finding: Finding = Finding(subject: "event requests", expected: "1", observed: "0")
  ) throws -> SettledVerdict {
    let requirement = try #require(requirements.first { $0.id == RequirementID(id) })
    let verdict = Verdict(
      instance: CaseInstance(id: "a.case", row: nil, dialect: dialect), requirement: requirement.id,
      outcome: isViolated ? .violates([finding]) : .conforms, clock: .virtual)
    return Settlement(gate: .stated).settle(verdict, on: requirement)
  }

  /// Broken rules, the rule that is red, and the rule that it is put down to.
  @Test(
    arguments: [
      ([], "AB-C-002", nil), (["AB-C-001"], "AB-C-002", "AB-C-001"), (["AB-C-001"], "AB-C-003", "AB-C-001"),
      (["AB-C-001", "AB-C-002"], "AB-C-003", "AB-C-001"), (["AB-C-002"], "AB-C-003", "AB-C-002"),
      (["AB-C-001"], "AB-C-004", nil), (["AB-C-001"], "AB-C-001", nil), (["AB-C-003"], "AB-C-001", nil),
      // What does not fail the run explains nothing.
      (["AB-C-006"], "AB-C-005", nil),
    ] as [([String], String, String?)])
  func whatRestsOnABrokenRuleIsPutDownToIt(broken: [String], red: String, cause: String?) throws {
    var causes = RootCauses(Self.requirements, Settlement(gate: .stated))
    for id in broken { causes.note(try Self.settled(id, isViolated: true)) }
    let weighed = causes.weigh(try Self.settled(red, isViolated: true))
    let text = cause.map {
      "\($0), on which this rests, is violated; that comes first. Seen here: event requests: expected 1, observed 0"
    }
    if let text {
      #expect(weighed.verdict.outcome == .unjudged(reason: text))
      #expect(weighed.disposition == .error)
    } else {
      #expect(weighed == (try Self.settled(red, isViolated: true)))
    }
  }

  @Test func whatASubjectLacksIsNeitherACauseNorPutDownToOne() throws {
    let lack = Finding.missing(capability: "links")
    var causes = RootCauses(Self.requirements, Settlement(gate: .stated))
    causes.note(try Self.settled("AB-C-001", isViolated: true, by: lack))
    #expect(!causes.isBroken("AB-C-001"))
    let red = try Self.settled("AB-C-002", isViolated: true)
    #expect(causes.weigh(red) == red)
    causes.note(try Self.settled("AB-C-001", isViolated: true))
    #expect(causes.isBroken("AB-C-001"))
    let lacking = try Self.settled("AB-C-002", isViolated: true, by: lack)
    #expect(causes.weigh(lacking) == lacking)
    #expect(!causes.mayExcuse(lacking))
  }

  @Test func whatIsGreenStaysGreen() throws {
    var causes = RootCauses(Self.requirements, Settlement(gate: .stated))
    causes.note(try Self.settled("AB-C-001", isViolated: true))
    let green = try Self.settled("AB-C-002", isViolated: false)
    #expect(causes.weigh(green) == green)
    #expect(!causes.mayExcuse(green))
    #expect(causes.mayExcuse(try Self.settled("AB-C-002", isViolated: true)))
    #expect(!causes.mayExcuse(try Self.settled("AB-C-004", isViolated: true)))
  }

  @Test func aRuleThatIsBrokenInOneDialectExplainsNothingInAnother() throws {
    var causes = RootCauses(Self.requirements, Settlement(gate: .stated))
    causes.note(try Self.settled("AB-C-001", isViolated: true, dialect: "other"))
    let red = try Self.settled("AB-C-002", isViolated: true)
    #expect(causes.weigh(red) == red)
  }

  /// What a verdict says must not depend on the baseline: what rests on a known violation rests on it all the same.
  @Test func aKnownViolationIsACauseToo() throws {
    let baseline = Baseline(
      protocolName: "p",
      entries: [
        .init(
          requirement: "AB-C-001", cases: "*",
          expects: [.finding(subject: "event requests", path: .root, expected: "1", observed: nil)], reason: "r"),
        .init(requirement: "AB-C-002", cases: "*", expects: [.unjudged(reason: "AB-C-001, on which*")], reason: "too"),
      ])
    let settlement = Settlement(gate: .stated, baseline: BaselineTerms(baseline, on: "2026-01-01", for: []))
    var causes = RootCauses(Self.requirements, settlement)
    let first = try Self.settled("AB-C-001", isViolated: true)
    let known = settlement.settle(first.verdict, on: first.requirement)
    #expect(known.disposition == .known)
    causes.note(known)
    let weighed = causes.weigh(try Self.settled("AB-C-002", isViolated: true))
    #expect(weighed.verdict.outcome.reason?.hasPrefix("AB-C-001, on which this rests") == true)
    #expect(weighed.disposition == .known)
    #expect(weighed.baseline == "too")
    #expect(causes.weigh(try Self.settled("AB-C-003", isViolated: true)).disposition == .error)
  }

  @Test func theRulesOnWhichOthersRestAreAllOfThem() {
    let causes = RootCauses(Self.requirements, Settlement(gate: .stated))
    #expect(causes.rules == ["AB-C-001", "AB-C-002", "AB-C-006"])
  }
}
