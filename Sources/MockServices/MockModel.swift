import ConformanceModel
import ConformancePack
import ConformanceTranscript
import HTTPValues
import JSONKit
import Templates

/// Decides how the mock servers of one case answer: with a scripted answer, or otherwise as the protocol's reference
/// server does. All services share this reference server. An armed fault changes or replaces the answer.
///
/// It is a state machine without I/O. ``Mock`` connects it to ports.
package struct MockModel: Sendable {
  /// An answer and the fault that changes or replaces it.
  struct Decision: Sendable {
    var response: HTTPResponse
    var fault: Fault.Kind?
    /// The number of the fault whose barrier the answer waits for.
    var barrier: Int?
    /// Whether this request opens the barrier, because enough answers now wait for it.
    var opensBarrier = false
  }

  /// The error for a script, or a rule of the server, that cannot be executed. The catalogue causes it, not the
  /// subject.
  struct ScriptFailure: Error, CustomStringConvertible {
    var description: String
  }

  private struct Script: Sendable {
    var answer: Step.Answer
    var bindings: Bindings
    var left: Int?
  }

  private struct Armed: Sendable {
    var number: Int
    var fault: Fault
    /// The values to which the fault's filter may refer.
    var bindings: Bindings
    var service: ServiceName?
    var skip: Int
    var left: Int?
    var hasFired = false
    /// The number of answers that wait for the barrier.
    var waiting = 0
  }

  let book: ExchangeBook
  private let catalogue: Catalogue
  private let dialect: Dialect
  private var server: any ServerModel
  private var scripts: [Script] = []
  private var faults: [Armed] = []

  package init(book: ExchangeBook, catalogue: Catalogue, dialect: Dialect, server: any ServerModel) {
    self.book = book
    self.catalogue = catalogue
    self.dialect = dialect
    self.server = server
  }

  /// Records that a fault of a port has affected a client. The fault may already have ended, because the result of a
  /// handshake is reported later.
  mutating func noteFired(_ word: String, at service: ServiceName) {
    let meant = faults.indices.filter { index in
      let (fault, place) = (faults[index].fault, faults[index].service)
      return fault.kind.isOfService && fault.kind.word == word && place ?? service == service
    }
    let armed = meant.filter { faults[$0].left != 0 }
    for index in armed.isEmpty ? meant : armed { faults[index].hasFired = true }
  }

  /// The flaw of a service's certificate, from the fault of this kind that was armed last; nil if no fault changes the
  /// certificate.
  func flaw(at service: ServiceName) -> Fault.CertificateFlaw? {
    for armed in faults.reversed() where armed.left != 0 && armed.service ?? service == service {
      if case .tls(let flaw) = armed.fault.kind { return flaw }
    }
    return nil
  }

  /// The faults that were armed and never fired. Refused connections are not included: the port counts refused
  /// connections.
  var unusedFaults: [Fault] { faults.filter { !$0.hasFired && $0.fault.kind != .refuse }.map(\.fault) }

  /// The service to which a scope applies; nil for all services.
  func service(of scope: Step.Scope) -> ServiceName? {
    scope.service ?? scope.exchange.flatMap { catalogue.exchange($0)?.service }
  }

  mutating func arm(_ fault: Fault, bindings: Bindings = [:]) {
    let service = service(of: .init(at: fault.service, exchange: fault.exchange))
    faults.append(
      Armed(
        number: faults.count, fault: fault, bindings: bindings, service: service, skip: fault.skip, left: fault.times))
  }

  /// Ends the faults of a scope. Faults that fired still count as used. Returns the numbers of the ended faults, whose
  /// barriers must be opened.
  mutating func heal(_ scope: Step.Scope) -> [Int] {
    let ended = faults.indices.filter { includes(faults[$0], scope) }
    for index in ended { faults[index].left = 0 }
    return ended.map { faults[$0].number }
  }

  func barriers(of scope: Step.Scope) -> [Int] { faults.filter { includes($0, scope) }.map(\.number) }

  private func includes(_ armed: Armed, _ scope: Step.Scope) -> Bool {
    if let exchange = scope.exchange { return armed.fault.exchange == exchange }
    return scope.service.map { armed.service == $0 } ?? true
  }

  /// Adds scripted answers. When they are used up, an earlier script of the same exchange continues.
  mutating func script(_ answer: Step.Answer, bindings: Bindings) throws(ScriptFailure) {
    guard let exchange = catalogue.exchange(answer.exchange), exchange.response(answer.response, in: dialect) != nil
    else {
      throw ScriptFailure(
        description: "'\(answer.exchange)' has no response '\(answer.response)' in the dialect \(dialect)")
    }
    scripts.insert(Script(answer: answer, bindings: bindings, left: answer.times), at: 0)
  }

  /// Performs an operator's command. `now` is in milliseconds since 1970.
  mutating func operate(_ command: String, params: JSON.Object, now: Int) -> CommandOutcome {
    server.perform(command, params: params, now: now)
  }

  /// Decides the answer to a request at a service, and changes the state accordingly.
  ///
  /// If the book of exchanges is lenient, a request with one mistake is answered as if it were correct. The client then
  /// violates only the requirement about the mistake. If the request were refused, later requirements would stay
  /// unjudged.
  mutating func decide(_ read: ReadRequest, at service: ServiceName, now: Int) throws -> Decision {
    guard let index = takeFault(for: read, at: service) else {
      return Decision(response: try answer(read, at: service, now: now))
    }
    let kind = faults[index].fault.kind
    guard kind.needsAnswer else { return Decision(response: HTTPResponse(status: 200), fault: kind) }
    var decision = Decision(response: try answer(read, at: service, now: now), fault: kind)
    if case .hold(let until) = kind {
      faults[index].waiting += 1
      decision.barrier = faults[index].number
      decision.opensBarrier = until.map { faults[index].waiting >= $0 } ?? false
    }
    return decision
  }

  /// The index of the fault that affects a request: the matching fault that was armed last. Counts the request as one
  /// use of this fault.
  private mutating func takeFault(for read: ReadRequest, at service: ServiceName) -> Int? {
    for index in faults.indices.reversed() {
      let armed = faults[index]
      guard armed.left != 0, !armed.fault.kind.isOfService, armed.service == nil || armed.service == service,
        armed.fault.exchange == nil || armed.fault.exchange == read.exchange?.name,
        armed.fault.filter?.fits(read.asked.view, bindings: armed.bindings, models: catalogue.models) ?? true
      else { continue }
      if armed.skip > 0 {
        faults[index].skip -= 1
        continue
      }
      faults[index].left = armed.left.map { $0 - 1 }
      faults[index].hasFired = true
      return index
    }
    return nil
  }

  private mutating func answer(_ read: ReadRequest, at service: ServiceName, now: Int) throws -> HTTPResponse {
    guard let exchange = read.exchange, let script = takeScript(for: exchange.name, read.asked),
      let response = exchange.response(script.answer.response, in: dialect)
    else {
      let response = server.respond(to: read.request, at: service, now: now)
      if let complaint = server.complaint { throw ScriptFailure(description: complaint) }
      return response
    }
    var bindings = (exchange.bindings(nil) ?? [:]).merging(script.bindings)
    if let given = try script.answer.with.render(script.bindings).object {
      for member in given.members { bindings[member.key] = member.value }
    }
    return try response.render(
      bindings, edits: script.answer.edits, headers: script.answer.headers, status: script.answer.status,
      models: catalogue.models)
  }

  private mutating func takeScript(for exchange: String, _ record: RequestRecord) -> Script? {
    let index = scripts.firstIndex { script in
      script.answer.exchange == exchange && script.left != 0
        && (script.answer.filter?.fits(record.view, bindings: script.bindings, models: catalogue.models) ?? true)
    }
    guard let index else { return nil }
    scripts[index].left = scripts[index].left.map { $0 - 1 }
    return scripts[index]
  }
}

extension Fault.Kind {
  /// Whether the fault changes an answer of the server. Any other fault replaces the answer.
  fileprivate var needsAnswer: Bool {
    switch self {
    case .delay, .drip, .truncate, .stall, .wrongLength, .badChunk, .hold: true
    case .reset(let bytes): bytes > 0
    case .drop(let serverActs): serverActs
    case .refuse, .hang, .status, .raw, .redirect, .tls: false
    }
  }
}
