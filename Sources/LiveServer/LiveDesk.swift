import ConformanceJudge
import ConformanceModel
import ConformancePack
import ConformanceTranscript
import ConformanceWire
import HTTPValues
import JSONKit
import MockServices
import ServerRules
import Synchronization
import Templates

/// The state of a live server: its model, its fault, and the requests whose answers have not ended.
final class LiveDesk: Sendable {
  private struct Connection: Hashable {
    var service: ServiceName
    var number: Int
  }

  private struct Open {
    var entry: LiveEntry
    var since: ContinuousClock.Instant
  }

  private struct State {
    var dialect: Dialect
    var fault: LiveFault?
    var open: [Connection: Open] = [:]
  }

  let catalogue: Catalogue
  let journal = LiveJournal()
  private let pack: ProtocolPack
  private let options: LiveServer.Options
  private let judge: RequestJudge
  private let books: [Dialect: ExchangeBook]
  private let report: @Sendable (LiveEntry) -> Void
  private let state: Mutex<State>
  private let model: Mutex<any ServerModel>

  init(
    _ catalogue: Catalogue, _ pack: ProtocolPack, _ options: LiveServer.Options,
    _ report: @escaping @Sendable (LiveEntry) -> Void
  ) {
    (self.catalogue, self.pack, self.options, self.report) = (catalogue, pack, options, report)
    judge = RequestJudge(catalogue: catalogue, checks: pack.checks)
    let books = catalogue.definition.dialects.map { dialect in
      let table = ExchangeTable(catalogue.exchanges, dialect: dialect)
      return (dialect, ExchangeBook(table, exchanges: catalogue.exchanges, mount: "", isLenient: true))
    }
    self.books = Dictionary(books) { first, _ in first }
    state = Mutex(State(dialect: options.dialect))
    model = Mutex(pack.makeServer(options.dialect, options.seed, options.switches))
  }

  var dialect: Dialect { state.withLock(\.dialect) }
  var fault: LiveFault? { state.withLock(\.fault) }
  /// The number of requests whose answers have not ended.
  var openCount: Int { state.withLock(\.open.count) }

  func withModel<Value>(_ work: (inout any ServerModel) -> Value) -> Value { model.withLock { work(&$0) } }

  /// Resets the server to its initial state, in this dialect.
  func reset(to dialect: Dialect) {
    state.withLock { $0.dialect = dialect }
    withModel { $0 = pack.makeServer(dialect, options.seed, options.switches) }
  }

  /// Applies a fault to all answers from now on; nil ends the present fault.
  func setFault(_ fault: LiveFault?) { state.withLock { $0.fault = fault } }

  /// Updates the open requests and the journal after an event of a port.
  func note(_ event: WireEvent, at service: ServiceName) {
    switch event {
    case .request(let record): begin(record, at: service)
    case .fault(let number, let word): change(service, number) { $0.fault = word }
    case .response(let record): change(service, record.connection) { $0.response = record }
    case .concluded(let number), .closed(let number, _, _): finish(Connection(service: service, number: number))
    case .malformed(_, let reason, let octets): malformed(reason, octets, at: service)
    case .connected, .held, .released, .kept, .handshake: break
    }
  }

  private func begin(_ record: RequestRecord, at service: ServiceName) {
    let dialect = dialect
    let known = books[dialect]?.named(record, at: service) ?? record
    var entry = LiveEntry(at: .now, service: service, request: known)
    entry.violations = judge.violations(of: known, at: service, in: dialect, now: entry.at.text)
    entry.problem = Self.bodyProblem(of: known).map { .body($0) }
    let open = Open(entry: entry, since: .now)
    state.withLock { $0.open[Connection(service: service, number: record.connection)] = open }
  }

  /// Explains the mistake if the media type promises JSON and the body is not JSON. nil for any other body.
  private static func bodyProblem(of record: RequestRecord) -> String? {
    let type = record.headers["Content-Type"]?.lowercased() ?? ""
    guard type.contains("json"), !record.body.bytes.isEmpty else { return nil }
    do {
      _ = try JSON(parsing: record.body.bytes)
      return nil
    } catch { return "\(error)" }
  }

  private func change(_ service: ServiceName, _ number: Int, _ change: (inout LiveEntry) -> Void) {
    state.withLock { state in
      let key = Connection(service: service, number: number)
      if var open = state.open[key] {
        change(&open.entry)
        state.open[key] = open
      }
    }
  }

  private func finish(_ connection: Connection) {
    guard var open = state.withLock({ $0.open.removeValue(forKey: connection) }) else { return }
    open.entry.duration = open.since.duration(to: .now)
    complete(open.entry)
  }

  private func malformed(_ reason: String, _ octets: Octets, at service: ServiceName) {
    var entry = LiveEntry(at: .now, service: service)
    entry.problem = .request(reason)
    entry.request = RequestRecord(connection: 0, line: "", headers: .init(), body: octets)
    complete(entry)
  }

  private func complete(_ entry: LiveEntry) {
    report(journal.add(entry))
  }
}
