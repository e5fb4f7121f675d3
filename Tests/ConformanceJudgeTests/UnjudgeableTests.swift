import ConformanceModel
import ConformanceTranscript
import HTTPValues
import JSONKit
import Testing

@testable import ConformanceJudge

/// An assertion that names a missing thing is a mistake of the kit and gives no verdict on the subject.
@Suite struct UnjudgeableTests {
  private static let lost = template(["body": ["id": "${gone.id}"]])

  static let rows: [(Claim.Assertion, String)] = [
    (
      .never(requests("event", after: "gone")),
      "event requests after 'gone': no step 'gone' of the transcript bounds the window"
    ),
    (
      .never(requests("event", before: "gone")),
      "event requests before 'gone': no step 'gone' of the transcript bounds the window"
    ),
    (.never(Selector(.step(label: "gone"))), "the transcript has no step 'gone'"),
    (.never(requests("evnt")), "the catalogue has no exchange 'evnt'"),
    (.never(Selector(.response(exchange: "evnt"))), "the catalogue has no exchange 'evnt'"),
    (.never(requests("event", where: lost)), "the transcript has no step 'gone'"),
    (
      .matches(requests("event"), which: .each, is: lost),
      "the transcript has no step 'gone'"
    ),
    (
      .returns([.init(label: "gone", template: template("${:any}"))]), "the transcript has no step 'gone'"
    ),
    (
      .equal([.init(origin: .returned("gone")), .init(origin: .returned("gone"))]),
      "the transcript has no step 'gone'"
    ),
    (.check(name: "gone", with: [:]), "there is no check 'gone'"),
    (.check(name: "text-nowhere", with: ["text": "x"]), "the check 'text-nowhere': it needs text and in in `with`"),
    (.golden(Selector(.response(exchange: "event"))), "golden is about requests, not event responses"),
    (.atOnce(Selector(.closed), is: template(1)), "at-once is about requests, not closed connections"),
    (.anyOf([.check(name: "gone", with: [:]), .survives]), "there is no check 'gone'"),
  ]

  @Test(arguments: rows) func isThrown(assertion: Claim.Assertion, text: String) {
    let scene = Scene(events: [Scene.request("event")])
    let mistake = #expect(throws: Unjudgeable.self) { try scene.evaluator.findings(of: assertion) }
    #expect(mistake?.description == "kit: \(text)")
  }

  @Test(
    arguments: [
      .never(requests("event", where: lost)), .returns([.init(label: "gone", template: template("${:any}"))]),
      .equal([.init(origin: .returned("gone")), .init(origin: .returned("gone"))]),
    ] as [Claim.Assertion])
  func aStepThatWasPlayedAndSawNothingIsNoMistakeOfTheKit(assertion: Claim.Assertion) {
    let mark = TranscriptEntry.StepMark(place: "1", word: "await", label: "gone")
    let scene = Scene(events: [.stepBegan(mark), .stepEnded(mark), Scene.request("event")])
    let lack = #expect(throws: Unjudgeable.self) { try scene.evaluator.findings(of: assertion) }
    #expect(
      lack?.description == "the case did not reach what it is about: step 'gone' saw nothing of what it waits for")
    #expect(lack?.leavesOthers == true)
  }

  /// Whether something had to come is for the claim that wants it.
  @Test func anOrderSaysNothingOfWhatNeverCame() {
    let scene = Scene(events: [Scene.request("event")])
    let lack = #expect(throws: Unjudgeable.self) {
      try scene.evaluator.findings(of: .order([requests("install"), requests("event")]))
    }
    #expect(
      lack?.description
        == "the case did not reach what it is about: of an order of observations, install requests never came")
    #expect(lack?.leavesOthers == true)
  }

  /// A server that gave no answer gave none of the forbidden kind.
  @Test(arguments: ["status", "body"])
  func whatIsForbiddenOfAnAnswerHoldsWithoutOne(member: String) throws {
    let request = RequestRecord(
      connection: 0, line: "POST /event HTTP/1.1", headers: [:], body: Octets([]), exchange: "event")
    let scene = Scene(events: [
      Scene.began("a"), .sent(label: "a", service: "main", request),
      .failed(label: "a", .init(.closed, "the connection ended")), Scene.ended("a"),
    ])
    let forbidden = Claim.Assertion.returns([
      .init(label: "a", template: template(.object([member: ["$not": 200]])))
    ])
    #expect(try scene.evaluator.findings(of: forbidden).isEmpty)
    let wanted = Claim.Assertion.returns([
      .init(label: "a", template: template(.object([member: 200])))
    ])
    #expect(try !scene.evaluator.findings(of: wanted).isEmpty)
  }
}
