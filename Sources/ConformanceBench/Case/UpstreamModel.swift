import ConformanceModel

/// Decides how an upstream answers: an armed fault, else a scripted answer, else the protocol's reference server.
///
/// A state machine without I/O; the port wires it to a socket.
struct UpstreamModel: Sendable {
  /// An answer and the fault that bends it.
  struct Decision: Sendable {
    var response: HTTPResponse
    var fault: Fault.Kind?
  }

  private struct Script: Sendable {
    var answer: Step.Answer
    var bindings: Bindings
    var left: Int?
  }

  private struct Armed: Sendable {
    var fault: Fault
    var skip: Int
    var left: Int?
    var hasFired = false
  }

  let book: ExchangeBook
  private let dialect: Dialect
  private let models: Template.Models
  private var server: any ServerModel
  private var scripts: [Script] = []
  private var faults: [Armed] = []

  init(book: ExchangeBook, dialect: Dialect, models: Template.Models, server: any ServerModel) {
    self.book = book
    self.dialect = dialect
    self.models = models
    self.server = server
  }

  /// The faults that were armed and never fired. Refusals do not count here: the port knows whether it refused.
  var unusedFaults: [Fault] { faults.filter { !$0.hasFired && $0.fault.kind != .refuse }.map(\.fault) }

  mutating func arm(_ fault: Fault) { faults.append(Armed(fault: fault, skip: fault.skip, left: fault.times)) }

  /// Ends the faults of an exchange, or all; those that fired stay known as used.
  mutating func heal(exchange: String?) {
    for index in faults.indices where exchange == nil || faults[index].fault.exchange == exchange {
      faults[index].left = 0
    }
  }

  /// Scripts answers; an earlier script of the same exchange goes on when this one is used up.
  mutating func script(_ answer: Step.Answer, bindings: Bindings) {
    scripts.insert(Script(answer: answer, bindings: bindings, left: answer.times), at: 0)
  }

  /// The answer to a request, and the change of state that goes with it. `now` is in milliseconds since 1970.
  mutating func decide(_ record: RequestRecord, now: Int) throws(Template.RenderError) -> Decision {
    let request = record.request
    let exchange = book.exchange(for: request)
    let fault = takeFault(for: exchange?.name, record)
    if let fault, !fault.needsAnswer { return Decision(response: HTTPResponse(status: 200), fault: fault) }
    return Decision(response: try answer(request, exchange, now: now), fault: fault)
  }

  private mutating func takeFault(for exchange: String?, _ record: RequestRecord) -> Fault.Kind? {
    for index in faults.indices.reversed() {
      let armed = faults[index]
      guard armed.left != 0, armed.fault.kind != .refuse,
        armed.fault.exchange == nil || armed.fault.exchange == exchange,
        armed.fault.filter?.match(record.view, models: models).succeeded ?? true
      else { continue }
      if armed.skip > 0 {
        faults[index].skip -= 1
        continue
      }
      faults[index].left = armed.left.map { $0 - 1 }
      faults[index].hasFired = true
      return armed.fault.kind
    }
    return nil
  }

  private mutating func answer(
    _ request: HTTPRequest, _ exchange: Exchange?, now: Int
  ) throws(Template.RenderError) -> HTTPResponse {
    guard let exchange, let script = takeScript(for: exchange.name),
      let response = exchange.response(script.answer.response, in: dialect)
    else { return server.respond(to: withoutMount(request), now: now) }
    var bindings = (exchange.bindings(nil) ?? [:]).merging(script.bindings)
    if let given = try script.answer.with.render(script.bindings).object {
      for member in given.members { bindings[member.key] = member.value }
    }
    return try response.render(bindings, edits: script.answer.edits, status: script.answer.status, models: models)
  }

  private mutating func takeScript(for exchange: String) -> Script? {
    guard let index = scripts.firstIndex(where: { $0.answer.exchange == exchange && $0.left != 0 }) else { return nil }
    scripts[index].left = scripts[index].left.map { $0 - 1 }
    return scripts[index]
  }

  private func withoutMount(_ request: HTTPRequest) -> HTTPRequest {
    guard book.path(of: request) != nil else { return request }
    var request = request
    request.target = String(request.target.dropFirst(book.mount.count))
    return request
  }
}

extension Fault.Kind {
  /// Whether the fault bends an answer that the server gave, instead of taking its place.
  fileprivate var needsAnswer: Bool {
    switch self {
    case .delay, .drip, .truncate, .wrongLength, .badChunk: true
    case .reset(let bytes): bytes > 0
    case .refuse, .drop, .hang, .status, .raw, .redirect: false
    }
  }
}
