import ConformanceModel
import ConformanceTranscript
import ConformanceWire
import HTTPValues
import JSONKit
import NIOCore
import Recording
import ServerRules
import Subjects
import Synchronization
import Templates

/// The mock servers of one case: one ``MockModel`` behind the ports of all services that the kit plays.
package final class Mock: Sendable {
  /// A fault that the case armed and that never fired.
  package struct UnusedFault: Sendable {
    package var word: String
    package var place: String
  }

  fileprivate struct State {
    var model: MockModel
    var barriers: [Int: WireBarrier] = [:]
    var late = LateExchanges()
    /// The requests that wait for the answer of a real server.
    var relayed: [Task<Void, Never>] = []
  }

  let ports: [ServiceName: UpstreamPort]
  private let clock: CaseClock
  private let epoch: Int
  private let recorder: Recorder
  private let book: ExchangeBook
  private let bender: Bender?
  private let delivery: Delivery
  /// The subject's own wire profile, if it has one.
  private let wire: WireProfile?
  /// Answers at the services that a real server offers; nil if the kit plays all services.
  private let relay: Relay?
  private let state: Mutex<State>

  /// `epoch` is the instant of logical time zero, in milliseconds since 1970.
  package init(
    model: MockModel, ports: [UpstreamPort], clock: CaseClock, epoch: Int, recorder: Recorder, bender: Bender? = nil,
    wire: WireProfile? = nil, relay: Relay? = nil
  ) {
    self.ports = Dictionary(ports.map { ($0.service, $0) }) { first, _ in first }
    self.clock = clock
    self.epoch = epoch
    self.recorder = recorder
    self.bender = bender
    self.wire = wire
    self.relay = relay
    delivery = Delivery(bender: bender, clock: clock, recorder: recorder)
    book = model.book
    state = Mutex(State(model: model))
    for port in ports {
      let service = port.service
      port.assign(
        to: .init(
          reply: { [weak self] in self?.reply(to: $0, at: service) ?? WireReply([.close]) },
          journal: { [weak self] in self?.journal($0, at: service) }))
    }
  }

  /// The addresses of the ports, by the names that steps use.
  package var bindings: Bindings {
    Bindings(Dictionary(ports.map { ($0.rawValue, $1.address(mount: book.mount(of: $0))) }) { first, _ in first })
  }

  /// Whether a real server answers the requests of the SDK.
  package var isRelaying: Bool { relay != nil }

  package var unusedFaults: [UnusedFault] {
    state.withLock(\.model.unusedFaults).map { fault in
      UnusedFault(word: fault.kind.word, place: "\(Step.Scope(at: fault.service, exchange: fault.exchange))")
    }
  }

  package func script(_ answer: Step.Answer, bindings: Bindings) throws {
    try state.withLock { state throws(MockModel.ScriptFailure) in
      try state.model.script(answer, bindings: bindings)
    }
  }

  /// Arms a fault. Its filter may refer to the bindings. Faults that refuse connections or change certificates act on
  /// ports, all other faults on answers.
  package func arm(_ fault: Fault, bindings: Bindings = [:]) async throws {
    let fault = try fault.rendered(bindings)
    let service = state.withLock { state in
      state.model.arm(fault, bindings: bindings)
      return state.model.service(of: .init(at: fault.service, exchange: fault.exchange))
    }
    recorder.record(.cut(upstream: service?.rawValue ?? Selector.any, text: fault.text))
    if fault.kind == .refuse { for port in ports(at: service) { try await port.refuse() } }
    if case .tls = fault.kind { try await showCertificates(at: service) }
  }

  package func heal(_ scope: Step.Scope) async throws {
    let (service, barriers) = state.withLock { state in
      let ended = state.model.heal(scope)
      return (state.model.service(of: scope), ended.compactMap { state.barriers[$0] })
    }
    recorder.record(.cut(upstream: service?.rawValue ?? Selector.any, text: "heal \(scope)"))
    for barrier in barriers { barrier.open() }
    for port in ports(at: service) { try await port.listen() }
    try await showCertificates(at: service)
  }

  private func showCertificates(at service: ServiceName?) async throws {
    for port in ports(at: service) where port.speaksTLS {
      try await port.show(state.withLock { $0.model.flaw(at: port.service) })
    }
  }

  /// Releases the answers that the `hold` faults of a scope hold back.
  package func release(_ scope: Step.Scope) {
    let (service, barriers) = state.withLock { state in
      (state.model.service(of: scope), state.model.barriers(of: scope).compactMap { state.barriers[$0] })
    }
    recorder.record(.cut(upstream: service?.rawValue ?? Selector.any, text: "release \(scope)"))
    for barrier in barriers { barrier.open() }
  }

  /// Performs a command of an operator.
  package func operate(_ command: String, params: JSON, label: String?) -> CommandOutcome {
    let outcome = state.withLock { $0.model.operate(command, params: params.object ?? [:], now: now) }
    recorder.record(.operated(label: label, .init(name: command, params: params, outcome: outcome)))
    return outcome
  }

  /// Finds the clients that have closed their connections although the mocks still hold back an answer for them.
  /// Returns once the mocks have closed these connections, too, and no longer hold back the answers.
  package func noticeDepartures() async { for port in ports.values { await port.noticeDepartures() } }

  /// Returns once everything that the subject has sent to the ports by now is recorded.
  package func readDry() async { await UpstreamPort.readDry(ports.values) }

  /// Like ``readDry()``, for the calling event loop. Returns nil if everything is recorded.
  package func readDry(on loop: any EventLoop) -> EventLoopFuture<Void>? {
    UpstreamPort.readDry(ports.values, on: loop)
  }

  /// Gives the ports back after the case. Answers that the mock holds back are sent, and nothing is recorded any more.
  package func leave() async {
    delivery.end()
    for task in state.withLock(\.relayed) { task.cancel() }
    for barrier in state.withLock(\.barriers).values { barrier.open() }
    for port in ports.values {
      port.assign(to: nil)
      try? await port.listen()
    }
  }

  private var now: Int { epoch + Int(clock.now.milliseconds) }
  private var instant: Timestamp { Timestamp(milliseconds: now) }

  private func ports(at service: ServiceName?) -> [UpstreamPort] {
    guard let service else { return Array(ports.values) }
    return [ports[service]].compactMap(\.self)
  }

  private enum Translation {
    /// The request as cases describe it, translated from the wire profile.
    case known(RequestRecord)
    /// The wire profile replaces the request of this exchange with another request, so the received request is wrong.
    case replaced(exchange: String)
  }

  private func translated(_ record: RequestRecord, at service: ServiceName) -> Translation {
    guard let wire, book.path(of: record.request, at: service) != nil else { return .known(record) }
    switch wire.read(book.withoutMount(record.request, at: service), at: service) {
    case .other: return .known(record)
    case .replaced(let exchange): return .replaced(exchange: exchange)
    case .translated(var request):
      request.target = book.mount(of: service) + request.target
      let line = "\(request.method) \(request.target) HTTP/1.1"
      return .known(
        RequestRecord(
          connection: record.connection, line: line, headers: request.headers, body: Octets(request.body)))
    }
  }

  /// The reply to a request. The journal gets the request with its exchange.
  private func reply(to received: RequestRecord, at service: ServiceName) -> WireReply {
    if let relay, relay.server.addresses[service] != nil { return reply(to: received, at: service, by: relay) }
    if let preflight = WireReply(preflight: received, at: instant) { return preflight }
    switch translated(received, at: service) {
    case .known(let record): return reply(to: record, book.read(record, at: service), at: service)
    case .replaced(let exchange): return refusal(of: received, replaced: exchange)
    }
  }

  /// The reply of a real server. If the server gives no reply, the SDK is not at fault, and the case cannot be judged.
  private func reply(to received: RequestRecord, at service: ServiceName, by relay: Relay) -> WireReply {
    let read = book.read(received, at: service)
    let copies = bender?.requests(for: received, of: read.exchange?.name).map { book.read($0, at: service) } ?? []
    let sent = copies.first ?? read
    let pending = PendingReply()
    let task = Task { [recorder] in
      switch await relay.answer(to: sent.record, at: service) {
      case .success(let answer):
        if let obstacle = relay.obstacle(after: answer, to: sent.exchange) {
          recorder.halt(.init(.preconditionFailed, obstacle))
        }
        pending.give(WireReply(passingOn: answer, to: received))
      case .failure(let failure):
        // The kit gave up because the case is over.
        if !Task.isCancelled { recorder.halt(.init(.preconditionFailed, sent.record.unanswered(failure))) }
        pending.give(WireReply([.close]))
      }
      for other in copies.dropFirst() { await pass(other, to: service, by: relay) }
    }
    state.withLock { $0.relayed.append(task) }
    var reply = WireReply([.pending(pending)])
    reply.request = .read(sent.record)
    return reply
  }

  /// Passes on a request that a mutation has added, and records the request and the answer.
  private func pass(_ read: ReadRequest, to service: ServiceName, by relay: Relay) async {
    recorder.record(.request(upstream: service.rawValue, read.record))
    guard case .success(var answer) = await relay.answer(to: read.record, at: service) else { return }
    answer.connection = read.record.connection
    recorder.record(.response(upstream: service.rawValue, answer))
  }

  private func reply(to known: RequestRecord, _ read: ReadRequest, at service: ServiceName) -> WireReply {
    guard let bender else { return decide(read, at: service) }
    if let octets = bender.octets(of: known, read.exchange?.name) { return reply(to: octets, in: known, at: service) }
    let bent = bender.requests(for: known, of: read.exchange?.name).map { book.read($0, at: service) }
    guard let first = bent.first else { return forgottenReply(to: read, at: service) }
    let reply = decide(first, at: service)
    for other in bent.dropFirst() { answerUnseen(other, at: service) }
    return reply
  }

  /// The answer to a known request whose bytes a mutation has changed.
  private func reply(to octets: [UInt8], in known: RequestRecord, at service: ServiceName) -> WireReply {
    switch HTTPMessageReader.request(octets) {
    case .failure(let problem):
      return WireReply(refusing: problem, octets, to: known, at: instant)
    case .success(let message):
      let record = RequestRecord(
        connection: known.connection, line: message.line, headers: message.headers, body: Octets(message.body))
      return decide(book.read(record, at: service), at: service)
    }
  }

  /// Refuses a request in the form that cases describe, because the wire profile defines a different request for this
  /// exchange.
  private func refusal(of record: RequestRecord, replaced exchange: String) -> WireReply {
    var noted = record
    let reason = "the wire profile has another request for '\(exchange)'"
    noted.nearMiss = reason
    var reply = WireReply(response: .json(404, ["error": .string(reason)]), to: record, at: instant)
    reply.request = .read(noted)
    return reply
  }

  /// The answer to a request that a mutation has dropped. The request changes no state and is not recorded.
  private func forgottenReply(to read: ReadRequest, at service: ServiceName) -> WireReply {
    let response = state.withLock { state in
      var model = state.model
      return (try? model.decide(read, at: service, now: now))?.response
    }
    var reply = wireReply(MockModel.Decision(response: response ?? HTTPResponse(status: 500)), to: read)
    reply.request = .unnoted
    reply.response = nil
    return reply
  }

  /// Answers a request that a mutation has added, and records the request and the answer. Such a request has no real
  /// connection.
  private func answerUnseen(_ read: ReadRequest, at service: ServiceName) {
    recorder.record(.request(upstream: service.rawValue, read.record))
    guard let response = state.withLock({ try? $0.model.decide(read, at: service, now: now) })?.response else { return }
    let line = "HTTP/1.1 \(response.status) \(response.reason)"
    recorder.record(
      .response(
        upstream: service.rawValue,
        ResponseRecord(
          connection: read.record.connection, line: line, headers: response.headers, body: Octets(response.body))))
  }

  private func decide(_ read: ReadRequest, at service: ServiceName) -> WireReply {
    do {
      let (decision, barrier) = try state.withLock { state in
        let decision = try state.model.decide(read, at: service, now: now)
        return (decision, decision.barrier.map { number in state.barrier(number) })
      }
      if decision.opensBarrier { barrier?.open() }
      return wireReply(decision, to: read, barrier: barrier)
    } catch {
      recorder.halt(.init(.kitError, "the answer could not be given: \(error)"))
      return wireReply(MockModel.Decision(response: HTTPResponse(status: 500)), to: read)
    }
  }

  /// An answer, translated into the subject's wire profile. The journal gets request and answer as cases describe them.
  private func wireReply(
    _ decision: MockModel.Decision, to read: ReadRequest, barrier: WireBarrier? = nil
  ) -> WireReply {
    let own = decision.response
    let spoken = read.exchange.flatMap { exchange in wire?.write(own, to: exchange.name) }
    var reply = WireReply(
      response: spoken ?? own, fault: decision.fault, to: read.record, at: instant, barrier: barrier)
    reply.request = .read(read.record)
    // An answer that a fault has changed is recorded as it went out.
    if let spoken, let out = reply.response, out.status == spoken.status, out.body.bytes == spoken.body {
      reply.response?.line = "HTTP/1.1 \(own.status) \(own.reason)"
      reply.response?.body = Octets(own.body)
    }
    return reply
  }

  /// Records a request, delayed if a mutation delays the request. The events that waited for this request are recorded
  /// after it.
  private func deliver(_ record: RequestRecord, at service: ServiceName) {
    let number = state.withLock { $0.late.begin(record.connection, at: service) }
    delivery.deliver(.request, of: record.exchange, record.view) { [self] isLate in
      guard isLate else {
        state.withLock { $0.late.cancel(number) }
        return recorder.record(.request(upstream: service.rawValue, record))
      }
      var moved = record
      moved.connection += Bender.otherConnections
      recorder.record(.request(upstream: service.rawValue, moved))
      for event in state.withLock({ $0.late.write(number) }) { recorder.record(event) }
    }
  }

  /// Records an event of a request. If the request itself is not recorded yet, the event waits for it.
  private func record(_ event: TranscriptEntry.Event, on connection: Int, at service: ServiceName) {
    if let event = state.withLock({ $0.late.take(event, on: connection, at: service) }) { recorder.record(event) }
  }

  private func journal(_ event: WireEvent, at service: ServiceName) {
    let name = service.rawValue
    switch event {
    case .connected, .concluded: break
    case .request(let record):
      bender == nil ? recorder.record(.request(upstream: name, record)) : deliver(record, at: service)
    case .malformed(let connection, let reason, let octets):
      recorder.record(.malformed(upstream: name, connection: connection, reason: reason, octets))
    case .fault(let connection, let kind):
      state.withLock { $0.model.noteFired(kind, at: service) }
      self.record(.fault(upstream: name, connection: connection, kind: kind), on: connection, at: service)
    case .handshake(let handshake): recorder.record(.handshake(upstream: name, handshake))
    case .response(let record):
      self.record(.response(upstream: name, record), on: record.connection, at: service)
    case .held: recorder.change { $0.hold(true) }
    case .released: recorder.change { $0.hold(false) }
    case .kept(let connection): self.record(.kept(upstream: name, connection: connection), on: connection, at: service)
    // The time at which a client closes an idle connection is not evidence about the client.
    case .closed(_, _, isIdle: true): break
    case .closed(let connection, let side, isIdle: false):
      self.record(.closed(upstream: name, connection: connection, by: side), on: connection, at: service)
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

extension RequestRecord {
  /// The reason with which a case ends if its server did not answer this request.
  fileprivate func unanswered(_ failure: WireFailure) -> String {
    "the server gave no answer to \(method) \(target): \(failure.text)"
  }
}

extension Fault {
  /// The description of the fault in the transcript.
  fileprivate var text: String {
    [
      kind.word, kind.flaw?.rawValue, exchange, service.map { "at \($0)" }, skip > 0 ? "after \(skip)" : nil,
      times.map { "\($0) times" },
    ].compactMap(\.self).joined(separator: " ")
  }
}

extension Fault.Kind {
  fileprivate var flaw: Fault.CertificateFlaw? { if case .tls(let flaw) = self { flaw } else { nil } }
}

extension Fault {
  /// The fault with the holes of its redirect target filled.
  fileprivate func rendered(_ bindings: Bindings) throws -> Fault {
    guard case .redirect(let status, let location) = kind else { return self }
    var fault = self
    fault.kind = .redirect(status: status, location: try Template(JSONField(.string(location))).renderText(bindings))
    return fault
  }
}
