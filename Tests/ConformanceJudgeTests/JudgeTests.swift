import ConformanceModel
import ConformanceTranscript
import ConformanceVerdict
import HTTPValues
import JSONKit
import Testing

@testable import ConformanceJudge

@Suite struct JudgeTests {
  private static func requirement(
    _ id: RequirementID, condition: String? = nil, level: Requirement.Level = .must, basis: Requirement.Basis = .stated
  ) -> Requirement {
    Requirement(
      id: id, role: "sdk", feature: nil, level: level, basis: basis,
      source: .init(document: "D", section: "1", revision: "1"), text: "It is so.", condition: condition)
  }

  private static func judge(
    _ claims: [Claim], given: [Case.Precondition] = [], witness: [Claim.Assertion] = [],
    controls: [Claim.Assertion] = [], assumes: [Claim] = [],
    requirements: [Requirement] = ["R-1", "R-2", "R-3"].map { requirement($0) },
    everyRequest: [Claim] = [], digest: String = ""
  ) -> Judge {
    let one = Case(
      id: "some.case", title: "A case", role: "sdk", dialects: ["plain"],
      scenarios: [
        .init(given: given, steps: [], witness: witness, controls: controls, assumes: assumes, claims: claims)
      ],
      digest: digest)
    return Judge(
      catalogue: Scene.catalogue([one], requirements: requirements, everyRequest: everyRequest), checks: Scene.checks)
  }

  private static let oneEvent = Claim(requirement: "R-1", assertion: .count(requests("event"), is: template(1)))
  private static let noInstall = Claim(requirement: "R-2", assertion: .never(requests("install")))

  private func outcomes(_ judge: Judge, _ scene: Scene) throws -> [String: Verdict.Outcome] {
    let verdicts = try judge.verdicts(for: scene.transcript)
    return Dictionary(verdicts.map { ($0.requirement.rawValue, $0.outcome) }) { first, _ in first }
  }

  @Test func conformsWhenEveryClaimHolds() throws {
    let result = try outcomes(Self.judge([Self.oneEvent, Self.noInstall]), Scene(events: [Scene.request("event")]))
    #expect(result == ["R-1": .conforms, "R-2": .conforms])
  }

  /// A request that no server can read shows nothing about other requirements, and neither do the events after it.
  @Test(
    arguments: [
      (
        TranscriptEntry.Event.malformed(
          upstream: "main", connection: 1, reason: "no Host", Octets("POST /event HTTP/1.1\r\nA: b\r\n\r\n".utf8)),
        "one-fitting-host", "no Host"
      ),
      (
        .request(
          upstream: "main",
          RequestRecord(
            connection: 1, line: "POST /event HTTP/1.1", headers: ["Content-Type": "application/json"],
            body: Octets([0x7B, 0, 0x7D, 0]))), "utf-8-body", "the body is not JSON"
      ),
    ] as [(TranscriptEntry.Event, String, String)])
  func aRequestThatNoServerReadsViolatesItsRequirementOnly(
    event: TranscriptEntry.Event, check: String, problem: String
  ) throws {
    let form = Claim(requirement: "R-3", assertion: .check(name: check, with: [:]))
    let claims = [Self.oneEvent, Self.noInstall, form]
    let scene = Scene(events: [event])
    #expect(try outcomes(Self.judge(claims), scene)["R-2"] == .conforms)
    let verdicts = try Self.judge(claims, everyRequest: [form]).verdicts(for: scene.transcript)
    for verdict in verdicts.prefix(2) {
      #expect(verdict.outcome == .unjudged(reason: "no server could read a request: \(problem)"))
      #expect(verdict.cause == "R-3")
    }
    guard case .violates? = verdicts.last?.outcome else {
      Issue.record("R-3 is not violated")
      return
    }
  }

  @Test func allClaimsOfARequirementCountTogether() throws {
    let second = Claim(requirement: "R-1", assertion: .check(name: "never-holds", with: [:]))
    let result = try outcomes(Self.judge([Self.oneEvent, second]), Scene(events: []))
    guard case .violates(let findings) = result["R-1"] else {
      Issue.record("expected a violation, got \(String(describing: result["R-1"]))")
      return
    }
    #expect(findings.count == 2)
  }

  /// A case that did not reach what it is about says nothing, neither for the subject nor against it.
  @Test func aFailedWitnessLeavesEveryClaimUnjudged() throws {
    let judge = Self.judge([Self.oneEvent, Self.noInstall], witness: [.count(requests("install"), is: template(1))])
    for outcome in try outcomes(judge, Scene(events: [])).values {
      guard case .unjudged(let reason) = outcome else {
        Issue.record("unexpected outcome \(outcome)")
        continue
      }
      #expect(reason.contains("expected 1, observed 0"))
    }
  }

  /// If a position is switched off, the kit only records it. A subject that interprets the document differently may never
  /// reach what the case is about.
  @Test(
    arguments: [
      (.observe, .position, true), (.should, .position, false), (.observe, .stated, false),
    ] as [(Requirement.Level, Requirement.Basis, Bool)])
  func aFailedWitnessMakesAnOpenPositionNotApplicable(
    level: Requirement.Level, basis: Requirement.Basis, isOpen: Bool
  ) throws {
    let judge = Self.judge(
      [Self.oneEvent], witness: [.count(requests("install"), is: template(1))],
      requirements: [Self.requirement("R-1", level: level, basis: basis)])
    switch try outcomes(judge, Scene(events: []))["R-1"] {
    case .notApplicable(let reason)?: #expect(isOpen && reason.contains("expected 1, observed 0"))
    case .unjudged?: #expect(!isOpen)
    case let other: Issue.record("unexpected outcome \(String(describing: other))")
    }
  }

  /// A correct answer proves nothing if the control fails. A wrong answer remains a violation.
  @Test func aFailedControlTakesAPassAndNoViolation() throws {
    let judge = Self.judge([Self.oneEvent, Self.noInstall], controls: [.count(requests("event"), is: template(1))])
    let result = try outcomes(judge, Scene(events: []))
    guard case .violates = result["R-1"] else {
      Issue.record("expected a violation, got \(String(describing: result["R-1"]))")
      return
    }
    guard case .unjudged(let reason) = result["R-2"] else {
      Issue.record("expected no judgement, got \(String(describing: result["R-2"]))")
      return
    }
    #expect(reason.contains("a pass proves nothing"))
  }

  @Test func aDeathIsAViolationThoughTheWitnessFailed() throws {
    let survives = Claim(requirement: "R-3", assertion: .survives)
    let judge = Self.judge([survives], witness: [.count(requests("event"), is: template(1))])
    let result = try outcomes(judge, Scene(events: [.process(.signalled(11))]))
    guard case .violates = result["R-3"] else {
      Issue.record("unexpected outcomes \(result)")
      return
    }
  }

  /// A subject that reads the document the other way breaks nothing: the case does not apply to it.
  @Test func aPositionThatIsNotMetMakesOtherRequirementsNotApplicable() throws {
    let requirements = [Self.requirement("R-1", basis: .position), Self.requirement("R-2")]
    let judge = Self.judge([Self.noInstall], assumes: [Self.oneEvent], requirements: requirements)
    guard case .notApplicable(let reason) = try outcomes(judge, Scene(events: []))["R-2"] else {
      Issue.record("expected not applicable")
      return
    }
    #expect(reason.hasPrefix("the subject reads the document otherwise than R-1 does: "))
    #expect(try outcomes(judge, Scene(events: [Scene.request("event")])) == ["R-2": .conforms])
  }

  /// A subject that reads a position in another way can leave a fault unused. Other requirements do not explain that.
  @Test(arguments: [(Requirement.Basis.position, true), (.stated, false)])
  func anUnusedFaultIsExplainedByAPosition(basis: Requirement.Basis, isExplained: Bool) throws {
    let requirements = [Self.requirement("R-1", basis: basis), Self.requirement("R-2")]
    let judge = Self.judge([Self.noInstall], assumes: [Self.oneEvent], requirements: requirements)
    var scene = Scene(events: [])
    scene.ending = .init(.faultUnused, "because")
    switch try outcomes(judge, scene)["R-2"] {
    case .notApplicable: #expect(isExplained)
    case .unjudged(let reason): #expect(!isExplained && reason == "because")
    case let other: Issue.record("\(String(describing: other))")
    }
  }

  /// A server that has had enough of the kit says nothing about what was asked, unless the case asks about that.
  @Test(arguments: [(429, 200, false), (503, 200, true), (429, 429, true)])
  func aServerThatLimitsTheKitIsNotJudged(status: Int, wanted: Int, isViolation: Bool) throws {
    let claim = Claim(
      requirement: "R-1",
      assertion: .returns([
        .init(label: "a", template: template(["status": .int(wanted), "body": ["x": 1]]))
      ]))
    let answer = ResponseRecord(
      connection: 1, line: "HTTP/1.1 \(status) X", headers: [:], body: Octets(Array("{}".utf8)))
    let request = RequestRecord(
      connection: 0, line: "POST /event HTTP/1.1", headers: [:], body: Octets([]), exchange: "event")
    let scene = Scene(events: [
      Scene.began("a"), .sent(label: "a", service: "main", request), .received(label: "a", answer), Scene.ended("a"),
    ])
    switch try outcomes(Self.judge([claim]), scene)["R-1"] {
    case .violates: #expect(isViolation)
    case .unjudged(let reason): #expect(!isViolation && reason.contains("answered 429 (entry 3)"))
    case let other: Issue.record("\(String(describing: other))")
    }
  }

  /// In a case that was cut short, only a surplus is judged, because a missing event might have come later.
  @Test(arguments: [TranscriptEntry.Ending.Kind.timeLimit, .evidenceLimit, .adapterHung, .adapterDied])
  func whatIsTooMuchAlreadyCountsInACaseThatWasCutShort(kind: TranscriptEntry.Ending.Kind) throws {
    func claim(_ id: RequirementID, _ assertion: Claim.Assertion) -> Claim {
      Claim(requirement: id, assertion: assertion)
    }
    func requests(_ exchange: String, before: String? = nil, where filter: JSON? = nil) -> Selector {
      Selector(.request(exchange: exchange), before: before, filter: filter.map { template($0) })
    }
    let claims = [
      claim("tooMany", .count(requests("event", before: "end"), is: template(["$at-least": 1, "$at-most": 2]))),
      claim("notOne", .count(requests("event"), is: template(1))),
      claim("one", .never(requests("event", before: "end"))),
      claim("notYet", .count(requests("event"), is: template(4))),
      claim("enough", .count(requests("event"), is: template(["$at-least": 1]))),
      claim("missing", .count(requests("install"), is: template(1))),
      claim("unanswered", .never(requests("event", where: ["answered": ["$absent": true]]))),
      claim("unansweredOne", .never(requests("event", where: ["$one-of": [["answered": ["$absent": true]]]]))),
      claim("never", .never(requests("install"))),
    ]
    var scene = Scene(
      events: (0..<3).map { _ in Scene.request("event") }, ending: .init(kind, "it took too long"))
    let rules = claims.map { Self.requirement($0.requirement) }
    let red = { (assumes: [Claim]) in
      try outcomes(Self.judge(claims, assumes: assumes, requirements: rules), scene).filter { _, outcome in
        guard case .unjudged(let reason) = outcome else { return true }
        #expect(reason == "it took too long")
        return false
      }.keys.sorted()
    }
    #expect(try red([]) == (kind == .adapterDied ? [] : ["notOne", "one", "tooMany"]))
    #expect(try red([claim("other", .count(requests("install"), is: template(1)))]) == [])
    // Where the clock ran on, the case should have been over long ago.
    scene.clock = .real
    #expect(try red([]) == [])
  }

  @Test func aBrokenAssumptionLeavesOtherRulesUnjudged() throws {
    let judge = Self.judge([Self.oneEvent, Self.noInstall], assumes: [Self.oneEvent])
    #expect(
      try outcomes(judge, Scene(events: [Scene.request("event")])) == ["R-1": .conforms, "R-2": .conforms])
    let result = try outcomes(judge, Scene(events: []))
    guard case .violates = result["R-1"], case .unjudged(let reason) = result["R-2"] else {
      Issue.record("unexpected outcomes \(result)")
      return
    }
    #expect(reason.hasPrefix("R-1 is violated, which this case assumes: "))
  }

  @Test func anAssumptionOfAnotherDialectIsNone() throws {
    var elsewhere = Self.oneEvent
    elsewhere.dialects = ["fancy"]
    let result = try outcomes(Self.judge([Self.noInstall], assumes: [elsewhere]), Scene(events: []))
    #expect(result == ["R-2": .conforms])
  }

  @Test func aDishonestSubjectConformsToNothing() throws {
    var scene = Scene(events: [Scene.request("event")])
    scene.subject.isHonest = false
    let result = try outcomes(Self.judge([Self.oneEvent]), scene)
    guard case .unjudged = result["R-1"] else {
      Issue.record("unexpected outcomes \(result)")
      return
    }
  }

  @Test(arguments: TranscriptEntry.Ending.Kind.allCases.filter { $0 != .completed && $0 != .unsupported })
  func anEarlyEndIsUnjudged(kind: TranscriptEntry.Ending.Kind) throws {
    var scene = Scene(events: [Scene.request("event")])
    scene.ending = .init(kind, "because")
    let result = try outcomes(Self.judge([Self.oneEvent, Self.noInstall]), scene)
    for outcome in result.values {
      guard case .unjudged(let reason) = outcome else {
        Issue.record("\(kind): \(outcome)")
        return
      }
      #expect(reason.contains("because"))
    }
  }

  @Test(arguments: [
    (TranscriptEntry.Process.exited(code: 7), "it exited with code 7"), (.signalled(11), "it died of signal 11"),
  ])
  func aDeathIsJudgedThoughTheCaseStops(process: TranscriptEntry.Process, observed: String) throws {
    let survives = Claim(requirement: "R-3", assertion: .survives)
    var scene = Scene(events: [Scene.request("event"), .process(.started(launch: 1)), .process(process)])
    scene.ending = .init(.adapterDied, "because")
    let result = try outcomes(Self.judge([Self.oneEvent, survives]), scene)
    #expect(result["R-1"] == .unjudged(reason: "because"))
    let death = Finding(subject: "the process", expected: "to go on", observed: observed, entries: [3])
    #expect(result["R-3"] == .violates([death]))
  }

  @Test func whoIsEndedByTheRunnerSurvives() throws {
    let survives = Claim(requirement: "R-3", assertion: .survives)
    let scene = Scene(events: [.process(.started(launch: 1)), .process(.ended(.kill))])
    #expect(try outcomes(Self.judge([survives]), scene) == ["R-3": .conforms])
  }

  @Test func aTranscriptThatWasCutOffIsUnjudged() throws {
    var scene = Scene(events: [Scene.request("event")])
    scene.ending = nil
    let result = try outcomes(Self.judge([Self.oneEvent]), scene)
    #expect(result == ["R-1": .unjudged(reason: "the transcript stops before the case ended")])
  }

  /// Two cases need the capability and claim the same requirement, which the protocol lists for it: the first reports the
  /// lack, the other does not apply, and neither does what is not listed.
  @Test func theLackOfARequiredCapabilityViolatesWhatIsListedOnce() throws {
    func one(_ id: CaseID) -> Case {
      Case(
        id: id, title: "A case", role: "sdk", dialects: ["plain"], needs: ["must-have"],
        scenarios: [.init(steps: [], claims: [Self.oneEvent, Self.noInstall])])
    }
    let requirements = [Self.requirement("R-1"), Self.requirement("R-2")]
    let judge = Judge(
      catalogue: Scene.catalogue([one("some.case"), one("second.case")], requirements: requirements), checks: [:])
    var scene = Scene()
    scene.ending = .init(.unsupported, "must-have")
    let first = try outcomes(judge, scene)
    #expect(first["R-1"] == .violates([.missing(capability: "must-have")]))
    guard case .notApplicable = first["R-2"] else {
      Issue.record("unexpected outcomes \(first)")
      return
    }
    var transcript = scene.transcript
    transcript.header.instance.id = "second.case"
    for verdict in try judge.verdicts(for: transcript) {
      guard case .notApplicable = verdict.outcome else {
        Issue.record("unexpected outcome \(verdict.outcome)")
        continue
      }
    }
  }

  /// An adapter that declares what it then calls unsupported contradicts itself.
  @Test func aDeclaredCapabilityThatIsUnsupportedIsUnjudged() throws {
    var scene = Scene()
    scene.subject.capabilities = ["must-have"]
    scene.ending = .init(.unsupported, "must-have")
    guard case .unjudged(let reason) = try outcomes(Self.judge([Self.oneEvent]), scene)["R-1"] else {
      Issue.record("expected unjudged")
      return
    }
    #expect(reason.contains("declares the capability 'must-have'"))
  }

  @Test func theLackOfAnOptionalCapabilityIsNotApplicable() throws {
    var scene = Scene()
    scene.ending = .init(.unsupported, "may-have")
    guard case .notApplicable(let reason) = try outcomes(Self.judge([Self.oneEvent]), scene)["R-1"] else {
      Issue.record("expected not applicable")
      return
    }
    #expect(reason.contains("may-have"))
  }

  /// An operator can provision what a server lacks, so the reason says what to provision.
  @Test(arguments: [true, false])
  func whatAServerIsNotProvisionedWithIsNotApplicable(isCondition: Bool) throws {
    var scene = Scene()
    if !isCondition { scene.ending = .init(.unsupported, "lent") }
    let requirement = Self.requirement("R-1", condition: isCondition ? "lent" : nil)
    let result = try outcomes(Self.judge([Self.oneEvent], requirements: [requirement]), scene)
    #expect(
      result["R-1"]
        == .notApplicable(
          reason: "the server is not provisioned with 'lent': its provisioning file has to give hooks.makeLink,"
            + " hooks.dropLink, values.key and clientAddressHeader"))
  }

  @Test(arguments: [("events", true), ("may-have", false)])
  func aConditionBindsOnlySubjectsThatDeclareIt(condition: String, binds: Bool) throws {
    let judge = Self.judge([Self.oneEvent], requirements: [Self.requirement("R-1", condition: condition)])
    let result = try outcomes(judge, Scene(events: [Scene.request("event")]))
    #expect((result["R-1"] == .conforms) == binds)
  }

  @Test func claimsOfAnotherDialectAreNotMade() throws {
    let foreign = Claim(requirement: "R-3", dialects: ["other"], assertion: .check(name: "never-holds", with: [:]))
    let result = try outcomes(Self.judge([Self.oneEvent, foreign]), Scene(events: [Scene.request("event")]))
    #expect(result == ["R-1": .conforms])
  }

  @Test func aCaseThatTheCatalogueDoesNotHaveIsAnError() {
    var scene = Scene().transcript
    scene.header.instance.id = "gone.case"
    #expect(throws: Judge.UnknownCase.self) { try Self.judge([]).verdicts(for: scene) }
  }

  @Test func aRequirementThatTheCatalogueDoesNotHaveIsUnjudged() throws {
    let result = try outcomes(Self.judge([Self.oneEvent], requirements: []), Scene(events: [Scene.request("event")]))
    #expect(result == ["R-1": .unjudged(reason: "kit: the catalogue has no requirement R-1")])
  }

  @Test func aMistakeOfTheKitIsUnjudged() throws {
    let mistaken = Claim(requirement: "R-1", assertion: .never(requests("evnt")))
    let result = try outcomes(Self.judge([mistaken, Self.noInstall]), Scene(events: []))
    #expect(
      result == ["R-1": .unjudged(reason: "kit: the catalogue has no exchange 'evnt'"), "R-2": .conforms])
    let witness = Self.judge([Self.noInstall], witness: [.check(name: "gone", with: [:])])
    #expect(
      try outcomes(witness, Scene(events: [])) == ["R-2": .unjudged(reason: "kit: there is no check 'gone'")])
  }

  @Test func theEvidenceOfAnotherTextIsUnjudged() throws {
    let survives = Claim(requirement: "R-3", assertion: .survives)
    let judge = Self.judge([Self.oneEvent, survives], digest: "new")
    var transcript = Scene(events: [Scene.request("event"), .process(.signalled(11))]).transcript
    transcript.header.caseDigest = "old"
    let reason = "the text of the case is another one now than when this was recorded; run it again"
    #expect(
      try judge.verdicts(for: transcript).map(\.outcome) == [.unjudged(reason: reason), .unjudged(reason: reason)])
    transcript.header.caseDigest = "new"
    let outcomes = try judge.verdicts(for: transcript).map(\.outcome)
    #expect(outcomes.first == .conforms)
    #expect(outcomes.last != .unjudged(reason: reason))
  }

  @Test func aStateThatWasNotReachedIsNamedWithItsRules() throws {
    let state = Case.Precondition(
      state: "installed", requirements: ["R-8", "R-9"], steps: [], holds: [.count(requests("install"), is: template(1))]
    )
    let judge = Self.judge([Self.oneEvent], given: [state])
    let missed = try outcomes(judge, Scene(events: []))
    #expect(
      missed == [
        "R-1": .unjudged(
          reason: "the state 'installed' was not reached (R-8, R-9): install requests: expected 1, observed 0")
      ])
    let reached = Scene(events: [Scene.request("install"), Scene.request("event")])
    #expect(try outcomes(judge, reached) == ["R-1": .conforms])
  }

  @Test func aStateThatNobodyCanTellIsAMistakeOfTheKit() throws {
    let state = Case.Precondition(
      state: "installed", requirements: [], steps: [], holds: [.never(requests("event", after: "gone"))])
    let result = try outcomes(Self.judge([Self.oneEvent], given: [state]), Scene(events: []))
    guard case .unjudged(let reason) = result["R-1"] else {
      Issue.record("unexpected outcomes \(result)")
      return
    }
    #expect(reason.hasPrefix("kit: "))
  }
}
