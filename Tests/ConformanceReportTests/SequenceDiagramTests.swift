import ConformanceModel
import ConformanceTranscript
import HTTPValues
import JSONKit
import Testing

@testable import ReportPages

@Suite struct SequenceDiagramTests {
  private static func transcript(
    _ events: [TranscriptEntry.Event], _ subjects: [Role: Subject] = ["sdk": Sample.subject]
  ) -> Transcript {
    var transcript = HTMLReportTests.transcript(saying: "x")
    transcript.header.subjects = subjects
    transcript.entries = events.enumerated().map { TranscriptEntry(number: $0 + 1, at: .zero, event: $1) }
    return transcript
  }

  private static func request(_ line: String, _ body: String = "") -> RequestRecord {
    RequestRecord(connection: 1, line: line, headers: HTTPHeaders([]), body: Octets(body.utf8))
  }

  private static func response(_ line: String) -> ResponseRecord {
    ResponseRecord(connection: 1, line: line, headers: HTTPHeaders([]), body: Octets([]))
  }

  private static func call(_ name: String) -> TranscriptEntry.Event {
    .command(.init(id: 1, name: name, params: .object([:]), label: nil))
  }

  @Test func anSDKStandsBetweenItsAppAndTheServices() {
    let diagram = SequenceDiagram(
      of: Self.transcript([
        Self.call("post"), .request(upstream: "api", Self.request("POST /parcels HTTP/1.1", #"{"n":1}"#)),
        .response(upstream: "api", Self.response("HTTP/1.1 200 OK")), .callback(handle: "done", value: .null),
      ]), judged: [2])
    #expect(diagram.lanes == ["app", "SDK", "api"])
    #expect(diagram.rows.map { [$0.from, $0.to] } == [[0, 1], [1, 2], [2, 1], [1, 0]])
    #expect(diagram.rows.map(\.text) == ["post", #"POST /parcels {"n":1}"#, "200 OK", "callback done: null"])
    #expect(diagram.rows.map(\.isJudged) == [false, true, false, false])
  }

  @Test func aServerIsCalledByAClient() {
    let diagram = SequenceDiagram(
      of: Self.transcript(
        [
          .sent(label: nil, service: "api", Self.request("GET / HTTP/1.1")),
          .received(label: nil, Self.response("HTTP/1.1 404 Not Found")),
        ], ["server": Sample.subject]), judged: [])
    #expect(diagram.lanes == ["client", "server"])
    #expect(diagram.rows.map(\.text) == ["GET / (api)", "404 Not Found"])
    #expect(diagram.rows.map { [$0.from, $0.to] } == [[0, 1], [1, 0]])
  }

  @Test func whatIsRepeatedIsToldOnceAndWhatIsJudgedStays() {
    let events = (0..<50).map { Self.call("post\($0)") } + [Self.call("size")]
    let diagram = SequenceDiagram(of: Self.transcript(events), judged: [51])
    #expect(diagram.rows.map(\.text) == ["post0", "… 49 like this", "size"])
    let marked = SequenceDiagram(of: Self.transcript(events), judged: [7])
    #expect(marked.rows.contains { $0.number == 7 && $0.isJudged })
  }

  @Test func aLongConversationIsCutAroundWhatIsJudged() {
    let events = (0..<200).map { Self.call(String(repeating: "ab", count: $0 % 7 + 1) + (($0 % 3 == 0) ? "x" : "y")) }
    let diagram = SequenceDiagram(of: Self.transcript(events), judged: [100])
    #expect(diagram.rows.count <= 26)
    #expect(diagram.rows.first?.text.hasSuffix("messages more") == true)
    #expect(diagram.rows.contains { $0.number == 100 })
  }

  @Test func theDifferingMemberIsMarked() {
    let value: JSON = ["a": 1, "b": ["c": "x", "d": [1, 2]]]
    let lines = MarkedJSON.lines(
      of: value, marking: [JSONPath([.key("b"), .key("c")]), JSONPath([.key("b"), .key("e")])])
    #expect(lines.filter(\.isMarked).map(\.text) == [#"    "c": "x","#, #"    (no member "e")"#])
    #expect(lines.first?.text == "{")
    #expect(lines.last?.text == "}")
  }

  @Test func aLongValueKeepsWhatIsMarked() {
    let value = JSON.array((0..<1000).map { .int($0) })
    let lines = MarkedJSON.lines(of: value, marking: [JSONPath([.index(700)])])
    #expect(lines.count < 20)
    #expect(lines.filter(\.isMarked).map(\.text) == ["  700,"])
  }

  @Test func aJudgedMessageShowsTheHeaderFieldThatIsMeant() throws {
    let record = RequestRecord(
      connection: 1, line: "POST /p HTTP/1.1", headers: HTTPHeaders([.init(name: "X-Key", value: "1")]),
      body: Octets(#"{"n":1}"#.utf8))
    let entry = TranscriptEntry(number: 3, at: .zero, event: .request(upstream: "api", record))
    let paths = [JSONPath([.key("headers"), .key("x-key")]), JSONPath([.key("body"), .key("n")])]
    let message = try #require(JudgedMessage(entry, marking: paths))
    #expect(message.lines.filter(\.isMarked).map(\.text) == ["X-Key: 1", #"  "n": 1"#])
  }
}
