import ConformanceModel
import JSONKit
import Testing

@testable import ConformanceBench

/// How an upstream decides: a fault before a script before the server, each as often as the case says.
@Suite struct UpstreamModelTests {
  /// What is armed, and what each of the events then meets: the fault's word, or `-`.
  struct FaultRow: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var fault: Fault
    var requests = Array(repeating: Sample.event(), count: 4)
    var meets: String
  }

  private static let faultRows = [
    FaultRow(testDescription: "until healed", fault: Fault(.drop), meets: "drop drop drop drop"),
    FaultRow(testDescription: "so many times", fault: Fault(.drop, times: 2), meets: "drop drop - -"),
    FaultRow(testDescription: "never", fault: Fault(.drop, times: 0), meets: "- - - -"),
    FaultRow(testDescription: "after some", fault: Fault(.hang, skip: 3), meets: "- - - hang"),
    FaultRow(testDescription: "after some, once", fault: Fault(.status(500), skip: 1, times: 1), meets: "- status - -"),
    FaultRow(
      testDescription: "of an exchange", fault: Fault(.drop, exchange: "lookup"),
      requests: [Sample.event(), Sample.record("GET /items/1"), Sample.record("GET /nowhere")], meets: "- drop -"),
    FaultRow(
      testDescription: "of those that match", fault: Fault(.drop, filter: template(["body": ["name": "b"]])),
      requests: ["a", "b", "c", "b"].map { Sample.event($0) }, meets: "- drop - drop"),
    FaultRow(
      testDescription: "those that do not match do not count",
      fault: Fault(.drop, filter: template(["body": ["name": "b"]]), skip: 1, times: 1),
      requests: ["b", "a", "b", "b"].map { Sample.event($0) }, meets: "- - drop -"),
    FaultRow(
      testDescription: "of strangers too, when no exchange is named", fault: Fault(.drop),
      requests: [Sample.record("GET /nowhere")], meets: "drop"),
    FaultRow(
      testDescription: "a refusal is the port's, not an answer", fault: Fault(.refuse),
      requests: [Sample.event()], meets: "-"),
  ]

  @Test(arguments: faultRows)
  func aFaultFiresAsOftenAsItSays(row: FaultRow) throws {
    var upstream = Sample.upstream()
    upstream.arm(row.fault)
    let met = try row.requests.map { try upstream.decide($0, now: 0).fault?.word ?? "-" }
    #expect(met.joined(separator: " ") == row.meets)
  }

  @Test func theFaultArmedLastComesFirstAndGivesWayWhenItIsUsedUp() throws {
    var upstream = Sample.upstream()
    upstream.arm(Fault(.drop))
    upstream.arm(Fault(.hang, times: 1))
    let met = try (1...3).map { _ in try upstream.decide(Sample.event(), now: 0).fault?.word }
    #expect(met == ["hang", "drop", "drop"])
  }

  /// What is healed, and which of the two faults is still met: that of events, and that of every request.
  @Test(
    arguments: [
      (nil, nil, nil), ("event", "hang", "hang"), ("lookup", "drop", "hang"), ("nothing", "drop", "hang"),
    ] as [(String?, String?, String?)])
  func healingEndsTheFaultsOfAnExchangeOrAll(exchange: String?, event: String?, lookup: String?) throws {
    var upstream = Sample.upstream()
    upstream.arm(Fault(.hang))
    upstream.arm(Fault(.drop, exchange: "event"))
    upstream.heal(exchange: exchange)
    #expect(try upstream.decide(Sample.event(), now: 0).fault?.word == event)
    #expect(try upstream.decide(Sample.record("GET /items/1"), now: 0).fault?.word == lookup)
  }

  @Test func aFaultThatNeverFiredStaysKnownAndARefusalDoesNotCount() throws {
    var upstream = Sample.upstream()
    upstream.arm(Fault(.drop, times: 1))
    upstream.arm(Fault(.refuse))
    upstream.arm(Fault(.hang, exchange: "lookup"))
    _ = try upstream.decide(Sample.event(), now: 0)
    upstream.heal(exchange: nil)
    #expect(upstream.unusedFaults.map(\.kind.word) == ["hang"])
  }

  @Test func scriptsRunOutAndTheOlderOneThenTheServerGoOn() throws {
    var upstream = Sample.upstream()
    upstream.script(.init(exchange: "event", response: "moved", times: 2), bindings: [:])
    upstream.script(
      .init(exchange: "event", response: "stored", with: template(["id": "${round}"]), times: 1),
      bindings: ["round": "r7"])
    let answers = try (1...4).map { _ in try upstream.decide(Sample.event(), now: 0).response }
    #expect(answers.map(\.status) == [201, 404, 404, 200])
    #expect(String(decoding: answers[0].body, as: UTF8.self) == #"{"id":"r7"}"#)
  }

  @Test func aScriptIsBentByItsEditsAndItsStatus() throws {
    var upstream = Sample.upstream()
    let edits = [
      Step.Edit(path: JSONPath([.key("id")]), value: nil),
      Step.Edit(path: JSONPath([.key("more")]), value: template(["${n}"])),
    ]
    upstream.script(
      .init(exchange: "event", response: "stored", with: template(["id": "x"]), edits: edits, status: 299),
      bindings: ["n": 3])
    let answer = try upstream.decide(Sample.event(), now: 0).response
    #expect(answer.status == 299)
    #expect(String(decoding: answer.body, as: UTF8.self) == #"{"more":[3]}"#)
  }

  @Test func aScriptWithAHoleThatNothingFillsIsAnError() {
    var upstream = Sample.upstream()
    upstream.script(.init(exchange: "event", response: "stored"), bindings: [:])
    #expect(throws: Template.RenderError.self) { try upstream.decide(Sample.event(), now: 0) }
  }

  /// A fault goes before a script, a script before the server; only a fault that bends an answer uses the script up.
  @Test(
    arguments: [
      (nil, 201, nil), (Fault.Kind.drop, 200, 201), (.status(500), 200, 201), (.reset(afterBytes: 0), 200, 201),
      (.reset(afterBytes: 3), 201, 200), (.truncate(bytes: 1), 201, 200), (.delay(.seconds(1)), 201, 200),
    ] as [(Fault.Kind?, Int, Int?)])
  func faultBeforeScriptBeforeServer(kind: Fault.Kind?, status: Int, next: Int?) throws {
    var upstream = Sample.upstream()
    upstream.script(
      .init(exchange: "event", response: "stored", with: template(["id": 1]), times: 1), bindings: [:])
    if let kind { upstream.arm(Fault(kind, times: 1)) }
    let first = try upstream.decide(Sample.event(), now: 0)
    #expect(first.fault == kind)
    #expect(first.response.status == status)
    if let next { #expect(try upstream.decide(Sample.event(), now: 0).response.status == next) }
  }

  @Test(arguments: [("/sub/event", "/event"), ("/event", "/event"), ("/sub/other?q=/sub", "/other?q=/sub")])
  func theServerDoesNotSeeTheMount(sent: String, seen: String) throws {
    var upstream = Sample.upstream(mount: "/sub")
    let answer = try upstream.decide(Sample.record("PUT \(sent)"), now: 5).response
    #expect(String(decoding: answer.body, as: UTF8.self) == #"{"number":1,"target":"\#(seen)","now":5}"#)
  }
}
