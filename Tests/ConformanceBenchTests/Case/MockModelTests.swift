import ConformanceModel
import ConformanceTranscript
import JSONKit
import Templates
import Testing

@testable import ConformanceBench
@testable import MockServices
@testable import Recording
@testable import Subjects

/// The decisions of the mock: a fault before a script before the server, each for the number of times in the case.
@Suite struct MockModelTests {
  /// An armed fault, and the fault's word for each request, or `-` without a fault.
  struct FaultRow: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var fault: Fault
    var requests = Array(repeating: Sample.event(), count: 4)
    var meets: String
  }

  private static let faultRows = [
    FaultRow(testDescription: "until healed", fault: Fault(.drop(serverActs: false)), meets: "drop drop drop drop"),
    FaultRow(
      testDescription: "so many times", fault: Fault(.drop(serverActs: false), times: 2), meets: "drop drop - -"),
    FaultRow(testDescription: "never", fault: Fault(.drop(serverActs: false), times: 0), meets: "- - - -"),
    FaultRow(testDescription: "after some", fault: Fault(.hang, skip: 3), meets: "- - - hang"),
    FaultRow(testDescription: "after some, once", fault: Fault(.status(500), skip: 1, times: 1), meets: "- status - -"),
    FaultRow(
      testDescription: "of an exchange", fault: Fault(.drop(serverActs: false), exchange: "lookup"),
      requests: [Sample.event(), Sample.record("GET /items/1"), Sample.record("GET /nowhere")], meets: "- drop -"),
    FaultRow(
      testDescription: "of those that match",
      fault: Fault(.drop(serverActs: false), filter: template(["body": ["name": "b"]])),
      requests: ["a", "b", "c", "b"].map { Sample.event($0) }, meets: "- drop - drop"),
    FaultRow(
      testDescription: "those that do not match do not count",
      fault: Fault(.drop(serverActs: false), filter: template(["body": ["name": "b"]]), skip: 1, times: 1),
      requests: ["b", "a", "b", "b"].map { Sample.event($0) }, meets: "- - drop -"),
    FaultRow(
      testDescription: "of strangers too, when no exchange is named", fault: Fault(.drop(serverActs: false)),
      requests: [Sample.record("GET /nowhere")], meets: "drop"),
    FaultRow(
      testDescription: "a refusal is the port's, not an answer", fault: Fault(.refuse),
      requests: [Sample.event()], meets: "-"),
  ]

  @Test(arguments: faultRows)
  func aFaultFiresAsOftenAsItSays(row: FaultRow) throws {
    var mock = Sample.mock()
    mock.arm(row.fault)
    let met = try row.requests.map { try mock.decide($0, at: Sample.main, now: 0).fault?.word ?? "-" }
    #expect(met.joined(separator: " ") == row.meets)
  }

  /// A lenient server answers a request that nearly fits an exchange, and faults of that exchange apply. Others refuse
  /// it.
  @Test(arguments: [(true, "/event", "hang"), (false, "/events", "-")])
  func whatIsAskedAlmostRightlyIsAnsweredWhereTheServerForgives(isLenient: Bool, target: String, meets: String) throws {
    var mock = Sample.mock(isLenient: isLenient)
    let slip = Sample.record("POST /events", ["name": "b"])
    let response = try mock.decide(slip, at: Sample.main, now: 0).response
    #expect(try JSON(parsing: response.body)["target"] == .string(target))
    mock.arm(Fault(.hang, exchange: "event"))
    #expect(try mock.decide(slip, at: Sample.main, now: 0).fault?.word ?? "-" == meets)
  }

  @Test func theFaultArmedLastComesFirstAndGivesWayWhenItIsUsedUp() throws {
    var mock = Sample.mock()
    mock.arm(Fault(.drop(serverActs: false)))
    mock.arm(Fault(.hang, times: 1))
    let met = try (1...3).map { _ in try mock.decide(Sample.event(), at: Sample.main, now: 0).fault?.word }
    #expect(met == ["hang", "drop", "drop"])
  }

  /// The healed scope, and which of the two faults is left for an event and for a lookup.
  @Test(
    arguments: [
      (nil, nil, nil), ("event", "hang", "hang"), ("lookup", "drop", "hang"), ("nothing", "drop", "hang"),
    ] as [(String?, String?, String?)])
  func healingEndsTheFaultsOfAnExchangeOrAll(exchange: String?, event: String?, lookup: String?) throws {
    var mock = Sample.mock()
    mock.arm(Fault(.hang))
    mock.arm(Fault(.drop(serverActs: false), exchange: "event"))
    _ = mock.heal(.init(exchange: exchange))
    #expect(try mock.decide(Sample.event(), at: Sample.main, now: 0).fault?.word == event)
    #expect(try mock.decide(Sample.record("GET /items/1"), at: Sample.main, now: 0).fault?.word == lookup)
  }

  @Test func aFaultThatNeverFiredStaysKnownAndARefusalDoesNotCount() throws {
    var mock = Sample.mock()
    mock.arm(Fault(.drop(serverActs: false), times: 1))
    mock.arm(Fault(.refuse))
    mock.arm(Fault(.hang, exchange: "lookup"))
    _ = try mock.decide(Sample.event(), at: Sample.main, now: 0)
    _ = mock.heal(.init())
    #expect(mock.unusedFaults.map(\.kind.word) == ["hang"])
  }

  /// The outcome of a handshake may be reported after the certificate is healed. It counts for the healed fault, and
  /// not for one that is armed later.
  @Test func whatAHealedServiceHasMetIsHeardOfLate() {
    var mock = Sample.mock()
    mock.arm(Fault(.tls(.expired), at: Sample.main))
    _ = mock.heal(.init(at: Sample.main))
    mock.noteFired("tls", at: Sample.other)
    #expect(mock.unusedFaults.count == 1)
    mock.noteFired("tls", at: Sample.main)
    #expect(mock.unusedFaults.isEmpty)
    mock.arm(Fault(.tls(.expired), at: Sample.main))
    #expect(mock.unusedFaults.count == 1)
  }

  @Test func scriptsRunOutAndTheOlderOneThenTheServerGoOn() throws {
    var mock = Sample.mock()
    try mock.script(.init(exchange: "event", response: "moved", times: 2), bindings: [:])
    try mock.script(
      .init(exchange: "event", response: "stored", with: template(["id": "${round}"]), times: 1),
      bindings: ["round": "r7"])
    let answers = try (1...4).map { _ in try mock.decide(Sample.event(), at: Sample.main, now: 0).response }
    #expect(answers.map(\.status) == [201, 404, 404, 200])
    #expect(String(decoding: answers[0].body, as: UTF8.self) == #"{"id":"r7"}"#)
  }

  @Test func aScriptIsBentByItsEditsAndItsStatus() throws {
    var mock = Sample.mock()
    let edits = [
      Step.Edit(path: JSONPath([.key("id")]), value: nil),
      Step.Edit(path: JSONPath([.key("more")]), value: template(["${n}"])),
    ]
    try mock.script(
      .init(exchange: "event", response: "stored", with: template(["id": "x"]), edits: edits, status: 299),
      bindings: ["n": 3])
    let answer = try mock.decide(Sample.event(), at: Sample.main, now: 0).response
    #expect(answer.status == 299)
    #expect(String(decoding: answer.body, as: UTF8.self) == #"{"more":[3]}"#)
  }

  @Test func aScriptWithAHoleThatNothingFillsIsAnError() throws {
    var mock = Sample.mock()
    try mock.script(.init(exchange: "event", response: "stored"), bindings: [:])
    #expect(throws: Template.RenderError.self) { try mock.decide(Sample.event(), at: Sample.main, now: 0) }
  }

  /// A fault comes before a script, and a script before the server. Only a fault that changes an answer uses up the
  /// script.
  @Test(
    arguments: [
      (nil, 201, nil), (Fault.Kind.drop(serverActs: false), 200, 201), (.status(500), 200, 201),
      (.reset(afterBytes: 0), 200, 201),
      (.reset(afterBytes: 3), 201, 200), (.truncate(bytes: 1), 201, 200), (.delay(.seconds(1)), 201, 200),
    ] as [(Fault.Kind?, Int, Int?)])
  func faultBeforeScriptBeforeServer(kind: Fault.Kind?, status: Int, next: Int?) throws {
    var mock = Sample.mock()
    try mock.script(
      .init(exchange: "event", response: "stored", with: template(["id": 1]), times: 1), bindings: [:])
    if let kind { mock.arm(Fault(kind, times: 1)) }
    let first = try mock.decide(Sample.event(), at: Sample.main, now: 0)
    #expect(first.fault == kind)
    #expect(first.response.status == status)
    if let next { #expect(try mock.decide(Sample.event(), at: Sample.main, now: 0).response.status == next) }
  }

  @Test(arguments: [("/sub/event", "/event"), ("/event", "/event"), ("/sub/other?q=/sub", "/other?q=/sub")])
  func theServerDoesNotSeeTheMount(sent: String, seen: String) throws {
    var mock = Sample.mock(mount: "/sub")
    let answer = try mock.decide(Sample.record("PUT \(sent)"), at: Sample.main, now: 5).response
    #expect(String(decoding: answer.body, as: UTF8.self) == #"{"number":1,"target":"\#(seen)","now":5}"#)
  }
}

extension MockModel {
  /// The decision about a request, as a port would read it.
  mutating func decide(_ record: RequestRecord, at service: ServiceName, now: Int) throws -> Decision {
    try decide(book.read(record, at: service), at: service, now: now)
  }
}
