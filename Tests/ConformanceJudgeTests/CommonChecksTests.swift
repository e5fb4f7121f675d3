import ConformanceTranscript
import HTTPValues
import JSONKit
import Testing

@testable import ConformanceJudge

@Suite struct CommonChecksTests {
  private func findings(_ name: String, _ events: [TranscriptEntry.Event], _ with: JSON) throws -> [String] {
    try Scene(events: events).evaluator.findings(of: .check(name: name, with: with)).map(\.description)
  }

  private static let places = ["requests", "responses", "output", "callbacks", "replies"]
  private static let spoken: [TranscriptEntry.Event] = [
    Scene.request("event", ["key": "s3cret"]),
    .received(
      label: "a", ResponseRecord(connection: 1, line: "HTTP/1.1 200 OK", headers: ["X": "s3cret"], body: Octets([]))),
    .output(Octets("s3cret".utf8)), .callback(handle: "d", value: ["a": ["s3cret"]]),
    Scene.failure(1, "s3cret"),
  ]

  @Test(arguments: Array(places.enumerated()))
  func aTextIsFoundWhereItIsLookedFor(number: Int, place: String) throws {
    let with: JSON = ["text": "s3cret", "in": [.string(place)]]
    #expect(
      try findings("text-nowhere", Self.spoken, with) == [
        "\(place): expected no 's3cret', observed it is there (entry \(number + 1))"
      ])
    var others = Self.spoken
    others.remove(at: number)
    #expect(try findings("text-nowhere", others, with) == [])
  }

  @Test func whatTheKitSaysIsNotTheSubject() throws {
    let with: JSON = ["text": "s3cret", "in": .array(Self.places.map(JSON.string))]
    let own: [TranscriptEntry.Event] = [
      .command(.init(id: 1, name: "start", params: ["key": "s3cret"], label: nil)),
      Scene.response(200, ["a": "s3cret"]),
    ]
    #expect(try findings("text-nowhere", own, with) == [])
    #expect(try findings("text-nowhere", Self.spoken, ["text": "other", "in": with["in"] ?? .null]) == [])
  }

  @Test func aTextIsAllowedAtItsPlacesOnly() throws {
    let with: JSON = ["text": "s3cret", "places": [["request": "event", "at": "$.body.key"]]]
    #expect(try findings("text-only-at", [Scene.request("event", ["key": "s3cret"])], with) == [])
    #expect(
      try findings("text-only-at", [Scene.request("event", ["key": "s3cret", "b": "s3cret"])], with) == [
        "event request: expected 's3cret' nowhere but at the places named,"
          + " observed it is elsewhere in the request (entry 1)"
      ])
    #expect(try findings("text-only-at", [Scene.request("install", ["key": "s3cret"])], with).count == 1)
  }

  @Test(arguments: CommonChecks.all.keys.filter { $0 != "quiet" && $0 != "output-contains" })
  func whatIsMissingIsAMistakeOfTheKit(name: String) {
    #expect(throws: Unjudgeable.self) { try findings(name, [], [:]) }
  }
}
