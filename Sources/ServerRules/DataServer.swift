import ConformanceModel
import ConformancePack
import ConformanceTranscript
import HTTPValues
import JSONKit
import Templates

/// A server that answers with golden responses, as the rules of `server.yaml` decide.
package struct DataServer: ServerModel {
  /// The values of names that exist only while the server handles one request or command.
  struct Locals {
    var bindings: Bindings
    /// The names that a rule defines without a value, since a hole in the definition has none. In the answer, these
    /// names have no value either, even if the exchange has a value for them.
    var emptied: Set<String> = []
    /// Whether a value in the request is of a kind that the hole at its place does not accept.
    var isLoose = false

    mutating func set(_ name: String, _ value: JSON?) {
      bindings[name] = value
      if value == nil { emptied.insert(name) } else { emptied.remove(name) }
    }
  }

  let program: ServerProgram
  var memory: ServerMemory
  var random: SeededRandom
  /// The number of requests and commands that the server has handled so far.
  var serial = 0
  /// The time of the present request or command, in milliseconds since 1970.
  var now = 0
  package private(set) var complaint: String?
  /// The values with which the subjects that call this server were provisioned, such as API keys.
  private(set) var lent: Bindings = [:]

  /// Creates a server in its initial state. The seed decides its random values.
  package init(_ program: ServerProgram, seed: UInt64) {
    self.program = program
    memory = program.memory
    random = SeededRandom(seed: seed)
  }

  package var isLenient: Bool { program.isLenient }

  package mutating func lend(_ values: Bindings) { lent = values }

  package mutating func respond(to request: HTTPRequest, at service: ServiceName, now: Int) -> HTTPResponse {
    begin(now)
    let (path, query) = (request.path, request.queryItems)
    guard
      let exchange = program.table.exchange(method: request.method, path: path, query: query, at: service),
      let route = program.routes[exchange.name]
    else {
      let miss = program.table.nearMissText(method: request.method, path: path, query: query, at: service)
      return .json(404, ["error": .string(miss)])
    }
    let view = RequestView(request, route.asked)
    let body = route.body == nil ? nil : view.body
    var locals = route.holes(of: request, path: path, query: query, body: body, models: program.models)
    var holes: [ServerProgram.Assignment] = []
    for rule in route.rules where fits(rule, view, &locals) {
      holes += rule.holes
      guard let answer = rule.answer else { continue }
      return give(answer, route, holes, locals)
    }
    guard let fallback = route.fallback else {
      return fail("no rule answers \(route.name), and it has no response 'default'")
    }
    return give(fallback, route, holes, locals)
  }

  package mutating func perform(_ command: String, params: JSON.Object, now: Int) -> CommandOutcome {
    begin(now)
    guard let alternatives = program.operations[command] else {
      return .error(CommandError(kind: CommandError.unsupported, message: "there is no command '\(command)'"))
    }
    for alternative in alternatives {
      var locals = Locals(bindings: [:])
      for member in params.members { locals.set(member.key, member.value) }
      guard make(alternative.change, &locals) else { continue }
      switch alternative.outcome {
      case .failure(let error): return .error(error)
      case .success(let result):
        guard let value = value(of: result, locals) else {
          return .error(CommandError(kind: CommandError.hookFailed, message: "the server has no such value"))
        }
        return .result(value)
      }
    }
    return .error(CommandError(kind: CommandError.hookFailed, message: "the server is in no state for '\(command)'"))
  }

  private mutating func begin(_ now: Int) {
    self.now = now
    serial += 1
    complaint = nil
  }

  /// Makes the change of a rule if the rule applies, adds the names that it defines to `locals`, and returns whether it
  /// applies.
  private mutating func fits(_ rule: ServerProgram.Rule, _ view: RequestView, _ locals: inout Locals) -> Bool {
    var inner = locals
    if let request = rule.request {
      let given = bound(request.names, inner)
      guard let found = request.template.captures(from: view.json, bindings: given, models: program.models) else {
        return false
      }
      for name in request.template.holeNames where inner.bindings[name] == nil {
        if let value = found[name] { inner.set(name, value) }
      }
    }
    guard make(rule.change, &inner) else { return false }
    locals = inner
    return true
  }

  private mutating func give(
    _ answer: ServerProgram.Answer, _ route: ServerProgram.Route, _ holes: [ServerProgram.Assignment], _ locals: Locals
  ) -> HTTPResponse {
    var bindings = locals.bindings
    for (name, value) in route.bindings.values where !bindings.binds(name) && !locals.emptied.contains(name) {
      bindings[name] = value
    }
    for hole in holes { bindings[hole.name] = value(of: hole.expression, locals) }
    for name in answer.names { bindings[name.text] = value(of: name, locals.bindings) }
    do {
      return try answer.rendered(answer.response, bindings, program.models)
    } catch .wrongKind where locals.isLoose {
      // The answer repeats a value of the wrong kind as the client sent it.
      if let response = try? answer.rendered(answer.response.ofAnyKind, bindings, program.models) { return response }
      return fail("\(answer.place) cannot be given")
    } catch {
      return fail("\(answer.place): \(error.description(knowing: bindings))")
    }
  }

  /// Records a mistake in the server's data file as the ``complaint``. Returns an answer with the reason. The answer is
  /// not part of the protocol.
  private mutating func fail(_ reason: String) -> HTTPResponse {
    let text = "\(program.origin): \(reason)"
    complaint = text
    return .json(500, ["error": .string(text)])
  }
}

extension ServerProgram.Answer {
  fileprivate func rendered(
    _ response: Exchange.Response, _ bindings: Bindings, _ models: Template.Models
  ) throws(Template.RenderError) -> HTTPResponse {
    try response.render(
      bindings, edits: edits, headers: headers, status: status, models: models, reversibly: false)
  }
}

extension Exchange.Response {
  /// The template of the response, with holes that accept values of any kind.
  fileprivate var ofAnyKind: Self {
    var response = self
    for index in response.headers.indices { response.headers[index].value = response.headers[index].value.ofAnyKind }
    if case .json(let template) = body { response.body = .json(template.ofAnyKind) }
    return response
  }
}

/// A request as JSON, in the form in which rules and claims examine it. The JSON is computed when a rule needs it for
/// the first time.
private final class RequestView {
  private let request: HTTPRequest
  private let asked: Set<String>?
  lazy var body: JSON? = request.body.isEmpty ? nil : Octets(request.body).toleratedJSON
  lazy var json: JSON = request.view(body: body, only: asked)

  init(_ request: HTTPRequest, _ asked: Set<String>?) {
    self.request = request
    self.asked = asked
  }
}

extension ServerProgram.Route {
  /// The values that a request has at the holes of its exchange. If a hole does not accept the kind of its value, the
  /// value is included nevertheless, and `isLoose` is set, since only rules and claims decide whether a request is
  /// correct.
  func holes(
    of request: HTTPRequest, path: String, query items: [(name: String, value: String)], body value: JSON?,
    models: Template.Models
  ) -> DataServer.Locals {
    var locals = DataServer.Locals(bindings: [:])
    self.path.read(.string(path), &locals, models)
    for (name, hole) in locals.bindings.values {
      if let text = hole.string { locals.bindings[name] = .string(PercentEncoding.decode(text) ?? text) }
    }
    for (name, part) in query {
      if let text = items.first(where: { $0.name == name })?.value { part.read(.string(text), &locals, models) }
    }
    for (name, part) in headers {
      if let text = request.headers[name] { part.read(.string(text), &locals, models) }
    }
    if let body, let value { body.read(value, &locals, models) }
    return locals
  }
}

extension ServerProgram.Part {
  fileprivate func read(_ value: JSON, _ locals: inout DataServer.Locals, _ models: Template.Models) {
    locals.bindings = template.match(value, bindings: locals.bindings, models: models).bindings
    guard names.contains(where: { locals.bindings[$0] == nil }) else { return }
    let known = locals.bindings.values.count
    locals.bindings = loose.match(value, bindings: locals.bindings, models: models).bindings
    if locals.bindings.values.count > known { locals.isLoose = true }
  }
}
