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
      (
        Finding(subject: "requests whose a is 1", expected: "1", observed: "0"), "requests", "2", "0; 1 came near",
        true
      ),
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
    func placed(_ id: RequirementID, _ section: String, _ basis: Requirement.Basis = .stated) -> RunRecord.Ruling {
      var ruling = ruling(id, finding("\(id)"))
      ruling.rule.source.section = section
      ruling.rule.basis = basis
      return ruling
    }
    let rulings = [
      placed("PA-A-001", "11 Configuration"), placed("PA-B-001", "2 Linking, step 4"),
      placed("PA-C-001", "2 Linking, step 1"), placed("PA-D-001", "1 Start", .position), placed("PA-E-001", "Models"),
      placed("PA-F-001", "1 Start", .published),
    ]
    #expect(
      rules(rulings).map { $0[0] }
        == ["PA-C-001", "PA-B-001", "PA-A-001", "PA-E-001", "PA-F-001", "PA-D-001"])
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

  @Test func theSimplestCaseComesFirst() {
    var long = ruling("PA-A-001", finding("x"), row: "a")
    long.story = ["1", "2", "3"]
    let short = ruling("PA-A-001", finding("x"), row: "b")
    let groups = FailureGroup.groups(of: [long, short], silenced: [], conforming: [:])
    #expect(groups[0].lead.instances.map(\.row) == ["b", "a"])
  }
}
