import ConformanceModel
import ConformanceSpec
import JSONKit
import Templates

/// `server.yaml` in a form for lint rules: every template and name with its path, and with the names that are known at
/// that path.
package struct ServerSite: Sendable {
  /// A template, with the names that it may use.
  package struct TemplateSite: Sendable {
    package var template: Template
    package var path: JSONPath
    package var known: Set<String>
    /// Whether the template defines a name. Only such a template may use random values.
    package var isDefinition = false
    /// Whether a hole with an unknown name captures the value that it matches, and so defines the name.
    package var captures = false
  }

  /// A name outside of templates: the key of a condition, or a part of a state's key.
  package struct NameSite: Sendable {
    package var name: String
    package var path: JSONPath
    package var known: Set<String>
  }

  /// A change that sets or removes the value of a state.
  package struct EffectSite: Sendable {
    package var state: String
    package var path: JSONPath
    /// Whether the state has a value after the change.
    package var sets: Bool
  }

  package let located: Located<ServerDefinition>
  package private(set) var templates: [TemplateSite] = []
  package private(set) var names: [NameSite] = []
  package private(set) var effects: [EffectSite] = []

  package init(_ located: Located<ServerDefinition>, exchanges: [Exchange], commands: [ProtocolDefinition.Command]) {
    self.located = located
    readRules(exchanges)
    for operation in located.value.operations {
      let path = located.path.appending(key: "commands").appending(key: operation.command)
      read(operation, at: path, params: commands.first { $0.name == operation.command }?.parameterNames ?? [])
    }
    let everything = exchanges.reduce(into: allDefined) { $0.formUnion($1.requestHoles) }
      .union(commands.flatMap(\.parameterNames))
    for state in located.value.states {
      let path = located.path.appending(key: "state").appending(key: state.name).appending(key: "per")
      names += state.scope.map { NameSite(name: $0.text, path: path, known: everything) }
    }
  }

  /// For each rule and each alternative of a command: the defects and variants on which its use depends, and its path.
  package var switches: [(switch: ServerDefinition.Switch, path: JSONPath)] {
    located.value.rules.enumerated().map { ($0.element.switch, path(ofRule: $0.offset)) }
      + located.value.operations.flatMap { operation in
        operation.alternatives.enumerated().map { number, alternative in
          let path = located.path.appending(key: "commands").appending(key: operation.command)
          return (alternative.switch, operation.alternatives.count == 1 ? path : path.appending(index: number))
        }
      }
  }

  package func path(ofRule number: Int) -> JSONPath { located.path.appending(key: "rules").appending(index: number) }

  /// The states that a template or a name reads.
  package var statesRead: Set<String> {
    let names = templates.flatMap(\.template.fullHoleNames) + names.map(\.name)
    return Set(names.compactMap { ServerName($0)?.state })
  }

  private var allDefined: Set<String> {
    templates.reduce(into: []) { names, site in
      names.formUnion(site.known)
      if site.captures { names.formUnion(site.template.plainHoleNames) }
    }
  }

  private mutating func readRules(_ exchanges: [Exchange]) {
    var passedOn: Set<String> = []
    for (number, rule) in located.value.rules.enumerated() {
      let path = path(ofRule: number)
      let asked = exchanges.filter { rule.exchanges.isEmpty || rule.exchanges.contains($0.name) }
      var known = asked.reduce(into: passedOn) { $0.formUnion($1.requestHoles) }
      if let request = rule.request {
        templates.append(
          .init(template: request, path: path.appending(key: "when"), known: known, captures: true))
        known.formUnion(request.plainHoleNames)
      }
      read(rule.change, at: path, &known)
      read(rule.holes, at: path.appending(key: "with"), known)
      readAnswer(rule.answer, at: path, known)
      if rule.answer == nil {
        passedOn.formUnion((rule.request?.plainHoleNames ?? []) + rule.change.definitions.map(\.name))
      }
    }
  }

  private mutating func readAnswer(_ answer: ServerDefinition.Answer?, at path: JSONPath, _ known: Set<String>) {
    for edit in answer?.edits ?? [] {
      guard let template = edit.value else { continue }
      let place = path.appending(key: "set").appending(key: edit.path.description)
      templates.append(.init(template: template, path: place, known: known))
    }
    for (name, template) in answer?.headers ?? [:] {
      guard let template else { continue }
      let place = path.appending(key: "headers").appending(key: name)
      templates.append(.init(template: template, path: place, known: known))
    }
  }

  private mutating func read(_ operation: ServerDefinition.Operation, at path: JSONPath, params: [String]) {
    let isList = located.document.value[path]?.array != nil
    for (index, alternative) in operation.alternatives.enumerated() {
      let place = isList ? path.appending(index: index) : path
      var known = Set(params)
      read(alternative.change, at: place, &known)
      if case .returns(let template) = alternative.outcome {
        templates.append(.init(template: template, path: place.appending(key: "returns"), known: known))
      }
    }
  }

  private mutating func read(_ change: ServerDefinition.Change, at path: JSONPath, _ known: inout Set<String>) {
    if let loop = change.loop {
      templates.append(.init(template: loop.list, path: path.appending(key: "each"), known: known))
      known.insert(loop.variable)
    }
    for condition in change.conditions {
      let place = path.appending(key: "while").appending(key: condition.name)
      names.append(.init(name: condition.name, path: place, known: known))
      templates.append(.init(template: condition.template, path: place, known: known))
    }
    for definition in change.definitions {
      let place = path.appending(key: "let").appending(key: definition.name)
      templates.append(.init(template: definition.template, path: place, known: known, isDefinition: true))
      known.insert(definition.name)
    }
    for effect in change.effects { read(effect, at: path.appending(key: effect.word), known) }
    for (index, further) in change.further.enumerated() {
      var inner = known
      read(further, at: path.appending(key: "also").appending(index: index), &inner)
    }
  }

  private mutating func read(_ effect: ServerDefinition.Effect, at path: JSONPath, _ known: Set<String>) {
    read(effect.entries, at: path, known)
    effects += effect.entries.map { .init(state: $0.name, path: path.appending(key: $0.name), sets: true) }
    effects += effect.names.map { .init(state: $0, path: path, sets: false) }
  }

  private mutating func read(_ entries: [ServerDefinition.Entry], at path: JSONPath, _ known: Set<String>) {
    templates += entries.map { .init(template: $0.template, path: path.appending(key: $0.name), known: known) }
  }
}

extension ServerDefinition.Effect {
  /// The word for the effect in `server.yaml`.
  package var word: String {
    switch self {
    case .add: "add"
    case .append: "append"
    case .include: "include"
    case .exclude: "exclude"
    case .keep: "keep"
    case .expire: "expire"
    case .forget: "forget"
    }
  }

  /// The states whose values the effect sets or changes, with the templates.
  package var entries: [ServerDefinition.Entry] {
    switch self {
    case .add(let entries), .append(let entries), .include(let entries), .exclude(let entries), .keep(let entries):
      entries
    case .expire, .forget: []
    }
  }

  /// The names of the states whose values are removed.
  package var names: [String] {
    switch self {
    case .expire(let names), .forget(let names): names
    case .add, .append, .include, .exclude, .keep: []
    }
  }
}

extension Exchange {
  /// The names of the holes in all requests of the exchange.
  package var requestHoles: Set<String> { requests.values.reduce(into: []) { $0.formUnion($1.holeNames) } }
}

extension ProtocolDefinition.Command {
  package var parameterNames: [String] { params["properties"]?.object?.keys ?? [] }
}

extension Template {
  /// The names of the template's holes that contain no dot.
  package var plainHoleNames: [String] { fullHoleNames.filter { !$0.contains(".") } }
}
