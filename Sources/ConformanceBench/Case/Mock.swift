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
    /// The connections whose requests a bender has lost, by service.
    var lost: [ServiceName: Set<Int>] = [:]
  }

  let ports: [ServiceName: UpstreamPort]
  private let clock: CaseClock
  private let epoch: Int
  private let recorder: Recorder
  private let book: ExchangeBook
  private let bender: Bender?
  private let state: Mutex<State>

  /// `epoch` is logical time zero in milliseconds since 1970.
  init(model: MockModel, ports: [UpstreamPort], clock: CaseClock, epoch: Int, recorder: Recorder, bender: Bender? = nil)
  {
    self.ports = Dictionary(ports.map { ($0.service, $0) }) { first, _ in first }
    self.clock = clock
    self.epoch = epoch
    self.recorder = recorder
    self.bender = bender
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
    let fault = try fault.rendered(bindings)
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
    guard let bender else { return decide(record, at: service) }
    let records = bender.requests(for: record, of: book.exchange(for: record.request, at: service)?.name)
    guard let first = records.first else { return forgottenReply(to: record, at: service) }
    let reply = decide(first, at: service)
    for other in records.dropFirst() { answerUnseen(other, at: service) }
    return reply
  }

  /// The answer to a request that nobody has seen: it leaves no trace.
  private func forgottenReply(to record: RequestRecord, at service: ServiceName) -> WireReply {
    let response = state.withLock { state in
      var model = state.model
      return (try? model.decide(record, at: service, now: now))?.response
    }
    return WireReply(response: response ?? HTTPResponse(status: 500), method: record.method)
  }

  /// Takes a request that came on no connection, and writes down its answer.
  private func answerUnseen(_ record: RequestRecord, at service: ServiceName) {
    recorder.record(.request(upstream: service.rawValue, book.classify(record, at: service)))
    guard let response = state.withLock({ try? $0.model.decide(record, at: service, now: now) })?.response else {
      return
    }
    let line = "HTTP/1.1 \(response.status) \(response.reason)"
    recorder.record(
      .response(
        upstream: service.rawValue,
        ResponseRecord(
          connection: record.connection, line: line, headers: response.headers, body: Octets(response.body))))
  }

  private func decide(_ record: RequestRecord, at service: ServiceName) -> WireReply {
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

  /// Writes a request down, as a bender leaves it.
  private func note(_ record: RequestRecord, at service: ServiceName) {
    let exchange = book.exchange(for: record.request, at: service)?.name
    guard let bender else {
      return recorder.record(.request(upstream: service.rawValue, book.classify(record, at: service)))
    }
    guard let first = bender.requests(for: record, of: exchange, counting: true).first else {
      return state.withLock { _ = $0.lost[service, default: []].insert(record.connection) }
    }
    recorder.record(.request(upstream: service.rawValue, book.classify(first, at: service)))
  }

  private func journal(_ event: WireEvent, at service: ServiceName) {
    let name = service.rawValue
    switch event {
    case .connected, .concluded: break
    case .request(let record): note(record, at: service)
    case .malformed(let connection, let reason, let octets):
      recorder.record(.malformed(upstream: name, connection: connection, reason: reason, octets))
    case .fault(let connection, let kind): recorder.record(.fault(upstream: name, connection: connection, kind: kind))
    case .response(let record):
      guard state.withLock({ $0.lost[service]?.remove(record.connection) }) == nil else { break }
      recorder.record(.response(upstream: name, record))
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

extension Fault {
  /// The fault with the names in the place where it leads to.
  fileprivate func rendered(_ bindings: Bindings) throws -> Fault {
    guard case .redirect(let status, let location) = kind else { return self }
    var fault = self
    fault.kind = .redirect(status: status, location: try Template(JSONField(.string(location))).renderText(bindings))
    return fault
  }
}
