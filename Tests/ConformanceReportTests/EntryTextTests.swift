import ConformanceTranscript
import HTTPValues
import JSONKit
import Testing

@testable import Records

@Suite struct EntryTextTests {
  typealias Event = TranscriptEntry.Event

  static let body = Octets(#"{"eventName":"e1"}"#.utf8)
  static let request = RequestRecord(connection: 1, line: "POST /event HTTP/1.1", headers: [:], body: body)
  static let strange = RequestRecord(
    connection: 1, line: "GET /?a=\u{1B}[2J HTTP/1.1", headers: [:], body: Octets([]), nearMiss: "no such path")
  static let slip = RequestRecord(
    connection: 1, line: "GET /event HTTP/1.1", headers: [:], body: Octets([]), exchange: "event",
    nearMiss: "its method is POST, not GET")
  static let response = ResponseRecord(
    connection: 1, line: "HTTP/1.1 200 OK", headers: [:], body: Octets([0x7B, 0xFF, 0x0A]))

  @Test(
    arguments: [
      (.command(.init(id: 1, name: "track", params: ["name": "e1"], label: nil)), #"call track {"name":"e1"}"#),
      (.reply(.init(id: 1, outcome: .result(.null))), "reply to call 1: null"),
      (
        .reply(.init(id: 1, outcome: .error(CommandError(kind: "network")))),
        #"reply to call 1: error {"kind":"network"}"#
      ),
      (.reply(.init(id: 1, outcome: .noReply)), "reply to call 1: none came"),
      (.callback(handle: "d1", value: [1]), "callback d1: [1]"),
      (.process(.started(launch: 2)), "process started (launch 2)"),
      (.process(.exited(code: 3)), "process exited with code 3"),
      (.process(.signalled(9)), "process ended by signal 9"),
      (.process(.ended(.clean)), "process asked to end"),
      (.process(.ended(.kill)), "process killed by the kit"),
      (.output(Octets("a\nb\u{9B}".utf8)), #"stderr: a\nb\u{9B}"#),
      (.breach("no JSON"), "adapter protocol broken: no JSON"),
      (.request(upstream: "main", request), #"→ main POST /event {"eventName":"e1"}"#),
      (.request(upstream: "decoy", strange), #"→ decoy GET /?a=\u{1B}[2J (fits no exchange: no such path)"#),
      (.request(upstream: "main", slip), "→ main GET /event (not quite right: its method is POST, not GET)"),
      (
        .malformed(upstream: "main", connection: 1, reason: "no method", Octets([0x01])),
        #"→ main not HTTP (no method): \u{1}"#
      ),
      (.response(upstream: "main", response), "← main 200 OK {\u{FFFD}\\n"),
      (.cut(upstream: "main", text: "refuse"), "fault: main refuse"),
      (.fault(upstream: "decoy", connection: 1, kind: "drop"), "fault fires: decoy drop"),
      (.kept(upstream: "main", connection: 1), "connection main stays open"),
      (.closed(upstream: "main", connection: 1, by: .subject), "connection main closed by the subject"),
      (.sent(label: "a", service: "main", request), #"→ main POST /event {"eventName":"e1"}"#),
      (.received(label: nil, response), "← 200 OK {\u{FFFD}\\n"),
      (.failed(label: nil, WireFailure(.reset, "by peer")), "← no response: reset: by peer"),
      (
        .operated(label: "a", .init(name: "expire", params: [:], outcome: .result(["ok": true]))),
        #"operate expire: {"ok":true}"#
      ),
      (
        .operated(label: nil, .init(name: "expire", params: [:], outcome: .error(CommandError(kind: "gone")))),
        #"operate expire: error {"kind":"gone"}"#
      ),
      (.bound(label: "way", value: "second\n"), #"way is "second\n""#),
      (.clock(.seconds(172_800)), "clock moves to +48h"),
      (.end(.init(.adapterDied, "exit 3")), "end: adapter-died, exit 3"),
      (.end(.init(.completed)), "end: completed"),
    ] as [(Event, String)])
  func everyEventHasALine(event: Event, line: String) {
    #expect(EntryText().text(of: event) == line)
  }
}
