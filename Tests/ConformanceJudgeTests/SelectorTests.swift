import ConformanceModel
import ConformanceTranscript
import HTTPValues
import JSONKit
import Testing

@testable import ConformanceJudge

/// Which observations a selector picks, and how templates see them.
@Suite struct SelectorTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var selector: Selector
    /// The entries picked.
    var entries: [Int]
    /// The template that each of these entries matches.
    var like: JSON = "${:any}"
  }

  private static let sent = RequestRecord(
    connection: 1, line: "GET /s HTTP/1.1", headers: [:], body: Octets([]), exchange: "install")
  private static let received = ResponseRecord(
    connection: 1, line: "HTTP/1.1 201 Created", headers: [:], body: Octets([]), values: ["id": "i-1"])

  private static let events: [TranscriptEntry.Event] = [
    /* 1 */ Scene.began("first"),
    /* 2 */ Scene.call(1, "start", "first"),
    /* 3 */ Scene.request("event", ["list": [["n": 1], ["n": 2], 3]]),
    /* 4 */ Scene.response(200, ["ok": true]),
    /* 5 */ Scene.reply(1, ["id": "a"]),
    /* 6 */ Scene.ended("first"),
    /* 7 */ Scene.closed(1),
    /* 8 */ Scene.began("second"),
    /* 9 */ .sent(label: "second", service: "other", sent),
    /* 10 */ .received(label: "second", received),
    /* 11 */ Scene.ended("second"),
    /* 12 */ Scene.request("event", upstream: "other", connection: 1),
    /* 13 */ .closed(upstream: "other", connection: 1, by: .kit),
    /* 14 */ .sent(label: "third", service: "other", sent),
    /* 15 */ .failed(label: "third", WireFailure(.reset, "by peer")),
  ]

  private static let list = path("$.body.list")

  static let rows = [
    Row(testDescription: "requests", selector: requests("event"), entries: [3, 12], like: ["method": "POST"]),
    Row(testDescription: "requests at a service", selector: requests("event", at: "other"), entries: [12]),
    Row(testDescription: "after", selector: requests("event", after: "first"), entries: [12]),
    Row(testDescription: "before", selector: requests("event", before: "second"), entries: [3]),
    Row(
      testDescription: "an empty window", selector: requests("event", after: "second", before: "first"), entries: []),
    Row(
      testDescription: "responses of mocks", selector: Selector(.response(exchange: "event")), entries: [4],
      like: ["status": 200, "body": ["ok": true], "request": ["path": "/event"]]),
    Row(
      testDescription: "responses of the subject", selector: Selector(.response(exchange: "install")), entries: [10],
      like: ["status": 201, "id": "i-1", "request": ["method": "GET"]]),
    Row(
      testDescription: "responses at a service", selector: Selector(.response(exchange: "any"), at: "other"),
      entries: [10]),
    Row(testDescription: "all responses", selector: Selector(.response(exchange: "any")), entries: [4, 10]),
    Row(testDescription: "replies", selector: Selector(.reply(label: "first")), entries: [5], like: ["id": "a"]),
    Row(
      testDescription: "replies of a server", selector: Selector(.reply(label: "second")), entries: [10],
      like: ["status": 201]),
    Row(
      testDescription: "replies that never came", selector: Selector(.reply(label: "third")), entries: [15],
      like: ["$fails": "reset"]),
    Row(
      testDescription: "a step", selector: Selector(.step(label: "second")), entries: [11], like: ["word": "call"]),
    Row(testDescription: "closed connections", selector: Selector(.closed), entries: [7, 13]),
    Row(testDescription: "closed connections at a service", selector: Selector(.closed, at: "main"), entries: [7]),
    Row(
      testDescription: "closed connections by whom",
      selector: Selector(.closed, at: "other", filter: template(["by": "kit"])), entries: [13]),
    Row(
      testDescription: "elements", selector: requests("event", items: list), entries: [3, 3, 3],
      like: ["$one-of": [3, ["n": ["$at-least": 1], "request": ["path": "/event"]]]]),
    Row(
      testDescription: "elements that match",
      selector: requests("event", where: template(["n": 2, "request": ["method": "POST"]]), items: list), entries: [3]),
  ]

  @Test(arguments: rows) func picks(_ row: Row) throws {
    let scene = Scene(events: Self.events)
    let seen = try scene.evaluator.observations(row.selector)
    #expect(seen.map(\.entry) == row.entries)
    for one in seen { #expect(template(row.like).match(one.view).mismatches == []) }
  }

  /// A request may come after a fault holds and before the kit is done with the step; and so it may after its end.
  @Test func afterAFaultIsFromWhenItHolds() throws {
    let scene = Scene(events: [
      Scene.request("event"),
      Scene.began("healed"),
      Scene.request("event"),
      .cut(upstream: "main", text: "heal"),
      Scene.request("event"),
      Scene.ended("healed"),
      Scene.request("event"),
      Scene.began("later"),
      Scene.ended("later"),
      Scene.request("event"),
    ])
    func entries(_ selector: Selector) throws -> [Int] { try scene.evaluator.observations(selector).map(\.entry) }
    #expect(try entries(requests("event", after: "healed")) == [5, 7, 10])
    #expect(try entries(requests("event", before: "healed")) == [1])
    #expect(try entries(requests("event", after: "later")) == [10])
    #expect(try entries(Selector(.step(label: "healed"))) == [6])
  }

  @Test func theFirstAndLastOfEachComeInOrder() throws {
    let order = Claim.Assertion.order([
      Selector(.reply(label: "first")), Selector(.step(label: "first")), Selector(.closed),
      Selector(.response(exchange: "install")), requests("event", after: "second"),
    ])
    #expect(try Scene(events: Self.events).evaluator.findings(of: order) == [])
  }
}
