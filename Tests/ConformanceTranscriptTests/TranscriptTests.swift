import Foundation
import JSONKit
import Testing

@testable import ConformanceModel
@testable import ConformanceTranscript
@testable import ConformanceVerdict
@testable import HTTPValues
@testable import Templates

@Suite struct TranscriptTests {
  typealias Kind = TranscriptEntry.Event.Kind

  @Test(arguments: Kind.allCases)
  func everyEventSurvivesARoundTrip(kind: Kind) throws {
    var chance = Chance(seed: 7)
    for number in 1...200 {
      let launch = kind == .callback ? chance.maybe(chance.int(5)) : nil
      let entry = TranscriptEntry(number: number, at: chance.time(), event: chance.event(kind), launch: launch)
      let line = entry.representation.compactText
      #expect(entry.compactBytes == Array(line.utf8))
      #expect(!line.contains("\n"))
      #expect(entry.event.kind == kind)
      #expect(try TranscriptEntry(line: line) == entry, "\(line)")
    }
  }

  @Test func everyHeaderSurvivesARoundTrip() throws {
    var chance = Chance(seed: 8)
    for _ in 1...200 {
      let header = chance.header()
      #expect(try TranscriptHeader(line: header.representation.compactText) == header)
      #expect(header.compactBytes == header.representation.compactBytes)
    }
  }

  /// A member of a subject, and whether a text of this length is read.
  @Test(arguments: ["name", "version", "language", "platform"], [4_000, 4_001])
  func aTextOfASubjectIsRefusedWhereItIsLongerThanTheKitWrites(member: String, length: Int) throws {
    var members = try #require(
      Subject(name: "dart", version: "1", language: "dart", platform: "ios").representation.object)
    members[member] = .string(String(repeating: "é", count: length))
    let line = JSON.object(members).compactText
    guard length > 4_000 else {
      #expect(try Subject(line: line).representation.compactText == line)
      return
    }
    let problem = #expect(throws: JSONField.Problem.self) { try Subject(line: line) }
    #expect(problem?.description.contains("\(member)") == true, "\(String(describing: problem))")
    #expect(problem?.description.contains("at most 4000 characters") == true)
  }

  private static let schema: Result<JSONSchema, any Error> = Result {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
    let bytes = try Data(contentsOf: root.appending(path: "spec/schema/transcript.schema.json"))
    return try JSONSchema(JSON(parsing: Array(bytes)))
  }

  @Test(arguments: Kind.allCases)
  func everyEventFitsThePublishedSchema(kind: Kind) throws {
    var chance = Chance(seed: 9)
    let schema = try Self.schema.get()
    for number in 1...50 {
      let launch = kind == .callback ? chance.maybe(chance.int(5)) : nil
      let entry = TranscriptEntry(number: number, at: chance.time(), event: chance.event(kind), launch: launch)
      #expect(schema.validate(entry.representation).map(\.description) == [])
    }
  }

  @Test func aHeaderFitsThePublishedSchema() throws {
    var chance = Chance(seed: 10)
    var header = chance.header()
    header.role = "sdk"
    header.subjects = ["sdk": chance.subject(), "mobile-sdk-2": chance.subject()]
    let schema = try Self.schema.get()
    #expect(schema.validate(header.representation).map(\.description) == [])
    header.role = "SDK"
    #expect(schema.validate(header.representation).count == 1)
  }

  @Test func theFormIsTheOneThatIsDocumented() {
    let request = RequestRecord(
      connection: 1, line: "POST /e HTTP/1.1", headers: [("Host", "a")].headers, body: Octets([0xFF]), exchange: "event"
    )
    let entry = TranscriptEntry(number: 7, at: .milliseconds(1.5), event: .request(upstream: "main", request))
    #expect(
      entry.representation.compactText == """
        {"n":7,"at":1.5,"event":"request","upstream":"main","request":{"connection":1,"line":"POST /e HTTP/1.1",\
        "headers":[{"name":"Host","value":"a"}],"body":{"base64":"/w=="},"exchange":"event"}}
        """)
  }

  @Test(arguments: [
    (#"{"at":0,"event":"breach","text":""}"#, "$.n: expected a value, found nothing"),
    (#"{"n":1,"at":"0","event":"breach","text":""}"#, #"$.at: expected a number, found "0""#),
    (#"{"n":1,"at":0,"event":"end","kind":"bored","text":""}"#, "$.kind: expected one of completed, "),
    (#"{"n":1,"at":0,"event":"reply","id":4}"#, "$: expected 'result', 'error' or 'noReply': true"),
    (#"{"n":1,"at":0,"event":"output","octets":{"base64":"*"}}"#, #"$.octets.base64: expected base64, found "*""#),
    (
      #"{"n":1,"at":0,"event":"closed","upstream":"main","connection":1,"by":"me"}"#,
      "$.by: expected one of subject, kit"
    ),
  ])
  func aWrongFieldIsNamed(line: String, problem: String) throws {
    let error = try #require(throws: JSONField.Problem.self) { try TranscriptEntry(line: line) }
    #expect(error.description.hasPrefix(problem), "\(error)")
  }

  @Test func anotherVersionIsRefused() throws {
    var chance = Chance(seed: 1)
    let line = chance.header().representation.compactText.replacing(#"{"transcript":2"#, with: #"{"transcript":3"#)
    let error = try #require(throws: JSONField.Problem.self) { try TranscriptHeader(line: line) }
    #expect(
      error.description
        == "$.transcript: expected version 2 of the transcript format, the one this kit reads (make it anew with this kit, or use the kit that wrote it), found 3"
    )
  }

  @Test func aVerdictSurvivesARoundTrip() throws {
    let instance = CaseInstance(id: "a.b", row: nil, dialect: "spec")
    let finding = Finding(
      subject: "event requests", path: .root.appending(key: "a b").appending(index: 2), expected: "1", observed: "2",
      entries: [4, 9])
    let outcomes: [Verdict.Outcome] = [
      .conforms, .violates([finding, finding]), .unjudged(reason: "why"), .notApplicable(reason: ""),
    ]
    for outcome in outcomes {
      let verdict = Verdict(instance: instance, requirement: "LF-A-001", outcome: outcome, clock: .scaled)
      #expect(try Verdict(line: verdict.representation.compactText) == verdict)
    }
  }
}

extension [(String, String)] {
  fileprivate var headers: HTTPHeaders { HTTPHeaders(map { .init(name: $0.0, value: $0.1) }) }
}

/// Random values of every noun of a transcript; the same seed gives the same values.
private struct Chance {
  private var random: SeededRandom

  init(seed: UInt64) { random = SeededRandom(seed: seed) }

  mutating func int(_ limit: Int) -> Int { Int(random.next() % UInt64(limit)) }
  mutating func one<Value>(of values: [Value]) -> Value { values[int(values.count)] }
  mutating func maybe<Value>(_ value: Value) -> Value? { int(2) == 0 ? nil : value }

  mutating func text() -> String {
    let letters: [Unicode.Scalar] = [
      "a", "Z", "\"", "\\", "/", "\n", "\u{0}", "\u{1B}", "\u{7F}", "ü", "\u{2028}", "🦊", " ",
    ]
    var text = String.UnicodeScalarView()
    for _ in 0..<int(8) { text.append(one(of: letters)) }
    return String(text)
  }

  mutating func octets() -> Octets { Octets((0..<int(9)).map { _ in UInt8(truncatingIfNeeded: random.next()) }) }
  mutating func time() -> LogicalTime { .milliseconds(Double(int(1_000_000_000)) / Double(1 + int(7))) }

  mutating func json(depth: Int = 3) -> JSON {
    switch int(depth == 0 ? 5 : 7) {
    case 0: .null
    case 1: .bool(int(2) == 0)
    case 2: .int(int(9999) - 5000)
    case 3: JSON.Number(lexeme: one(of: ["1.0", "-0", "1e400", "9007199254740993"])).map(JSON.number) ?? .null
    case 4: .string(text())
    case 5: .array((0..<int(4)).map { _ in json(depth: depth - 1) })
    default: .object(JSON.Object((0..<int(4)).map { _ in .init(key: text(), value: json(depth: depth - 1)) }))
    }
  }

  mutating func headers() -> HTTPHeaders { HTTPHeaders((0..<int(4)).map { _ in .init(name: text(), value: text()) }) }

  mutating func request() -> RequestRecord {
    RequestRecord(
      connection: int(9), line: text(), headers: headers(), body: octets(), exchange: maybe(text()),
      nearMiss: maybe(text()))
  }

  mutating func response() -> ResponseRecord {
    ResponseRecord(
      connection: int(9), line: text(), headers: headers(), body: octets(), values: int(2) == 0 ? [:] : ["a": json()])
  }

  mutating func mark() -> TranscriptEntry.StepMark { .init(place: text(), word: text(), label: maybe(text())) }

  mutating func outcome() -> CommandOutcome {
    switch int(3) {
    case 0: .result(json())
    case 1: .error(CommandError(kind: text(), status: maybe(int(600)), message: maybe(text())))
    default: .noReply
    }
  }

  mutating func process() -> TranscriptEntry.Process {
    switch int(4) {
    case 0: .started(launch: int(5))
    case 1: .exited(code: int(256))
    case 2: .signalled(int(32))
    default: .ended(one(of: Step.Restart.Ending.allCases))
    }
  }

  mutating func event(_ kind: TranscriptTests.Kind) -> TranscriptEntry.Event {
    switch kind {
    case .stepBegan: .stepBegan(mark())
    case .stepEnded: .stepEnded(mark())
    case .command: .command(.init(id: int(99), name: text(), params: json(), label: maybe(text())))
    case .reply: .reply(int(4) == 0 ? .ended(id: int(99)) : .init(id: int(99), outcome: outcome()))
    case .callback: .callback(handle: text(), value: json())
    case .process: .process(process())
    case .output: .output(octets())
    case .breach: .breach(text())
    case .request: .request(upstream: text(), request())
    case .malformed: .malformed(upstream: text(), connection: int(9), reason: text(), octets())
    case .response: .response(upstream: text(), response())
    case .cut: .cut(upstream: text(), text: text())
    case .fault: .fault(upstream: text(), connection: int(9), kind: text())
    case .operated:
      .operated(label: maybe(text()), .init(name: text(), params: json(), outcome: outcome()))
    case .bound: .bound(label: text(), value: json())
    case .handshake:
      .handshake(
        upstream: text(),
        TLSHandshake(connection: int(9), outcome: one(of: TLSHandshake.Outcome.allCases), text: text()))
    case .kept: .kept(upstream: text(), connection: int(9))
    case .closed: .closed(upstream: text(), connection: int(9), by: one(of: TranscriptEntry.Closer.allCases))
    case .sent: .sent(label: maybe(text()), service: text(), request())
    case .received: .received(label: maybe(text()), response())
    case .failed:
      .failed(label: maybe(text()), WireFailure(one(of: WireFailure.Kind.allCases), text(), received: octets()))
    case .clock: .clock(time())
    case .end: .end(.init(one(of: TranscriptEntry.Ending.Kind.allCases), text()))
    }
  }

  mutating func subject() -> Subject {
    Subject(
      name: text(), version: text(), language: maybe(text()), platform: maybe(text()), capabilities: [text(), text()],
      isHonest: int(2) == 0)
  }

  mutating func header() -> TranscriptHeader {
    TranscriptHeader(
      kit: text(), protocolName: text(), specRevision: text(), packDigest: text(), role: Role(text()),
      instance: CaseInstance(id: CaseID(text()), row: maybe(text()), dialect: Dialect(text())),
      caseDigest: text(), clock: one(of: ClockMode.allCases), epoch: int(.max), seed: random.next(),
      subjects: ["sdk": subject(), Role("r" + text()): subject()],
      bindings: [text(): json(), "b" + text(): json()])
  }
}
