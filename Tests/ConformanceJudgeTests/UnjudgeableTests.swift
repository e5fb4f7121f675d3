import ConformanceModel
import JSONKit
import Testing

@testable import ConformanceJudge

/// What names something that is not there says nothing of the subject.
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
    (.never(requests("event", where: lost)), "${gone.id} refers to a step that came to nothing in the transcript"),
    (
      .matches(requests("event"), which: .each, is: lost),
      "${gone.id} refers to a step that came to nothing in the transcript"
    ),
    (
      .returns([.init(label: "gone", template: template("${:any}"))]), "step 'gone' came to nothing in the transcript"
    ),
    (
      .equal([.init(origin: .returned("gone")), .init(origin: .returned("gone"))]),
      "step 'gone' came to nothing in the transcript"
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
}
