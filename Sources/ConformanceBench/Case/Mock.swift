import ConformanceModel
import ConformanceWire
import JSONKit
import Synchronization

/// The mock servers of one case: a ``MockModel`` behind the ports of all services that the kit plays.
final class Mock: Sendable {
  /// A fault that the case armed and that never fired.
  struct UnusedFault: Sendable {
    var word: String
    var place: String
  }

  fileprivate struct State {
    var model: MockModel
    var barriers: [Int: WireBarrier] = [:]
  }

  let ports: [ServiceName: UpstreamPort]
  private let clock: CaseClock
  private let epoch: Int
  private let recorder: Recorder
  private let book: ExchangeBook
  private let state: Mutex<State>

  /// `epoch` is logical time zero in milliseconds since 1970.
  init(model: MockModel, ports: [UpstreamPort], clock: CaseClock, epoch: Int, recorder: Recorder) {
    self.ports = Dictionary(ports.map { ($0.service, $0) }) { first, _ in first }
    self.clock = clock
    self.epoch = epoch
    self.recorder = recorder
    book = model.book
    state = Mutex(State(model: model))
    for port in ports {
      let service = port.service
      port.lend(
        to: .init(
          reply: { [weak self] in self?.reply(to: $0, at: service) ?? WireReply([.close]) },
          journal: { [weak self] in self?.journal($0, at: service) }))
    }
  }

  /// The names by which steps refer to the ports.
  var bindings: Bindings {
    Bindings(Dictionary(ports.map { ($0.rawValue, $1.address(mount: book.mount(of: $0))) }) { first, _ in first })
  }

  /// The faults that were armed and never fired.
  var unusedFaults: [UnusedFault] {
    state.withLock(\.model.unusedFaults).map { fault in
      UnusedFault(word: fault.kind.word, place: "\(Step.Scope(at: fault.service, exchange: fault.exchange))")
    }
  }

  func script(_ answer: Step.Answer, bindings: Bindings) throws {
    try state.withLock { state throws(MockModel.ScriptFailure) in
      try state.model.script(answer, bindings: bindings)
    }
  }

  /// Arms a fault, whose filter may refer to the bindings. Refusing is a state of ports, every other fault one of their answers.
  func arm(_ fault: Fault, bindings: Bindings = [:]) async throws {
    let service = state.withLock { state in
      state.model.arm(fault, bindings: bindings)
      return state.model.service(of: .init(at: fault.service, exchange: fault.exchange))
    }
    recorder.record(.cut(upstream: service?.rawValue ?? Selector.any, text: fault.text))
    guard fault.kind == .refuse else { return }
    for port in ports(at: service) { try await port.refuse() }
  }

  func heal(_ scope: Step.Scope) async throws {
    let (service, barriers) = state.withLock { state in
      let ended = state.model.heal(scope)
      return (state.model.service(of: scope), ended.compactMap { state.barriers[$0] })
    }
    recorder.record(.cut(upstream: service?.rawValue ?? Selector.any, text: "heal \(scope)"))
    for barrier in barriers { barrier.open() }
    for port in ports(at: service) { try await port.listen() }
  }

  /// Lets the answers go that wait at the barriers of a scope.
  func release(_ scope: Step.Scope) {
    let (service, barriers) = state.withLock { state in
      (state.model.service(of: scope), state.model.barriers(of: scope).compactMap { state.barriers[$0] })
    }
    recorder.record(.cut(upstream: service?.rawValue ?? Selector.any, text: "release \(scope)"))
    for barrier in barriers { barrier.open() }
  }

  /// Does what an operator could do to a server.
  func operate(_ command: String, params: JSON, label: String?) -> CommandOutcome {
    let outcome = state.withLock { $0.model.operate(command, params: params.object ?? [:], now: now) }
    recorder.record(.operated(label: label, .init(name: command, params: params, outcome: outcome)))
    return outcome
  }

  /// Releases the requests whose clients have left by now.
  func noticeDepartures() async { for port in ports.values { await port.noticeDepartures() } }

  /// Returns when all is written down that the subject had sent to a port by now.
  func readDry() async { for port in ports.values { await port.readDry() } }

  /// The same for a thread that may block.
  func waitUntilDry() { for port in ports.values { port.waitUntilDry() } }

  /// Lets go of the ports: what still waits there is let through, and nobody hears of it.
  func leave() async {
    for barrier in state.withLock(\.barriers).values { barrier.open() }
    for port in ports.values {
      port.lend(to: nil)
      try? await port.listen()
    }
  }

  private var now: Int { epoch + Int(clock.now.milliseconds) }

  private func ports(at service: ServiceName?) -> [UpstreamPort] {
    guard let service else { return Array(ports.values) }
    return [ports[service]].compactMap(\.self)
  }

  private func reply(to record: RequestRecord, at service: ServiceName) -> WireReply {
    do {
      let (decision, barrier) = try state.withLock { state in
        let decision = try state.model.decide(record, at: service, now: now)
        return (decision, decision.barrier.map { number in state.barrier(number) })
      }
      if decision.opensBarrier { barrier?.open() }
      return WireReply(response: decision.response, fault: decision.fault, method: record.method, barrier: barrier)
    } catch {
      recorder.halt(.init(.kitError, "the answer could not be given: \(error)"))
      return WireReply(response: HTTPResponse(status: 500))
    }
  }

  private func journal(_ event: WireEvent, at service: ServiceName) {
    let name = service.rawValue
    switch event {
    case .connected, .concluded: break
    case .request(let record): recorder.record(.request(upstream: name, book.classify(record, at: service)))
    case .malformed(let connection, let reason, let octets):
      recorder.record(.malformed(upstream: name, connection: connection, reason: reason, octets))
    case .fault(let connection, let kind): recorder.record(.fault(upstream: name, connection: connection, kind: kind))
    case .response(let record): recorder.record(.response(upstream: name, record))
    case .held: recorder.change { $0.hold(true) }
    case .released: recorder.change { $0.hold(false) }
    case .closed(let connection, let side): recorder.record(.closed(upstream: name, connection: connection, by: side))
    }
  }
}

extension Mock.State {
  fileprivate mutating func barrier(_ number: Int) -> WireBarrier {
    if let known = barriers[number] { return known }
    let barrier = WireBarrier()
    barriers[number] = barrier
    return barrier
  }
}

extension Fault {
  /// What the transcript says of it.
  fileprivate var text: String {
    [
      kind.word, exchange, service.map { "at \($0)" }, skip > 0 ? "after \(skip)" : nil, times.map { "\($0) times" },
    ].compactMap(\.self).joined(separator: " ")
  }
}
