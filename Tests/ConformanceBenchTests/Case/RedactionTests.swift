import ConformanceTranscript
import HTTPValues
import JSONKit
import RandomValues
import Testing

@testable import Recording

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

  /// A secret that is spelled like a word of HTTP or of the protocol does not hide that word.
  @Test(arguments: [
    ("POST", "POST /event HTTP/1.1", "POST /event HTTP/1.1"), ("event", "POST /event HTTP/1.1", "POST /event HTTP/1.1"),
    ("event", #"{"eventName":"a"}"#, #"{"eventName":"a"}"#), ("name", #"{"eventName":"a"}"#, #"{"eventName":"a"}"#),
    ("event", "Bearer event77", "Bearer [redacted]77"), ("event77", "Bearer event77", "Bearer [redacted]"),
    ("event-and-more", "a text that ends in event", "a text that ends in event"),
  ])
  func noSecretHidesAWordOfTheKit(_ secret: String, _ text: String, _ shown: String) {
    let redaction = Redaction(
      secrets: [secret], vocabulary: Redaction.commonWords.union(["event", "eventname"]))
    #expect(redaction(text) == shown)
  }

  /// A secret in a JSON text, in a URL, and among bytes that are not a text.
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

  /// Provisioned secrets with names are distinguishable in evidence, whatever their spelling. A secret without a name
  /// has the plain placeholder.
  @Test func eachSecretKeepsItsName() {
    let redact = Redaction(
      secrets: ["k3y/one", "k3y/two", "k3y/three"], names: ["first": "k3y/one", "second": "k3y/two", "open": "slug"])
    #expect(
      redact("k3y/one k3y%2Ftwo k3y/three slug") == "[redacted:first] [redacted:second] [redacted] slug")
  }

  /// Every secret in every spelling, in a text and in a body, beside other secrets.
  @Test(arguments: Canary.all, Spelling.allCases)
  func noSpellingIsMissed(canary: String, spelling: Spelling) {
    let redact = Redaction(secrets: Canary.all)
    let spelled = spelling.spell(canary)
    let text = redact("before \(spelled) after")
    #expect(text.hasPrefix("before ") && text.hasSuffix(" after"))
    #expect(text.contains(Redaction.placeholder()), "\(text)")
    #expect(!spelling.stands(canary, in: text), "\(text)")
    let record = ResponseRecord(connection: 0, line: "", headers: [:], body: Octets([0xFF] + spelled.utf8 + [0xFE]))
    guard case .received(_, let redacted) = redact(.received(label: "a", record)) else { return }
    #expect(!spelling.stands(canary, in: redacted.body.text))
    #expect(redacted.body.bytes.first == 0xFF && redacted.body.bytes.last == 0xFE)
  }

  /// A header whose name contains a secret, in either case.
  @Test(arguments: ["X-Key-s3cr3t-abcd: 1", "x-key-S3CR3T-ABCD: 1"]) func aNameIsNoHidingPlace(field: String) {
    let name = String(field.prefix { $0 != ":" })
    let record = ResponseRecord(
      connection: 0, line: "", headers: HTTPHeaders([.init(name: name, value: "1")]), body: Octets([]))
    guard case .received(_, let redacted) = Redaction(secrets: ["s3cr3t-abcd"])(.received(label: "a", record)) else {
      return
    }
    #expect(redacted.headers.fields.first?.name.lowercased() == "x-key-[redacted]")
  }

  /// A text that looks like a spelling but is none stays as it is, byte by byte.
  @Test(arguments: [
    "s3cr", "s3cr3t-ke ", "%73%33", "\\u0073\\u0033c", "%", "\\", "\\u", "\\u00", "%7", "&#115", "&;", "c3Iz",
    "%2573%25", "S3CR3T-KEY",
  ])
  func whatIsNoSecretStays(text: String) {
    let redact = Redaction(secrets: [Self.secret])
    #expect(redact(text) == text)
    #expect(redact("\(text)|\(text)") == "\(text)|\(text)")
  }

  /// A text that was truncated before may end within a secret.
  @Test(arguments: [
    "s3cr3t-k", "s3cr3", "%73%33%63%72%33", "s3cr3t-ke… (400 bytes)", "\\u0073\\u0033cr3t", "s3cr3t... and more",
  ])
  func aSecretThatIsCutIsNoneTheLess(text: String) {
    let redacted = Redaction(secrets: [Self.secret])("before \(text)")
    #expect(redacted == "before [redacted]" + text.drop { !"….".contains($0) })
  }

  @Test func withoutSecretsNothingChanges() {
    for event in Self.events { #expect(Redaction()(event) == event) }
  }
}
