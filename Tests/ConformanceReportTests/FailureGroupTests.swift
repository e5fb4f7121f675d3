import ConformanceModel
import ConformanceVerdict
import JSONKit
import Testing

@testable import Records

@Suite struct FailureGroupTests {
  private func ruling(
    _ id: RequirementID, _ finding: Finding, row: String = "a", leadsTo: [RequirementID] = []
  ) -> RunRecord.Ruling {
    var ruling = Sample.ruling(id, .init(id: "c", row: row, dialect: "spec"), .violates([finding]), .fail)
    ruling.leadsTo = leadsTo
    return ruling
  }

  private func silenced(_ id: RequirementID, by cause: RequirementID) -> RunRecord.Ruling {
    var ruling = Sample.ruling(id, Sample.first, .unjudged(reason: "r"), .error)
    ruling.verdict.cause = cause
    return ruling
  }

  private func finding(
    _ subject: String, _ path: JSONPath = .root, expected: String = "1", observed: String = "2"
  ) -> Finding {
    Finding(subject: subject, path: path, expected: expected, observed: observed)
  }

  /// The rules of each group, the lead first.
  private func rules(_ rulings: [RunRecord.Ruling]) -> [[RequirementID]] {
    let groups = FailureGroup.groups(of: rulings, silenced: [], conforming: [:])
    return groups.map { [$0.lead.requirement] + $0.followers.map(\.requirement) }
  }

  @Test(
    arguments: [
      (Finding(subject: "track 'a'", expected: "\"x\"", observed: "1"), "track 'b'", "\"y\"", "2", true),
      (Finding(subject: "event 1 to the next", expected: "1", observed: "2"), "event 2 to the next", "1", "2", true),
      (Finding(subject: "requests", expected: "1", observed: "0"), "requests", "1", "0; 1 came near", true),
      (Finding(subject: "requests whose a is 1", expected: "1", observed: "0"), "requests", "1", "0", false),
      (Finding(subject: "requests after 'a'", expected: "1", observed: "0"), "requests after 'b'", "1", "0", false),
      (Finding(subject: "track 'a'", expected: "\"x\"", observed: "1"), "flush 'a'", "\"x\"", "1", false),
      (Finding(subject: "track 'a'", expected: "\"x\"", observed: "1"), "track 'a'", "\"x\"", "null", false),
      (Finding(subject: "track 'a'", expected: "\"x\"", observed: "1"), "track 'a'", "an object", "1", false),
    ])
  func theSameThingWrongInTheSameWayIsOneMark(
    one: Finding, subject: String, expected: String, observed: String, isSame: Bool
  ) {
    let other = Finding(subject: subject, expected: expected, observed: observed)
    #expect((FailureMark(one) == FailureMark(other)) == isSame)
  }

  @Test func elementsOfAListAreOnePlaceAndMembersAreNot() {
    let path = JSONPath.root.appending(key: "a")
    let (first, second) = (finding("x", path.appending(index: 0)), finding("x", path.appending(index: 7)))
    #expect(FailureMark(first) == FailureMark(second))
    #expect(FailureMark(first) != FailureMark(finding("x", path.appending(key: "b"))))
  }

  @Test func rulesThatShareAMarkAreOneGroupAndOthersAreNot() {
    let rulings = [
      ruling("PA-C-001", finding("x")), ruling("PA-B-001", finding("y")), ruling("PA-A-001", finding("z")),
      ruling("PA-A-001", finding("x"), row: "b"),
    ]
    #expect(rules(rulings) == [["PA-A-001", "PA-C-001"], ["PA-B-001"]])
  }

  /// Two requirements that read the same answer differently share a card.
  @Test func rulesAboutOneObservationAreOneGroup() {
    func error(_ expected: String) -> Finding { finding("initialize 'refused'", expected: expected, observed: "{}") }
    let rulings = [ruling("PA-A-001", error("an error")), ruling("PA-B-001", error("an error of kind \"x\""))]
    #expect(rules(rulings) == [["PA-A-001", "PA-B-001"]])
    let elsewhere = ruling("PA-B-001", error("an error of kind \"x\""), row: "b")
    #expect(rules([rulings[0], elsewhere]) == [["PA-A-001"], ["PA-B-001"]])
  }

  /// Different mistakes have the effect that a request is missing. The catalogue knows which one is the cause.
  @Test func missingRequestsAreOneGroupOnlyByTheCatalogue() {
    func missing(_ label: String) -> Finding {
      finding("event requests after '\(label)'", expected: "at least 1", observed: "0")
    }
    let (one, other) = (ruling("PA-A-001", missing("a")), ruling("PA-B-001", missing("b"), row: "b"))
    #expect(rules([one, other]) == [["PA-A-001"], ["PA-B-001"]])
    let cause = ruling("PA-A-001", missing("a"), leadsTo: ["PA-B-001"])
    #expect(rules([cause, other]) == [["PA-A-001", "PA-B-001"]])
  }

  @Test func theRuleLeadsThatOthersFollowFrom() {
    let cause = ruling("PA-C-001", finding("x"), leadsTo: ["PA-A-001", "PA-Z-001"])
    let effect = ruling("PA-A-001", finding("x"))
    #expect(rules([effect, cause]) == [["PA-C-001", "PA-A-001"]])
    // Two that follow from each other say nothing about who leads.
    let back = ruling("PA-A-001", finding("x"), leadsTo: ["PA-C-001"])
    #expect(rules([back, cause]) == [["PA-A-001", "PA-C-001"]])
  }

  @Test func whatIsMostlyKeptComesAfterWhatIsMostlyViolated() {
    let rulings = [ruling("PA-A-001", finding("x")), ruling("PA-B-001", finding("y"))]
    let groups = FailureGroup.groups(of: rulings, silenced: [], conforming: ["PA-A-001": 2, "PA-B-001": 1])
    #expect(groups.map(\.lead.requirement) == ["PA-B-001", "PA-A-001"])
  }

  @Test func whatTheDocumentStatesFirstComesFirstAndPositionsLast() {
    func placed(_ id: RequirementID, _ place: Int?, _ basis: Requirement.Basis = .stated) -> RunRecord.Ruling {
      var ruling = ruling(id, finding("\(id)"))
      ruling.documentPlace = place
      ruling.rule.basis = basis
      return ruling
    }
    let rulings = [
      placed("PA-A-001", 11), placed("PA-B-001", 5), placed("PA-C-001", 4), placed("PA-D-001", 1, .position),
      placed("PA-E-001", nil), placed("PA-F-001", 1, .published),
    ]
    #expect(
      rules(rulings).map { $0[0] }
        == ["PA-C-001", "PA-B-001", "PA-A-001", "PA-E-001", "PA-F-001", "PA-D-001"])
  }

  /// A group may follow from an earlier group if the catalogue says so about their main requirements.
  @Test func aGroupNamesTheEarlierGroupFromWhichItMayFollow() {
    let cause = ruling("PA-A-001", finding("x"), leadsTo: ["PA-B-001"])
    let effect = ruling("PA-B-001", finding("y"))
    let groups = FailureGroup.groups(
      of: [cause, effect, ruling("PA-C-001", finding("z"))], silenced: [], conforming: [:])
    #expect(groups.map { $0.lead.requirement } == ["PA-A-001", "PA-C-001", "PA-B-001"])
    #expect(groups.map(\.origin) == [nil, nil, "PA-A-001"])
    var advisory = effect
    advisory.disposition = .advisory
    let failures = FailureGroup.groups(of: [cause], silenced: [], conforming: [:])
    let advice = FailureGroup.advisoryGroups(of: [advisory], after: failures, all: true)
    #expect(advice.map(\.origin) == ["PA-A-001"])
  }

  @Test func rulesOnOneCardNameWhatTheyShare() {
    let path = JSONPath.root.appending(key: "size")
    let rulings = [
      ruling("PA-A-001", finding("flush 'a'", path)), ruling("PA-B-001", finding("flush 'b'", path)),
      ruling("PA-C-001", finding("other")),
    ]
    let groups = FailureGroup.groups(of: rulings, silenced: [], conforming: [:])
    #expect(groups.map(\.shared) == ["flush $.size", nil])
  }

  @Test func whatADeathKeptFromBeingJudgedStandsByIt() {
    let death = Finding(subject: "the process", expected: "to go on", observed: "it died of signal 6")
    let unjudged = Sample.ruling(
      "PA-B-001", .init(id: "c", row: "a", dialect: "spec"), .unjudged(reason: "it died"), .error)
    let groups = FailureGroup.groups(
      of: [ruling("PA-A-001", death)],
      silenced: [unjudged, Sample.ruling("PA-C-001", Sample.first, .unjudged(reason: "r"), .error)],
      conforming: [:])
    #expect(groups.map { $0.silenced.map(\.requirement) } == [["PA-B-001"]])
  }

  @Test func whatIsNotJudgedStandsByItsCause() {
    let rulings = [ruling("PA-A-001", finding("x")), ruling("PA-B-001", finding("y"))]
    let groups = FailureGroup.groups(
      of: rulings, silenced: [silenced("PA-D-001", by: "PA-B-001"), silenced("PA-C-001", by: "PA-Z-001")],
      conforming: [:])
    #expect(groups.map { $0.silenced.map(\.requirement) } == [[], ["PA-D-001"]])
  }

  /// The reasons of unjudged verdicts that the violation "event requests: expected at least 1, observed 0" explains.
  @Test(arguments: [
    ("the case did not reach what it is about: event requests after 'b' whose x is 1: expected 1, observed 0", true),
    ("the fault 'drop' (event) was armed and never fired", true),
    ("the case did not reach what it is about: install requests: expected 1, observed 0", false),
    ("the adapter died: exit 3", false),
  ])
  func whatIsNotJudgedStandsByAViolationWithTheSameSymptom(reason: String, isExplained: Bool) {
    var unjudged = Sample.ruling("PA-B-001", Sample.first, .unjudged(reason: reason), .error)
    let violation = ruling("PA-A-001", finding("event requests", expected: "at least 1", observed: "0"))
    func explained(_ violations: [RunRecord.Ruling]) -> [[RequirementID]] {
      FailureGroup.groups(of: violations, silenced: [unjudged], conforming: [:])
        .map { $0.silenced.map(\.requirement) }
    }
    #expect(explained([violation]) == [isExplained ? ["PA-B-001"] : []])
    // A cause without a violation in the report explains nothing.
    unjudged.verdict.cause = "PA-Z-001"
    #expect(explained([violation]) == [isExplained ? ["PA-B-001"] : []])
    // If two violations have the symptom, none of them is chosen.
    let other = ruling("PA-C-001", finding("event requests after 'c'", expected: "2", observed: "0"), row: "c")
    #expect(explained([violation, other]) == [[], []])
  }

  @Test func anObservationThatCameNearIsASymptom() {
    let near = "0; 1 came near: $.body.id expected \"a\", observed nothing"
    let unjudged = Sample.ruling(
      "PA-B-001", Sample.first,
      .unjudged(reason: "the case did not reach what it is about: event requests: expected 1, observed \(near)"), .error
    )
    let path = JSONPath.root.appending(key: "body").appending(key: "id")
    let violation = ruling("PA-A-001", finding("event request", path, expected: "\"b\"", observed: "nothing"))
    let groups = FailureGroup.groups(of: [violation], silenced: [unjudged], conforming: [:])
    #expect(groups.map { $0.silenced.map(\.requirement) } == [["PA-B-001"]])
  }

  /// A violated MUST by a position never hangs under other advice, and what the reference shows, too, comes last.
  @Test func advisoryGroupsKeepPositionsApart() {
    func advisory(
      _ id: RequirementID, _ level: Requirement.Level, _ basis: Requirement.Basis, isOrdinary: Bool = false
    ) -> RunRecord.Ruling {
      var ruling = ruling(id, finding("requests", expected: "none", observed: "1"))
      (ruling.disposition, ruling.rule.level, ruling.rule.basis) = (.advisory, level, basis)
      ruling.isOrdinary = isOrdinary
      return ruling
    }
    let rulings = [
      advisory("PA-A-001", .observe, .stated, isOrdinary: true), advisory("PA-B-001", .should, .stated),
      advisory("PA-C-001", .must, .position),
    ]
    func leads(all: Bool) -> [RequirementID] {
      FailureGroup.advisoryGroups(of: rulings, all: all).map(\.lead.requirement)
    }
    #expect(leads(all: true) == ["PA-C-001", "PA-B-001", "PA-A-001"])
    #expect(leads(all: false) == ["PA-C-001"])
  }

  @Test func thePlainestRowComesFirst() {
    let rulings = ["-168", "-1", "2.625"].map { ruling("PA-A-001", finding("x"), row: $0) }
    let groups = FailureGroup.groups(of: rulings, silenced: [], conforming: [:])
    #expect(groups[0].lead.instances.map(\.row) == ["-1", "-168", "2.625"])
  }

  @Test func theSimplestCaseComesFirst() {
    var long = ruling("PA-A-001", finding("x"), row: "a")
    long.story = ["1", "2", "3"]
    let short = ruling("PA-A-001", finding("x"), row: "b")
    let groups = FailureGroup.groups(of: [long, short], silenced: [], conforming: [:])
    #expect(groups[0].lead.instances.map(\.row) == ["b", "a"])
  }
}
