import ConformanceModel
import ConformanceSpec
import ServerRules
import Templates

/// Follows the requests of one exchange through the rules of `server.yaml`, in one dialect. Finds the names that
/// certainly have a value at each rule, and whether every request gets an answer.
package struct ServerFlow {
  /// A hole of a response that does not certainly have a value.
  package struct Lack: Hashable {
    /// The index of the rule; nil for the response `default`.
    package var rule: Int?
    package var hole: String
    /// True if the hole can have a value for some requests; false if it never has a value.
    package var isFilledSometimes: Bool
  }

  private struct Filling {
    var template: Template
    var isCertain: Bool
  }

  private let server: ServerDefinition
  private let exchange: Exchange
  private let dialect: Dialect
  /// The names that have a value in every request that reaches the present rule.
  private var sure: Set<String>
  /// The names that a rule before the present rule may have defined.
  private var defined: Set<String> = []
  private var fillings: [String: [Filling]] = [:]
  package private(set) var lacks: [Lack] = []
  /// The indices of the rules that no request reaches.
  package private(set) var unreachable: [Int] = []
  package private(set) var isAnswered = false

  package init(_ server: ServerDefinition, _ exchange: Exchange, in dialect: Dialect) {
    self.server = server
    self.exchange = exchange
    self.dialect = dialect
    sure = Set(exchange.request(in: dialect)?.path.plainHoleNames ?? [])
    for (number, rule) in server.rules.enumerated()
    where rule.isFor(exchange.name, in: dialect) && rule.switch.isClosed(with: []) {
      if isAnswered { unreachable.append(number) } else { pass(rule, number) }
    }
    guard !isAnswered, let fallback = exchange.response(ServerDefinition.fallback, in: dialect) else { return }
    isAnswered = true
    check(fallback, .init(response: ServerDefinition.fallback), rule: nil, sure, defined)
  }

  private mutating func pass(_ rule: ServerDefinition.Rule, _ number: Int) {
    var (inner, names) = (sure, defined)
    if let request = rule.request {
      inner.formUnion(request.node.neededNames)
      names.formUnion(request.plainHoleNames)
    }
    for condition in rule.change.conditions where !condition.template.node.fitsNothing {
      inner.formUnion(condition.template.node.neededNames)
      if let key = ServerName(condition.name)?.key { inner.insert(key) }
    }
    for definition in rule.change.definitions {
      names.insert(definition.name)
      if isSure(definition.template, inner) { inner.insert(definition.name) } else { inner.remove(definition.name) }
    }
    for effect in rule.change.effects { take(effect, &inner) }
    for further in rule.change.further { take(further, &inner) }
    let isCertain = rule.request == nil && rule.change.conditions.isEmpty
    let before = fillings
    for hole in rule.holes {
      fillings[hole.name, default: []].append(
        .init(template: hole.template, isCertain: isCertain || rule.answer != nil))
    }
    guard let answer = rule.answer else {
      defined = names
      sure = isCertain ? inner : sure.intersection(inner)
      return
    }
    if let response = exchange.response(answer.response, in: dialect) {
      check(response, answer, rule: number, inner, names)
    }
    fillings = before
    isAnswered = isCertain
    learn(from: rule)
  }

  /// If the rule answers all requests in which a name has no value, later rules get only requests in which the name has
  /// a value. So this function adds the name to ``sure``.
  private mutating func learn(from rule: ServerDefinition.Rule) {
    guard rule.request == nil, rule.change.conditions.count == 1 else { return }
    let condition = rule.change.conditions[0]
    if condition.template.node.fitsNothing, let key = ServerName(condition.name)?.key { sure.insert(key) }
  }

  // MARK: Changes

  private func take(_ effect: ServerDefinition.Effect, _ sure: inout Set<String>) {
    for entry in effect.entries where isSure(entry.template, sure) && isReachable(entry.name, sure) {
      sure.insert(ServerName.key(ofState: entry.name))
    }
    for name in effect.names { sure.remove(ServerName.key(ofState: name)) }
  }

  private func take(_ change: ServerDefinition.Change, _ sure: inout Set<String>) {
    let isPlain = change.loop == nil && change.definitions.isEmpty && change.conditions.isEmpty
    for effect in change.effects {
      if isPlain { take(effect, &sure) }
      for name in effect.names { sure.remove(ServerName.key(ofState: name)) }
    }
    for further in change.further { take(further, &sure) }
  }

  /// Whether every part of the state's key certainly has a value.
  private func isReachable(_ state: String, _ sure: Set<String>) -> Bool {
    guard let state = server.states.first(where: { $0.name == state }), !server.isRecursive(state) else { return false }
    return state.scope.allSatisfy { isSure($0, sure) }
  }

  // MARK: Names

  private func isSure(_ template: Template, _ sure: Set<String>) -> Bool {
    template.node.requiredHoles.allSatisfy { ServerName($0).map { isSure($0, sure) } ?? false }
  }

  private func isSure(_ name: ServerName, _ sure: Set<String>) -> Bool {
    if let key = name.key, sure.contains(key) { return true }
    switch name.source {
    case .serial, .now, .random, .value: return true
    case .local, .ended: return false
    case .end(let state):
      return server.states.contains { $0.name == state && $0.lifetime != nil }
        && sure.contains(ServerName.key(ofState: state))
    case .state(let name):
      return server.states.contains { $0.name == name && $0.initial != nil } && isReachable(name, sure)
    }
  }

  // MARK: Answers

  private mutating func check(
    _ response: Exchange.Response, _ answer: ServerDefinition.Answer, rule: Int?, _ sure: Set<String>,
    _ names: Set<String>
  ) {
    for hole in response.requiredHoles where !isFilled(hole, sure, names) {
      let isFilledSometimes = fillings[hole] != nil || names.contains(hole) || exchange.requestHoles.contains(hole)
      lacks.append(.init(rule: rule, hole: hole, isFilledSometimes: isFilledSometimes))
    }
    let others = answer.edits.compactMap(\.value) + answer.headers.values.compactMap(\.self)
    for hole in Set(others.flatMap(\.node.requiredHoles)).sorted() {
      guard let name = ServerName(hole), !isSure(name, sure), exchange.bindings["default"]?[hole] == nil else {
        continue
      }
      lacks.append(.init(rule: rule, hole: hole, isFilledSometimes: true))
    }
  }

  private func isFilled(_ hole: String, _ sure: Set<String>, _ names: Set<String>) -> Bool {
    for filling in (fillings[hole] ?? []).reversed() {
      guard isSure(filling.template, sure) else { return false }
      if filling.isCertain { return true }
    }
    return sure.contains(hole) || !names.contains(hole) && exchange.bindings["default"]?[hole] != nil
  }
}

extension ServerName {
  /// The form that this name has in sets such as ``ServerFlow/sure``; nil if these sets never contain names of its
  /// kind.
  fileprivate var key: String? {
    switch source {
    case .local(let name): name
    case .state(let name): Self.key(ofState: name)
    case .ended(let name): Self.key(ofState: name) + ".$expired"
    case .end, .value, .serial, .now, .random: nil
    }
  }

  fileprivate static func key(ofState name: String) -> String { "state.\(name)" }
}

extension Exchange.Response {
  /// The names of the holes that must have a value. A dotted name is reduced to its first part.
  fileprivate var requiredHoles: [String] {
    var names = headers.filter { !$0.isOptional }.flatMap(\.value.node.requiredHoles)
    if case .json(let template) = body { names += template.node.requiredHoles }
    return Set(names.map { String($0.prefix { $0 != "." }) }).sorted()
  }
}

extension Template.Node {
  /// Whether the template matches an absent value.
  fileprivate var fitsNothing: Bool {
    guard case .constraints(let constraints) = self else { return false }
    return constraints.allSatisfy { constraint in
      switch constraint {
      case .absent: true
      case .oneOf(let nodes): nodes.contains(where: \.fitsNothing)
      case .allOf(let nodes): nodes.allSatisfy(\.fitsNothing)
      default: false
      }
    }
  }

  /// The names that must have a value so that the template can match.
  fileprivate var neededNames: [String] {
    switch self {
    case .literal: return []
    case .hole, .text: return requiredHoles.compactMap { ServerName($0)?.key }
    case .array(let nodes): return nodes.flatMap(\.neededNames)
    case .object(let members): return members.filter { !$0.isOptional }.flatMap(\.value.neededNames)
    case .constraints(let constraints):
      return constraints.flatMap { constraint -> [String] in
        switch constraint {
        case .allOf(let nodes): nodes.flatMap(\.neededNames)
        case .some(let node), .only(let node): node.neededNames
        default: []
        }
      }
    }
  }
}
