import ConformanceModel
import ConformanceTranscript
import HTTPValues
import JSONKit
import Testing

@testable import Recording

/// The observations that are counted during a case are those that claims see in the same entries afterwards.
@Suite struct ObservationWatchTests {
  private static let header = TranscriptHeader(
    kit: "k", protocolName: "p", specRevision: "1", role: "sdk",
    instance: CaseInstance(id: "c", row: nil, dialect: Sample.dialect), clock: .virtual, epoch: 0, seed: 1,
    subjects: [:], bindings: [:])

  private static let event = Selector.Subject.request(exchange: "event")
  private static let answers = Selector.Subject.response(exchange: Selector.any)
  private static let list = JSONPath([.key("body"), .key("list")])

  private static let selectors: [Selector] = [
    Selector(event), Selector(event, at: "main"), Selector(.request(exchange: Selector.any), at: "other"),
    Selector(event, after: "s1"), Selector(event, before: "s2"), Selector(event, after: "s0", before: "s3"),
    Selector(event, filter: template(["answered": ["$status": "ok"]])),
    Selector(event, filter: template(["answered": ["$absent": true]])),
    Selector(event, filter: template(["body": ["n": "${s1}"]])),
    Selector(event, filter: template(["body": ["n": "${s1.n}"]])),
    Selector(event, items: list),
    Selector(event, filter: template(["request": ["answered": 200]]), items: list),
    Selector(answers), Selector(answers, at: "main", filter: template(["request": ["body": ["n": 1]]])),
    Selector(answers, at: "app"), Selector(.callback(handle: "d")),
    Selector(.callback(handle: "d"), after: "s1", filter: template("${s0}")), Selector(.reply(label: "s1")),
    Selector(.step(label: "s2")), Selector(.closed, at: "main"),
  ]

  @Test(arguments: 0..<40)
  func itEqualsWhatEvidenceSaysOfEveryBeginning(seed: Int) {
    var random = SeededRandom(seed: UInt64(seed))
    let entries = random.entries(count: 50)
    let log = ObservationLog()
    func watch(_ selector: Selector) -> ObservationWatch {
      ObservationWatch(selector, header: Self.header, models: [:], log: log)
    }
    let watches = Self.selectors.map { ($0, watch($0)) }
    var length = 0
    while length < entries.count {
      // Several entries may come between two checks.
      length = min(entries.count, length + Int.random(in: 1...4, using: &random))
      let beginning = Array(entries[..<length])
      let evidence = Evidence(transcript: Transcript(header: Self.header, entries: beginning), models: [:])
      for (selector, early) in watches {
        let seen = evidence.observations(selector)
        let text: Comment = "\(selector) in \(length) of seed \(seed)"
        // Three watches: one that checks a few entries at a time, one that checks from the last one back, and one that
        // starts late.
        #expect(early.hasSeen(1, in: beginning) == (seen.count >= 1), text)
        #expect(early.last(in: beginning) == seen.last?.view, text)
        if Bool.random(using: &random) { #expect(early.hasSeen(seen.count, in: beginning), text) }
        #expect(!watch(selector).hasSeen(seen.count + 1, in: beginning), text)
        #expect(watch(selector).last(in: beginning) == seen.last?.view, text)
      }
    }
  }

  @Test func variablesOfALoopAreNames() {
    let selector = Selector(Self.event, filter: template(["body": ["n": "e${round}"]]))
    let entries = (1...3).map { number in
      var record = Sample.record("POST /event", ["n": .string("e\(number)")])
      record.exchange = "event"
      return TranscriptEntry(number: number, at: .zero, event: .request(upstream: "main", record))
    }
    let second = ObservationWatch(selector, header: Self.header, models: [:], variables: ["round": 2])
    #expect(second.hasSeen(1, in: entries))
    #expect(!second.hasSeen(2, in: entries))
    #expect(second.last(in: entries)?["body"] == ["n": "e2"])
  }

  @Test func anElementCarriesTheRequestItCameIn() {
    let record = Sample.record("POST /event", ["list": [["a": 1]]])
    var classified = record
    classified.exchange = "event"
    let watch = ObservationWatch(Selector(Self.event, items: Self.list), header: Self.header, models: [:])
    let entries = [TranscriptEntry(number: 1, at: .zero, event: .request(upstream: "main", classified))]
    #expect(watch.last(in: entries)?["a"] == 1)
    #expect(watch.last(in: entries)?["request"]?["path"] == "/event")
  }
}

extension SeededRandom {
  /// Entries in a random order that no case would produce.
  fileprivate mutating func entries(count: Int) -> [TranscriptEntry] {
    var open = ["s0", "s1", "s2", "s3"]
    var begun: [String] = []
    return (1...count).map { number in
      TranscriptEntry(number: number, at: .milliseconds(Double(number)), event: event(number, &open, &begun))
    }
  }

  private mutating func event(_ number: Int, _ open: inout [String], _ begun: inout [String]) -> TranscriptEntry.Event {
    let port = Bool.random(using: &self) ? "main" : "other"
    let connection = Int.random(in: 1...3, using: &self)
    let labels = ["s0", "s1", "s2", "s3"]
    let label = labels[Int.random(in: 0...3, using: &self)]
    let small = JSON.int(Int.random(in: 0...2, using: &self))
    switch Int.random(in: 0...13, using: &self) {
    case 0...2:
      var record = Sample.record("POST /event", ["n": small, "list": [["n": small], small]])
      record.connection = connection
      record.exchange = Bool.random(using: &self) ? "event" : "note"
      return .request(upstream: port, record)
    case 3...4: return .response(upstream: port, answer(connection))
    case 5: return .closed(upstream: port, connection: connection, by: .subject)
    case 6:
      let kinds = ["drop", "drip", "delay"]
      return .fault(upstream: port, connection: connection, kind: kinds[Int.random(in: 0...2, using: &self)])
    case 7: return .callback(handle: Bool.random(using: &self) ? "d" : "e", value: small)
    case 8: return .bound(label: label, value: Bool.random(using: &self) ? small : ["n": small])
    case 9: return .command(.init(id: number, name: "go", params: [:], label: label))
    case 10: return .reply(.init(id: Int.random(in: 1...number, using: &self), outcome: .result(small)))
    case 11:
      return Bool.random(using: &self)
        ? .sent(label: label, service: "app", Sample.event()) : .received(label: label, answer(0))
    case 12:
      guard let next = open.popLast() else { return .clock(.zero) }
      begun.append(next)
      return .stepBegan(.init(place: "1", word: "go", label: next))
    default:
      guard let next = begun.popLast() else { return .clock(.zero) }
      return .stepEnded(.init(place: "1", word: "go", label: next))
    }
  }

  private mutating func answer(_ connection: Int) -> ResponseRecord {
    let status = Bool.random(using: &self) ? 200 : 503
    return ResponseRecord(connection: connection, line: "HTTP/1.1 \(status) X", headers: [:], body: Octets([]))
  }
}
