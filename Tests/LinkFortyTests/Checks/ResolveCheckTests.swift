import ConformanceModel
import ConformancePack
import ConformanceTranscript
import ConformanceVerdict
import HTTPValues
import JSONKit
import Testing

@testable import LinkForty

@Suite struct ResolveCheckTests {
  private func findings(_ name: String, _ events: [TranscriptEntry.Event], _ with: JSON) throws -> [Finding] {
    let entries = events.enumerated().map {
      TranscriptEntry(number: $0.offset + 1, at: .milliseconds(Double($0.offset)), event: $0.element)
    }
    let header = TranscriptHeader(
      kit: "test", protocolName: "linkforty", specRevision: "2026-03-12", role: "sdk",
      instance: CaseInstance(id: "a", row: nil, dialect: "spec"), clock: .virtual, epoch: 0, seed: 0,
      subjects: ["sdk": Subject(name: "s", version: "1")], bindings: [:])
    let evidence = Evidence(transcript: Transcript(header: header, entries: entries), models: [:])
    return try #require(LinkFortyPack.pack.checks[name]).findings(evidence, with)
  }

  private func request(_ exchange: String?, _ line: String, _ body: JSON? = nil) -> TranscriptEntry.Event {
    let bytes = body.map { Array($0.compactText.utf8) } ?? []
    return .request(
      upstream: "main",
      RequestRecord(connection: 1, line: line, headers: [:], body: Octets(bytes), exchange: exchange))
  }

  private func question(_ target: String) -> TranscriptEntry.Event {
    request(target.split(separator: "/").count == 5 ? "resolve" : nil, "GET \(target) HTTP/1.1")
  }

  private func report(_ body: JSON) -> TranscriptEntry.Event { request("install", "POST /x HTTP/1.1", body) }

  /// The body of the report, the query of the question, and the number of differences.
  @Test(
    arguments: [
      (["screenWidth": 1179], "?fp_sw=1179", 0), (["screenWidth": 1179], "?fp_sw=1179.0", 1),
      (["screenWidth": 1179], "?fp_sw=393", 1), (["screenWidth": "iOS"], "?fp_sw=ios", 0),
      (["screenWidth": JSON.Number(lexeme: "1179.0").map(JSON.number) ?? .null], "?fp_sw=1179", 0),
      (["screenWidth": 1179.5], "?fp_sw=1179", 1),
      (["screenWidth": 1179], "", 1), ([:], "?fp_sw=1179", 1), ([:], "", 1),
    ] as [(JSON, String, Int)])
  func theQuestionSaysWhatTheReportSays(_ body: JSON, _ query: String, _ count: Int) throws {
    let events = [report(body), question("/api/sdk/v1/resolve/abc\(query)")]
    let with: JSON = ["query": "fp_sw", "body": "screenWidth"]
    #expect(try findings("fingerprint-as-reported", events, with).count == count)
  }

  @Test func withoutReportOrQuestionNothingIsShown() throws {
    let with: JSON = ["query": "fp_sw", "body": "screenWidth"]
    let (report, question) = (report(["screenWidth": 1]), question("/api/sdk/v1/resolve/abc?fp_sw=1"))
    for events in [[], [report], [question]] {
      #expect(try findings("fingerprint-as-reported", events, with).count == 1)
    }
    #expect(throws: Check.Misuse.self) {
      try findings("fingerprint-as-reported", [report, question], ["query": "fp_sw"])
    }
  }

  /// The requested path, the delivered code, and the number of differences.
  @Test(arguments: [
    ("/api/sdk/v1/resolve/abc?x=1", "abc", 0), ("/api/sdk/v1/resolve/summer/abc", "abc", 0),
    ("/api/sdk/v1/resolve/caf%C3%A9", "café", 0), ("/api/sdk/v1/resolve/eu/summer", "abc", 1),
    ("/api/sdk/v1/resolve/a/b/c", "b", 1), ("/api/sdk/v1/health", "abc", 0),
  ])
  func theCodeAskedForIsTheOneDelivered(_ target: String, _ code: String, _ count: Int) throws {
    let call = TranscriptEntry.Event.callback(handle: "link", value: ["data": ["shortCode": .string(code)]])
    #expect(try findings("resolved-code-delivered", [question(target), call], ["callback": "link"]).count == count)
  }

  @Test func withoutACallNothingIsShown() throws {
    let question = question("/api/sdk/v1/resolve/abc")
    #expect(try findings("resolved-code-delivered", [question], ["callback": "link"]).count == 1)
    #expect(throws: Check.Misuse.self) { try findings("resolved-code-delivered", [question], [:]) }
    let null = TranscriptEntry.Event.callback(handle: "link", value: ["data": .null])
    #expect(try findings("resolved-code-delivered", [question, null], ["callback": "link"]).count == 1)
    #expect(try findings("resolved-code-delivered", [null], ["callback": "link"]).isEmpty)
  }
}
