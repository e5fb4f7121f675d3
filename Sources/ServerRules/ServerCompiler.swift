import ConformanceModel
import ConformanceTranscript
import JSONKit
import Templates

/// Makes the parts of a ``ServerProgram``: it numbers the states, collects the names in templates, and assigns rules to
/// their exchanges.
struct ServerCompiler {
  private let definition: ServerDefinition
  private let dialect: Dialect
  private let switches: Set<DefectID>
  let numbers: [String: Int]
  /// The names that the rules of the server define (`let`).
  private let defined: Set<String>

  init(_ definition: ServerDefinition, dialect: Dialect, switches: Set<DefectID>) {
    self.definition = definition
    self.dialect = dialect
    self.switches = switches
    numbers = Dictionary(
      definition.states.enumerated().map { ($0.element.name, $0.offset) }, uniquingKeysWith: { first, _ in first })
    defined = Set(definition.rules.flatMap(\.change.definitions).map(\.name))
  }

  var states: [ServerProgram.State] {
    definition.states.map { state in
      .init(
        scope: definition.isRecursive(state) ? nil : state.scope, initial: state.initial, lifetime: state.lifetime)
    }
  }

  /// The memory of a new server, with the initial values of the states. These values do not expire.
  var memory: ServerMemory {
    var memory = ServerMemory()
    for (number, state) in definition.states.enumerated() {
      for (key, value) in state.entries.leaves(depth: state.scope.count) {
        memory.keep(value, in: number, at: key, until: nil)
      }
    }
    return memory
  }

  func route(of exchange: Exchange) -> ServerProgram.Route? {
    guard let request = exchange.request(in: dialect) else { return nil }
    func telling(_ templates: [String: Template]) -> [(name: String, part: ServerProgram.Part)] {
      templates.sorted { $0.key < $1.key }.filter { !$0.value.holeNames.isEmpty }.map { name, template in
        (name.hasSuffix("?") ? String(name.dropLast()) : name, .init(template))
      }
    }
    let rules = definition.rules.enumerated().filter { _, rule in
      rule.isFor(exchange.name, in: dialect) && rule.switch.isClosed(with: switches)
    }
    return ServerProgram.Route(
      name: exchange.name, path: .init(request.path), query: telling(request.query), headers: telling(request.headers),
      body: request.body.flatMap { $0.holeNames.isEmpty ? nil : .init($0) }, bindings: exchange.bindings(nil) ?? [:],
      rules: rules.map { rule($0.element, number: $0.offset, of: exchange) },
      asked: Self.members(of: rules.compactMap(\.element.request)),
      fallback: answer(.init(response: ServerDefinition.fallback), exchange, place: "the fallback"))
  }

  /// The members of the request that the templates examine. Nil if one of the templates is not an object, since such a
  /// template can concern any member.
  private static func members(of templates: [Template]) -> Set<String>? {
    var members: Set<String> = []
    for template in templates {
      guard case .object(let named) = template.node else { return nil }
      members.formUnion(named.map(\.key))
    }
    return members
  }

  func alternatives(of operation: ServerDefinition.Operation) -> [ServerProgram.Alternative] {
    operation.alternatives.filter { $0.switch.isClosed(with: switches) }.map { alternative in
      let outcome: Result<ServerProgram.Expression, CommandError> =
        switch alternative.outcome {
        case .returns(let template): .success(.init(template))
        case .fails(let reason): .failure(CommandError(kind: CommandError.hookFailed, message: reason))
        }
      return .init(change: change(alternative.change), outcome: outcome)
    }
  }

  private func rule(_ rule: ServerDefinition.Rule, number: Int, of exchange: Exchange) -> ServerProgram.Rule {
    let known = Set(exchange.request(in: dialect)?.holeNames ?? []).union(defined)
    return ServerProgram.Rule(
      request: rule.request.map { .init($0.withSmallHeaderNames, known: known.contains) }, change: change(rule.change),
      holes: rule.holes.map { .init($0) },
      answer: rule.answer.flatMap { answer($0, exchange, place: "$.rules[\(number)]") })
  }

  private func answer(
    _ answer: ServerDefinition.Answer, _ exchange: Exchange, place: String
  ) -> ServerProgram.Answer? {
    guard let response = exchange.response(answer.response, in: dialect) else { return nil }
    let templates = answer.edits.compactMap(\.value) + answer.headers.values.compactMap(\.self)
    return ServerProgram.Answer(
      place: "\(place), the response '\(answer.response)' of \(exchange.name)", response: response, edits: answer.edits,
      headers: answer.headers, status: answer.status, names: templates.flatMap { ServerProgram.Expression($0).names })
  }

  private func change(_ change: ServerDefinition.Change) -> ServerProgram.Change {
    ServerProgram.Change(
      loop: change.loop.map { (.init($0.list), $0.variable) }, conditions: change.conditions.map { .init($0) },
      definitions: change.definitions.map { .init($0) }, effects: change.effects.flatMap(effects),
      further: change.further.map(self.change))
  }

  private func effects(_ effect: ServerDefinition.Effect) -> [ServerProgram.Effect] {
    func known(_ entries: [ServerDefinition.Entry]) -> [(state: Int, expression: ServerProgram.Expression)] {
      entries.compactMap { entry in numbers[entry.name].map { ($0, .init(entry.template)) } }
    }
    switch effect {
    case .add(let entries): return known(entries).map { .add($0.state, $0.expression) }
    case .append(let entries): return known(entries).map { .append($0.state, $0.expression) }
    case .include(let entries): return known(entries).map { .include($0.state, $0.expression) }
    case .exclude(let entries): return known(entries).map { .exclude($0.state, $0.expression) }
    case .keep(let entries): return [.keep(known(entries))]
    case .expire(let names): return names.compactMap { numbers[$0] }.map { .expire($0) }
    case .forget(let names): return names.compactMap { numbers[$0] }.map { .forget($0) }
    }
  }
}

extension ServerDefinition {
  /// The name of the response with which the server answers a request if no rule answers it.
  package static let fallback = "default"

  /// Whether the names in the scope of a state lead back to the state itself, directly or through other states.
  package func isRecursive(_ state: State) -> Bool {
    var reached: Set<String> = []
    var open = state.scope.compactMap(\.state)
    while let name = open.popLast() {
      if name == state.name { return true }
      guard reached.insert(name).inserted else { continue }
      open += states.first { $0.name == name }?.scope.compactMap(\.state) ?? []
    }
    return false
  }
}

extension ServerDefinition.Rule {
  /// Whether the rule applies to an exchange in a dialect.
  package func isFor(_ exchange: String, in dialect: Dialect) -> Bool {
    (exchanges.isEmpty || exchanges.contains(exchange)) && (dialects.isEmpty || dialects.contains(dialect))
  }
}

extension JSON.Object {
  /// The values that are `depth` levels below this value, each with the keys that lead to it.
  fileprivate func leaves(depth: Int) -> [(key: [String], value: JSON)] {
    members.flatMap { member -> [(key: [String], value: JSON)] in
      guard depth > 1 else { return [([member.key], member.value)] }
      return (member.value.object ?? [:]).leaves(depth: depth - 1).map { ([member.key] + $0.key, $0.value) }
    }
  }
}

extension Template {
  /// The template with the names of header fields in lower case. The requests with which it is compared spell these
  /// names in the same way.
  fileprivate var withSmallHeaderNames: Template { Template(node.withSmallHeaderNames, source: source) }
}

extension Template.Node {
  fileprivate var withSmallHeaderNames: Self {
    switch self {
    case .object(let members):
      .object(
        members.map { member in
          guard member.key == "headers" else { return member }
          var member = member
          member.value = member.value.withSmallNames
          return member
        })
    case .constraints(let constraints): .constraints(constraints.map { $0.mapped(\.withSmallHeaderNames) })
    default: self
    }
  }

  private var withSmallNames: Self {
    switch self {
    case .object(let members):
      .object(
        members.map { member in
          var member = member
          member.key = member.key.lowercased()
          return member
        })
    case .constraints(let constraints): .constraints(constraints.map { $0.mapped(\.withSmallNames) })
    default: self
    }
  }
}

extension Template.Constraint {
  /// A copy of the constraint in which `change` replaces each template that is compared with the whole value. Templates
  /// for elements of the value stay unchanged.
  fileprivate func mapped(_ change: (Template.Node) -> Template.Node) -> Self {
    switch self {
    case .oneOf(let nodes): .oneOf(nodes.map(change))
    case .allOf(let nodes): .allOf(nodes.map(change))
    case .not(let node): .not(change(node))
    case .only(let node): .only(change(node))
    default: self
    }
  }
}
