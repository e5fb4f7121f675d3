import ConformanceModel
import ConformanceWire
import JSONKit
import Synchronization

/// An upstream port of one case: a mock server on a socket of its own, whose answers an ``UpstreamModel`` decides.
final class Upstream: Sendable {
  /// A fault that the case armed and that never fired.
  struct UnusedFault: Sendable {
    var upstream: String
    var word: String
  }

  private struct State {
    var model: UpstreamModel
    var server: MockServer?
  }

  let name: String
  private let clock: CaseClock
  private let epoch: Int
  private let recorder: Recorder
  private let book: ExchangeBook
  private let state: Mutex<State>

  private init(name: String, model: UpstreamModel, clock: CaseClock, epoch: Int, recorder: Recorder) {
    self.name = name
    self.clock = clock
    self.epoch = epoch
    self.recorder = recorder
    book = model.book
    state = Mutex(State(model: model))
  }

  /// Opens the port. `epoch` is logical time zero in milliseconds since 1970.
  static func open(
    name: String, model: UpstreamModel, clock: CaseClock, epoch: Int, recorder: Recorder
  ) async throws -> Upstream {
    let upstream = Upstream(name: name, model: model, clock: clock, epoch: epoch, recorder: recorder)
    let server = try await MockServer.start(
      name: name, clock: clock.wire, responder: { upstream.reply(to: $0) }, journal: { upstream.journal($0) })
    upstream.state.withLock { $0.server = server }
    return upstream
  }

  /// Where the subject finds it: `url` with the mount point, `port`, `host`.
  var address: JSON {
    let port = server?.port ?? 0
    return [
      "url": .string("http://127.0.0.1:\(port)\(book.mount)"), "port": .int(port),
      "host": .string("127.0.0.1:\(port)"),
    ]
  }

  /// The faults that were armed and never fired.
  var unusedFaults: [UnusedFault] {
    state.withLock(\.model.unusedFaults).map { UnusedFault(upstream: name, word: $0.kind.word) }
  }

  func script(_ answer: Step.Answer, bindings: Bindings) {
    state.withLock { $0.model.script(answer, bindings: bindings) }
  }

  /// Arms or heals a fault. Refusing is a state of the port, every other fault one of its answers.
  func apply(_ change: Step.Cut.Change) async throws {
    recorder.record(.cut(upstream: name, text: change.text))
    switch change {
    case .arm(let fault):
      state.withLock { $0.model.arm(fault) }
      if fault.kind == .refuse { try await server?.refuse() }
    case .heal(let exchange):
      state.withLock { $0.model.heal(exchange: exchange) }
      if exchange == nil { try await server?.listen() }
    }
  }

  /// Releases the requests whose clients have left by now.
  func noticeDepartures() async { await server?.noticeDepartures() }

  func close() async { await server?.stop() }

  private var server: MockServer? { state.withLock(\.server) }

  private func reply(to record: RequestRecord) -> WireReply {
    let now = epoch + Int(clock.now.milliseconds)
    do {
      let decision = try state.withLock { state throws(Template.RenderError) in
        try state.model.decide(record, now: now)
      }
      return WireReply(response: decision.response, fault: decision.fault)
    } catch {
      recorder.halt(.init(.kitError, "the scripted answer could not be rendered: \(error)"))
      return WireReply(response: HTTPResponse(status: 500))
    }
  }

  private func journal(_ event: WireEvent) {
    switch event {
    case .connected, .concluded: break
    case .request(let record): recorder.record(.request(upstream: name, book.classify(record)))
    case .malformed(let connection, let reason, let octets):
      recorder.record(.malformed(upstream: name, connection: connection, reason: reason, octets))
    case .fault(let connection, let kind): recorder.record(.fault(upstream: name, connection: connection, kind: kind))
    case .response(let record): recorder.record(.response(upstream: name, record))
    case .held: recorder.change { $0.hold(true) }
    case .released: recorder.change { $0.hold(false) }
    case .closed(let connection, let side):
      recorder.record(.closed(upstream: name, connection: connection, by: side))
    }
  }
}

extension Step.Cut.Change {
  /// What the transcript says of it.
  var text: String {
    switch self {
    case .heal(let exchange): exchange.map { "heal \($0)" } ?? "heal"
    case .arm(let fault):
      [
        fault.kind.word, fault.exchange, fault.skip > 0 ? "after \(fault.skip)" : nil,
        fault.times.map { "\($0) times" },
      ].compactMap(\.self).joined(separator: " ")
    }
  }
}
