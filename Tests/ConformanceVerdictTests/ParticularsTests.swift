import ConformanceTranscript
import ConformanceVerdict
import Testing

/// The normal form of what is found: two runs of a case that find the same say the same.
@Suite struct ParticularsTests {
  private static func particulars(port: Int, epoch: Int, unique: String) -> Particulars {
    let header = TranscriptHeader(
      kit: "k", protocolName: "parcel", specRevision: "1", role: "sdk",
      instance: .init(id: "c", row: nil, dialect: "spec"), clock: .virtual, epoch: epoch, seed: 1, subjects: [:],
      bindings: [
        "api.url": .string("http://127.0.0.1:\(port)"), "unique": .string(unique), "today": "2026-01-01",
        "now": "2026-01-01T00:00:00.000Z",
      ])
    let end = TranscriptEntry(number: 1, at: .seconds(60), event: .end(.init(.completed)))
    return Particulars(Transcript(header: header, entries: [end]))
  }

  private static let first = particulars(port: 40112, epoch: 1_767_225_600_000, unique: "lx3k9abc")

  @Test(arguments: [
    ("http://127.0.0.1:40112/api", "${api.url}/api"),
    ("the host is 127.0.0.1:40112", "the host is ${api.url.authority}"),
    ("url=http%3A%2F%2F127.0.0.1%3A40112", "url=http%3A%2F%2F${api.url.authority}"),
    ("http://127.0.0.1:9/other", "http://${address}/other"),
    ("user-lx3k9abc", "user-${unique}"),
    ("at 2026-01-01T00:00:05.250Z", "at ${instant}"),
    ("on 2026-01-01 at 2026-01-01T00:00:00.000Z.", "on ${today} at ${now}."),
    ("at 1767225605250 or 1767225605", "at ${instant} or ${instant}"),
    ("at 2026-01-01T00:00:05Z.", "at ${instant}."),
    (#"{"date":"Mon, 30 Nov 2026 17:26:55 GMT"}"#, #"{"date":"${instant}"}"#),
    ("Thu, 01 Jan 1970 00:00:00 GMT", "Thu, 01 Jan 1970 00:00:00 GMT"),
    ("at 1970-01-01T00:00:00Z or 12345", "at 1970-01-01T00:00:00Z or 12345"),
    ("\"6ba7b810-9dad-41d1-80b4-00c04fd430c8\"", "\"${uuid}\""),
    ("token eyJ4Nzk1OTk3MTQx!", "token ${drawn}!"),
    ("state cs-3-pPDxcCQ7smwa4MQ9 or rt-1-abc", "state cs-3-${drawn} or rt-1-abc"),
    ("kept at 2019-03-01T08:00:00+02:00 and 2027-03-01T08:00:00+02:00", "kept at ${instant} and ${instant}"),
    ("the event-with-a-long-name of LF-OFF-006", "the event-with-a-long-name of LF-OFF-006"),
    ("a: expected 1, observed 2 (entries 4, 9); b (entry 3)", "a: expected 1, observed 2; b"),
    ("(entrance) stays (entries)", "(entrance) stays (entries)"),
    ("${uuid} stays", "${uuid} stays"),
    ("expected 99, observed 100", "expected 99, observed 100"),
    ("", ""),
  ])
  func whatIsDrawnHasAName(text: String, normal: String) { #expect(Self.first.normal(text) == normal) }

  @Test func aValueThatWasCutOffIsTheSameInAnotherRun() {
    func reason(_ id: String, _ unique: String) -> String {
      let body = #"[{"type":"internal","name":"session:start","user":"\#(unique)","sessionId":"\#(id)"}]"#
      return "observed \(body.prefix(90))... (entry 4) and 2"
    }
    let second = Self.particulars(port: 51999, epoch: 1_800_000_000_000, unique: "zz9y8x7")
    let texts = [
      Self.first.normal(reason("6ba7b810-9dad-41d1-80b4-00c04fd430c8", "lx3k9abc")),
      second.normal(reason("a1b2c3d4-9dad-41d1-80b4-00c04fd430c8", "zz9y8x7")),
    ]
    #expect(texts[0] == texts[1])
    #expect(texts[0].hasPrefix(#"observed [{"type":"internal","name":""#), "\(texts)")
    #expect(texts[0].hasSuffix("... and 2"), "\(texts)")
  }

  @Test func anotherRunSaysTheSame() {
    let second = Self.particulars(port: 51999, epoch: 1_800_000_000_000, unique: "zz9y8x7w")
    #expect(
      Self.first.normal("lx3k9abc at http://127.0.0.1:40112, 2026-01-01T00:00:05Z")
        == second.normal("zz9y8x7w at http://127.0.0.1:51999, 2027-01-15T08:00:00Z"))
  }

  @Test func aFindingKeepsItsTextsBesideTheirNormalForm() {
    let plain = Finding(subject: "size", expected: "1", observed: "2", entries: [4])
    #expect(Self.first.naming(plain).normal == nil)
    let found = Finding(subject: "host", expected: "a", observed: "127.0.0.1:40112", entries: [4])
    let named = Self.first.naming(found)
    #expect(named.observed == "127.0.0.1:40112")
    #expect(named.wording == .init(subject: "host", expected: "a", observed: "${api.url.authority}"))
  }

  @Test func aVerdictThatCouldNotBeToldKeepsItsReason() {
    let verdict = Verdict(
      instance: .init(id: "c", row: nil, dialect: "spec"), requirement: "PA-A-001",
      outcome: .unjudged(reason: "PA-B-001 is violated: x (entry 9)"), clock: .virtual)
    let named = Self.first.naming(verdict)
    #expect(named.outcome == verdict.outcome)
    #expect(named.reasonWording == "PA-B-001 is violated: x")
  }
}
