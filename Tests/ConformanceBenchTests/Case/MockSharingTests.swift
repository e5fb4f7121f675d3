import ConformanceModel
import JSONKit
import Testing

@testable import MockServices

/// One model behind several services: the shared parts, and the separate ones.
@Suite struct MockSharingTests {
  private static let note = Sample.record("POST /notes")

  private func number(_ decision: MockModel.Decision) throws -> Int? {
    try JSON(parsing: decision.response.body)["number"]?.int
  }

  @Test func allServicesShareOneServer() throws {
    var mock = Sample.mock()
    let first = try mock.decide(Sample.event(), at: Sample.main, now: 0)
    let second = try mock.decide(Self.note, at: Sample.other, now: 0)
    #expect(try [number(first), number(second)] == [1, 2])
  }

  /// A fault, and its effect on a request at each of the two services.
  @Test(
    arguments: [
      (Fault(.hang), "hang", "hang"), (Fault(.hang, at: Sample.other), nil, "hang"),
      (Fault(.hang, at: Sample.main), "hang", nil), (Fault(.hang, exchange: "note"), nil, "hang"),
      (Fault(.hang, at: Sample.main, exchange: "note"), nil, nil),
    ] as [(Fault, String?, String?)])
  func aFaultIsAtItsServiceOrThatOfItsExchange(fault: Fault, main: String?, other: String?) throws {
    var mock = Sample.mock()
    mock.arm(fault)
    #expect(try mock.decide(Sample.event(), at: Sample.main, now: 0).fault?.word == main)
    #expect(try mock.decide(Self.note, at: Sample.other, now: 0).fault?.word == other)
  }

  @Test func faultsOfAServiceAreHealedAlone() throws {
    var mock = Sample.mock()
    mock.arm(Fault(.hang, at: Sample.main))
    mock.arm(Fault(.hang, exchange: "note"))
    #expect(mock.heal(.init(at: Sample.other)) == [1])
    #expect(try mock.decide(Sample.event(), at: Sample.main, now: 0).fault != nil)
    #expect(try mock.decide(Self.note, at: Sample.other, now: 0).fault == nil)
  }

  @Test func answersThatAreHeldWaitForSoMany() throws {
    var mock = Sample.mock()
    mock.arm(Fault(.hold(until: 3), exchange: "event"))
    let held = try (1...4).map { _ in try mock.decide(Sample.event(), at: Sample.main, now: 0) }
    #expect(held.map(\.barrier) == [0, 0, 0, 0])
    #expect(held.map(\.opensBarrier) == [false, false, true, true])
    #expect(try held.map(number) == [1, 2, 3, 4])
    #expect(mock.barriers(of: .init(exchange: "event")) == [0])
    #expect(mock.barriers(of: .init(at: Sample.other)) == [])
  }

  @Test(arguments: [true, false])
  func aServerMayHaveActedBeforeTheAnswerIsDropped(acts: Bool) throws {
    var mock = Sample.mock()
    mock.arm(Fault(.drop(serverActs: acts), times: 1))
    _ = try mock.decide(Sample.event(), at: Sample.main, now: 0)
    #expect(try number(mock.decide(Sample.event(), at: Sample.main, now: 0)) == (acts ? 2 : 1))
  }

  @Test func aFilterOfAFaultMayReferToWhatStepsCameTo() throws {
    var mock = Sample.mock()
    mock.arm(Fault(.hang, filter: template(["body": ["name": "${told.name}"]])), bindings: ["told": ["name": "b"]])
    let met = try ["a", "b"].map { try mock.decide(Sample.event($0), at: Sample.main, now: 0).fault?.word }
    #expect(met == [nil, "hang"])
  }

  @Test func anAnswerChoosesItsRequestsAndBendsItsHeaders() throws {
    var mock = Sample.mock()
    try mock.script(
      .init(
        exchange: "event", response: "stored", filter: template(["body": ["name": "${wanted}"]]),
        with: template(["id": 1]), headers: ["Content-Type": nil, "X-More": template("${wanted}")]),
      bindings: ["wanted": "b"])
    let answers = try ["a", "b"].map { try mock.decide(Sample.event($0), at: Sample.main, now: 0).response }
    #expect(answers.map(\.status) == [200, 201])
    #expect(answers[1].headers["X-More"] == "b")
    #expect(answers[1].headers["Content-Type"] == nil)
  }

  @Test func aResponseThatTheDialectLacksIsAMistakeOfTheCase() throws {
    var mock = Sample.mock(dialect: "lacking")
    let failure = #expect(throws: MockModel.ScriptFailure.self) {
      try mock.script(.init(exchange: "event", response: "stored"), bindings: [:])
    }
    #expect(failure?.description == "'event' has no response 'stored' in the dialect lacking")
    try mock.script(.init(exchange: "event", response: "moved"), bindings: [:])
    #expect(try mock.decide(Sample.event(), at: Sample.main, now: 0).response.status == 404)
  }
}
