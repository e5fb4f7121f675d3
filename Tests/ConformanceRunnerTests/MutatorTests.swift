import ConformanceModel
import ConformanceTranscript
import HTTPValues
import JSONKit
import Testing

@testable import Proof

@Suite struct MutatorTests {
  private static func transcript(
    _ events: [TranscriptEntry.Event], role: Role = "sdk", isDriven: Bool = true
  ) -> Transcript {
    let header = TranscriptHeader(
      kit: "test", protocolName: "parcel", specRevision: "1", role: role,
      instance: CaseInstance(id: "send.plain", row: nil, dialect: "plain"), clock: .virtual, epoch: 0, seed: 1,
      subjects: ["sdk": Subject(name: "s", version: "1")], bindings: [:])
    let launch: [TranscriptEntry.Event] = isDriven ? [.process(.started(launch: 1))] : []
    let entries = (launch + events + [.end(.init(.completed))]).enumerated().map { index, event in
      TranscriptEntry(number: index + 1, at: .zero, event: event)
    }
    return Transcript(header: header, entries: entries)
  }

  private static func request(_ body: JSON, connection: Int = 1) -> TranscriptEntry.Event {
    .request(
      upstream: "main",
      RequestRecord(
        connection: connection, line: "POST /parcels?a=1&b=%20 HTTP/1.1", headers: ["Host": "h"],
        body: Octets(body.compactText.utf8), exchange: "parcel"))
  }

  private static func response(_ status: Int, connection: Int = 1) -> TranscriptEntry.Event {
    .response(
      upstream: "main",
      ResponseRecord(connection: connection, line: "HTTP/1.1 \(status) X", headers: [:], body: Octets([])))
  }

  private static func command(_ name: String, _ params: JSON = [:]) -> TranscriptEntry.Event {
    .command(.init(id: 1, name: name, params: params, label: nil))
  }

  private static func reply(_ outcome: CommandOutcome) -> TranscriptEntry.Event {
    .reply(.init(id: 1, outcome: outcome))
  }

  /// The transcript with its first mutant of a kind; nil when there is none.
  private static func bent(_ transcript: Transcript, _ kind: String) -> [TranscriptEntry.Event]? {
    Mutator(transcript).mutants.first { "\($0.kind)" == kind }.map { $0.applied(to: transcript).entries.map(\.event) }
  }

  struct Row: Sendable, CustomTestStringConvertible {
    var kind: String
    var events: [TranscriptEntry.Event]
    var bent: [TranscriptEntry.Event]

    var testDescription: String { kind }
  }

  private static let body: JSON = ["id": 7, "to": "me", "parts": ["x"], "paid": true, "gift": .null]
  private static let one = request(body)

  private static func bodyRow(_ kind: String, _ bent: JSON) -> Row {
    Row(kind: "request parcel \(kind)", events: [one], bent: [request(bent)])
  }

  private static func lineRow(_ kind: String, _ line: String, exchange: String? = "parcel") -> Row {
    let bent = RequestRecord(
      connection: 1, line: line, headers: ["Host": "h"], body: Octets(body.compactText.utf8), exchange: exchange)
    return Row(kind: "request parcel \(kind)", events: [one], bent: [.request(upstream: "main", bent)])
  }

  private static func replyRow(_ kind: String, _ before: CommandOutcome, _ after: CommandOutcome) -> Row {
    Row(kind: "reply send \(kind)", events: [command("send"), reply(before)], bent: [command("send"), reply(after)])
  }

  private static let refused = CommandError(kind: "network", status: 503, message: "no")

  private static let rows: [Row] = [
    Row(kind: "request parcel lost", events: [one], bent: []),
    Row(
      kind: "request parcel doubled", events: [one, response(200)],
      bent: [one, response(200), request(body, connection: 1_000_000), response(200, connection: 1_000_000)]),
    Row(
      kind: "request parcel swapped", events: [one, response(200), request([:], connection: 2)],
      bent: [request([:], connection: 2), response(200), one]),
    bodyRow("body.to removed", ["id": 7, "parts": ["x"], "paid": true, "gift": .null]),
    bodyRow("body.to renamed", ["id": 7, "parts": ["x"], "paid": true, "gift": .null, "toX": "me"]),
    bodyRow("body.to retyped", ["id": 7, "to": 1, "parts": ["x"], "paid": true, "gift": .null]),
    bodyRow("body.to altered", ["id": 7, "to": "mex", "parts": ["x"], "paid": true, "gift": .null]),
    bodyRow("body.id retyped", ["id": "7", "to": "me", "parts": ["x"], "paid": true, "gift": .null]),
    bodyRow("body.id altered", ["id": 8, "to": "me", "parts": ["x"], "paid": true, "gift": .null]),
    bodyRow("body.paid altered", ["id": 7, "to": "me", "parts": ["x"], "paid": false, "gift": .null]),
    bodyRow("body.gift altered", ["id": 7, "to": "me", "parts": ["x"], "paid": true, "gift": "x"]),
    bodyRow("body.parts retyped", ["id": 7, "to": "me", "parts": [:], "paid": true, "gift": .null]),
    bodyRow("body.parts[] removed", ["id": 7, "to": "me", "parts": [], "paid": true, "gift": .null]),
    lineRow("method altered", "POSTx /parcels?a=1&b=%20 HTTP/1.1", exchange: nil),
    lineRow("path altered", "POST /parcelsx?a=1&b=%20 HTTP/1.1", exchange: nil),
    lineRow("query.a removed", "POST /parcels?b=%20 HTTP/1.1"),
    lineRow("query.b altered", "POST /parcels?a=1&b=%20x HTTP/1.1"),
    Row(
      kind: "callback onParcel doubled",
      events: [command("onParcel", ["handle": "first"]), .callback(handle: "first", value: 1)],
      bent: [
        command("onParcel", ["handle": "first"]), .callback(handle: "first", value: 1),
        .callback(handle: "first", value: 1),
      ]),
    Row(
      kind: "callback onParcel value altered",
      events: [command("onParcel", ["handle": "first"]), .callback(handle: "first", value: 1)],
      bent: [command("onParcel", ["handle": "first"]), .callback(handle: "first", value: 2)]),
    replyRow("failed", .result(3), .error(CommandError(kind: "generic"))),
    replyRow("succeeded", .error(refused), .result(.null)),
    replyRow("unanswered", .result(3), .noReply),
    replyRow("result altered", .result(3), .result(4)),
    replyRow("error.kind altered", .error(refused), .error(.init(kind: "networkx", status: 503, message: "no"))),
  ]

  @Test(arguments: rows)
  func bends(_ row: Row) throws {
    let bent = try #require(Self.bent(Self.transcript(row.events), row.kind))
    #expect(bent == [.process(.started(launch: 1))] + row.bent + [.end(.init(.completed))])
  }

  @Test(arguments: [(200, 500), (404, 200)])
  func aStatusOfAServerTurnsIntoItsOpposite(before: Int, after: Int) throws {
    func received(_ status: Int, _ reason: String) -> TranscriptEntry.Event {
      .received(
        label: "sent",
        ResponseRecord(connection: 1, line: "HTTP/1.1 \(status)\(reason)", headers: [:], body: Octets([])))
    }
    let sent = TranscriptEntry.Event.sent(
      label: "sent", service: "main",
      RequestRecord(connection: 1, line: "GET / HTTP/1.1", headers: [:], body: Octets([]), exchange: "parcel"))
    let transcript = Self.transcript([sent, received(before, " X")], role: "server", isDriven: false)
    let bent = try #require(Self.bent(transcript, "response parcel status altered"))
    #expect(bent[1] == received(after, ""))
    #expect(Self.bent(transcript, "response parcel lost")?[1] != received(before, " X"))
  }

  @Test(arguments: rows) func everyMutantNumbersItsEntriesFromOne(row: Row) {
    let transcript = Self.transcript(row.events)
    for mutant in Mutator(transcript).mutants {
      let numbers = mutant.applied(to: transcript).entries.map(\.number)
      #expect(numbers == Array(1...numbers.count), "\(mutant.kind)")
    }
  }

  @Test func whatTheKitDidStaysAsItIs() {
    let events = [Self.command("makeLink"), Self.reply(.result("made")), Self.response(200)]
    #expect(Mutator(Self.transcript(events, role: "server", isDriven: false)).mutants.isEmpty)
  }
}
