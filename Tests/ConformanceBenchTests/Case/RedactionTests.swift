import ConformanceModel
import JSONKit
import Testing

@testable import ConformanceBench

@Suite struct RedactionTests {
  private static let secret = "s3cr3t-key"

  private static let events: [TranscriptEntry.Event] = [
    .request(
      upstream: "main",
      RequestRecord(
        connection: 1, line: "GET /?k=\(secret) HTTP/1.1", headers: ["Authorization": "Bearer \(secret)"],
        body: Octets("{\"key\":\"\(secret)\"}".utf8))),
    .sent(
      label: "a", service: "main",
      RequestRecord(connection: 0, line: "GET / HTTP/1.1", headers: ["X": secret], body: Octets(secret.utf8))),
    .received(
      label: "a",
      ResponseRecord(
        connection: 0, line: "HTTP/1.1 200 OK", headers: ["X": secret], body: Octets(secret.utf8),
        values: ["pass": ["deep": .string(secret)]])),
    .response(
      upstream: "main",
      ResponseRecord(connection: 0, line: "HTTP/1.1 200 OK", headers: ["X": secret], body: Octets(secret.utf8))),
    .command(.init(id: 1, name: "initialize", params: ["apiKey": .string(secret)], label: nil)),
    .reply(.init(id: 1, outcome: .result(["echo": [.string(secret)]]))),
    .reply(.init(id: 1, outcome: .error(CommandError(kind: "network", message: "no \(secret)")))),
    .callback(handle: "d", value: [.string(secret)]),
    .output(Octets("log \(secret)\n".utf8)),
    .breach("found \(secret)"),
    .malformed(upstream: "main", connection: 1, reason: "no", Octets(secret.utf8)),
    .failed(label: "a", WireFailure(.closed, secret, received: Octets(secret.utf8))),
    .end(.init(.preconditionFailed, "stderr: \(secret)")),
    .reply(.init(id: 1, outcome: .result(.object(JSON.Object([.init(key: secret, value: 1)]))))),
  ]

  @Test(arguments: events.indices)
  func noSecretIsWrittenDown(index: Int) {
    let redacted = Redaction(secrets: [Self.secret])(Self.events[index])
    #expect(!"\(redacted)".contains(Self.secret))
    let text = TranscriptEntry(number: 1, at: .zero, event: redacted).representation.compactText
    #expect(!text.contains(Self.secret))
    #expect(text.contains(Redaction.placeholder()))
  }

  /// A secret in a JSON text, in a URL, and among bytes that are no text as a whole.
  @Test(arguments: [
    Array("{\"key\":\"a\\\"b\\\\c/d\"}".utf8), Array("/?key=a%22b%5Cc%2Fd".utf8),
    Array("\u{1}a\"b\\c/d".utf8) + [0xFF, 0],
  ])
  func aSecretIsFoundAsItIsSpelled(bytes: [UInt8]) {
    let record = ResponseRecord(connection: 0, line: "HTTP/1.1 200 OK", headers: [:], body: Octets(bytes))
    guard case .received(_, let redacted) = Redaction(secrets: ["a\"b\\c/d"])(.received(label: "a", record)) else {
      Issue.record("another event")
      return
    }
    #expect(redacted.body.text.contains(Redaction.placeholder()), "\(redacted.body.text)")
  }

  /// Secrets that are lent under names stay apart in evidence, whatever they are spelled like; one without a name has none.
  @Test func eachSecretKeepsItsName() {
    let redact = Redaction(
      secrets: ["k3y/one", "k3y/two", "k3y/three"], names: ["first": "k3y/one", "second": "k3y/two", "open": "slug"])
    #expect(
      redact("k3y/one k3y%2Ftwo k3y/three slug") == "[redacted:first] [redacted:second] [redacted] slug")
  }

  @Test func withoutSecretsNothingChanges() {
    for event in Self.events { #expect(Redaction()(event) == event) }
  }
}
