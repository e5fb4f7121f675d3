import ConformanceModel
import ConformanceTranscript
import HTTPValues
import JSONKit
import Testing

@testable import ConformanceJudge

/// One assertion against one scene: it holds, or it differs in these words.
struct AssertionExample: Sendable, CustomTestStringConvertible {
  var name: String
  var events: [TranscriptEntry.Event]
  var assertion: Claim.Assertion
  var findings: [String]

  var testDescription: String { name }
}

private let two = [Scene.request("event", ["name": "a"]), Scene.request("event", ["name": "b"])]
private let session = [
  Scene.began("first"), Scene.call(1, "initialize", "first"), Scene.request("install", ["window": 168]),
  Scene.reply(1, ["installId": "i-1"]), Scene.ended("first"), Scene.request("event", ["installId": "i-1"]),
]

@Suite struct AssertionEvaluatorTests {
  @Test(arguments: counting + shapes + sequences + outcomes + callbacks)
  func assertion(_ example: AssertionExample) throws {
    let scene = Scene(events: example.events)
    #expect(try scene.evaluator.findings(of: example.assertion).map(\.description) == example.findings)
  }

  static let counting: [AssertionExample] = [
    .init(name: "count holds", events: two, assertion: .count(requests("event"), is: template(2)), findings: []),
    .init(
      name: "count differs", events: two, assertion: .count(requests("event"), is: template(1)),
      findings: ["event requests: expected 1, observed 2 (entries 1, 2)"]),
    .init(
      name: "count of another exchange", events: two, assertion: .count(requests("install"), is: template(1)),
      findings: ["install requests: expected 1, observed 0"]),
    .init(name: "count of any", events: two, assertion: .count(requests("any"), is: template(2)), findings: []),
    .init(
      name: "count with a filter shows what came instead", events: two,
      assertion: .count(requests("event", where: template(["body": ["name": "c"]])), is: template(1)),
      findings: [
        #"event requests whose body.name is "c": expected 1, observed 0; 2 came near: $.body.name expected "c", "#
          + #"observed "a" (entries 1, 2)"#
      ]),
    .init(name: "never holds", events: two, assertion: .never(requests("install")), findings: []),
    .init(
      name: "never differs", events: two, assertion: .never(requests("event")),
      findings: ["event requests: expected none, observed 2 (entries 1, 2)"]),
    .init(
      name: "never after", events: session, assertion: .never(requests("install", after: "first")), findings: []),
    .init(
      name: "count before", events: session, assertion: .count(requests("event", before: "first"), is: template(1)),
      findings: ["event requests before 'first': expected 1, observed 0 (entry 6)"]),
    .init(
      name: "requests at another upstream are others",
      events: [Scene.request("event", upstream: "decoy")], assertion: .never(requests("event", at: "main")),
      findings: []),
    .init(
      name: "without a service requests at all count", events: [Scene.request("event", upstream: "decoy")],
      assertion: .count(requests("event"), is: template(1)), findings: []),
  ]

  static let shapes: [AssertionExample] = [
    .init(
      name: "matches holds", events: two,
      assertion: .matches(
        requests("event"), which: .each, is: template(["method": "POST", "body": ["name": "${:text}"]])),
      findings: []),
    .init(
      name: "matches each", events: two,
      assertion: .matches(requests("event"), which: .each, is: template(["body": ["name": "a"]])),
      findings: ["event request $.body.name: expected \"a\", observed \"b\" (entry 2)"]),
    .init(
      name: "matches first", events: two,
      assertion: .matches(requests("event"), which: .first, is: template(["body": ["name": "a"]])), findings: []),
    .init(
      name: "matches last", events: two,
      assertion: .matches(requests("event"), which: .last, is: template(["body": ["name": "a"]])),
      findings: ["event request $.body.name: expected \"a\", observed \"b\" (entry 2)"]),
    .init(
      name: "matches nothing", events: [],
      assertion: .matches(requests("event"), which: .each, is: template([:])),
      findings: ["event requests: expected at least one, observed none"]),
    .init(
      name: "matches headers and query", events: [two[0]],
      assertion: .matches(
        requests("event"), which: .each,
        is: template(["headers": ["x-one": "1"], "query": ["q": "1"], "path": "/event"])),
      findings: []),
    .init(
      name: "a request that was answered", events: [two[0], Scene.response(200)],
      assertion: .matches(requests("event"), which: .each, is: template(["answered": 200])), findings: []),
    .init(
      name: "a request whose answer was broken off",
      events: [two[0], .fault(upstream: "main", connection: 1, kind: "truncate"), Scene.response(200)],
      assertion: .matches(requests("event"), which: .each, is: template(["answered": 200])),
      findings: ["event request $.answered: expected 200, observed nothing (entry 1)"]),
  ]

  static let sequences: [AssertionExample] = [
    .init(
      name: "order holds", events: session, assertion: .order([requests("install"), requests("event")]), findings: []),
    .init(
      name: "order differs", events: session, assertion: .order([requests("event"), requests("install")]),
      findings: ["order: expected event requests before install requests, observed the other way round (entries 3, 6)"]),
    .init(
      name: "gap holds", events: session,
      assertion: .gap(from: requests("install"), to: requests("event"), is: template(3)), findings: []),
    .init(
      name: "gap differs", events: session,
      assertion: .gap(from: requests("install"), to: requests("event"), is: template(["$at-least": 4])),
      findings: [
        "time from install requests to event requests: expected at least 4 ms, observed 3 ms (entries 3, 6)"
      ]),
    .init(
      name: "equal holds", events: session,
      assertion: .equal([
        .init(origin: .returned("first"), path: path("$.installId")),
        .init(origin: .observed(requests("event")), path: path("$.body.installId")),
      ]), findings: []),
    .init(
      name: "equal differs", events: session,
      assertion: .equal([
        .init(origin: .returned("first"), path: path("$.installId")),
        .init(origin: .observed(requests("install")), path: path("$.body.window")),
      ]),
      findings: [
        "install request $.body.window: expected \"i-1\", as in initialize 'first', observed 168 (entries 2, 4, 3)"
      ]),
    .init(
      name: "equal of nothing proves nothing", events: session,
      assertion: .equal([
        .init(origin: .returned("first"), path: path("$.missing")),
        .init(origin: .returned("first"), path: path("$.missing")),
      ]),
      findings: ["initialize 'first' $.missing: expected a value, observed nothing (entries 2, 4)"]),
  ]

  static let outcomes: [AssertionExample] = [
    .init(
      name: "returns holds", events: session,
      assertion: .returns([.init(label: "first", template: template(["installId": "${:text}"]))]), findings: []),
    .init(
      name: "returns differs", events: session,
      assertion: .returns([.init(label: "first", template: template(["installId": "i-2"]))]),
      findings: ["initialize 'first' $.installId: expected \"i-2\", observed \"i-1\" (entries 2, 4)"]),
    .init(
      name: "fails with the kind", events: [Scene.call(1, "initialize", "x"), Scene.failure(1, "network")],
      assertion: .returns([.init(label: "x", template: template(["$fails": "network"]))]), findings: []),
    .init(
      name: "fails with another kind", events: [Scene.call(1, "initialize", "x"), Scene.failure(1, "network")],
      assertion: .returns([.init(label: "x", template: template(["$fails": "timeout"]))]),
      findings: [
        "initialize 'x': expected an error of kind \"timeout\", observed the error {\"kind\":\"network\"} (entries 1, 2)"
      ]),
    .init(
      name: "fails with a status",
      events: [Scene.call(1, "createLink", "x"), Scene.failure(1, "serverError", status: 409)],
      assertion: .returns([
        .init(label: "x", template: template(["$fails": ["kind": "serverError", "status": 409]]))
      ]), findings: []),
    .init(
      name: "fails although it succeeded", events: session,
      assertion: .returns([.init(label: "first", template: template(["$fails": "${:any}"]))]),
      findings: ["initialize 'first': expected an error, observed {\"installId\":\"i-1\"} (entries 2, 4)"]),
  ]

  static let callbacks: [AssertionExample] = [
    .init(
      name: "called back with null", events: [.callback(handle: "d", value: .null)],
      assertion: .calledBack(Selector(.callback(handle: "d")), times: template(1), with: template(.null)), findings: []),
    .init(
      name: "called back twice", events: [.callback(handle: "d", value: .null), .callback(handle: "d", value: .null)],
      assertion: .calledBack(Selector(.callback(handle: "d")), times: template(1), with: nil),
      findings: ["calls of callback 'd': expected 1, observed 2 (entries 1, 2)"]),
    .init(
      name: "called back with something else", events: [.callback(handle: "d", value: ["shortCode": "a"])],
      assertion: .calledBack(Selector(.callback(handle: "d")), times: template(1), with: template(["shortCode": "b"])),
      findings: ["callback 'd' $.shortCode: expected \"b\", observed \"a\" (entry 1)"]),
    .init(name: "check holds", events: [], assertion: .check(name: "holds", with: [:]), findings: []),
    .init(
      name: "check fills its parameters", events: session,
      assertion: .check(name: "never-holds", with: ["id": "${first.installId}"]),
      findings: ["check: expected nothing, observed {\"id\":\"i-1\"}"]),
  ]

  /// Times of a running clock have more digits than a reader needs.
  @Test func aGapIsToldInMicroseconds() throws {
    var scene = Scene(events: session).transcript
    for index in scene.entries.indices { scene.entries[index].at = .milliseconds(Double(index) * 1.234_567_89) }
    let evaluator = AssertionEvaluator(
      evidence: Evidence(transcript: scene, models: [:]), catalogue: Scene.catalogue(), checks: [:])
    let findings = try evaluator.findings(
      of: .gap(from: requests("install"), to: requests("event"), is: template(["$at-least": 4])))
    #expect(findings.map(\.observed) == ["3.704 ms"])
  }

  /// A binding file may look for a value in the wrong place. The finding names that place.
  @Test(arguments: [
    (Claim.Assertion.returns([.init(label: "told", template: template(["pass": "p"]))]), "ask 'told'"),
    (.matches(Selector(.reply(label: "told")), which: .each, is: template(["pass": "p"])), "reply to 'told'"),
    (
      .equal([.init(origin: .returned("told"), path: JSONPath([.key("pass")])), .init(origin: .returned("told"))]),
      "ask 'told'"
    ),
  ])
  func aValueThatABindingFilePromisedIsMissedWithItsPlace(assertion: Claim.Assertion, subject: String) throws {
    let scene = Scene(events: [
      .sent(
        label: "told", service: "main",
        RequestRecord(connection: 0, line: "GET / HTTP/1.1", headers: [:], body: Octets([]), exchange: "ask")),
      .received(
        label: "told",
        ResponseRecord(
          connection: 0, line: "HTTP/1.1 200 OK", headers: [:], body: Octets("{}".utf8),
          absent: ["pass": "$.body.token"])),
    ])
    let finding = try #require(try scene.evaluator.findings(of: assertion).first)
    #expect(finding.subject == subject)
    #expect(finding.observed == "nothing: 'answers' of the binding file looks for it at $.body.token")
  }

  /// The parameters of a check are filled even if another parameter is a template that only matches a value.
  @Test func aCheckIsGivenValues() {
    let with: JSON = ["text": "${main.url}", "value": ["$like": ".*"], "other": "${nothing}"]
    #expect(
      with.filled(from: ["main": ["url": "http://h"]])
        == ["text": "http://h", "value": ["$like": ".*"], "other": "${nothing}"])
  }
}
