import ConformanceModel
import JSONKit
import Templates

extension DataServer {
  // MARK: Values

  /// The expression with its holes filled; nil if one of the holes has no value.
  func value(of expression: ServerProgram.Expression, _ locals: Locals) -> JSON? {
    try? expression.template.render(bound(expression.names, locals), models: program.models, reversibly: false)
  }

  /// The bindings of `locals`, and the values of `names`, which the server computes.
  func bound(_ names: [ServerName], _ locals: Locals) -> Bindings {
    guard !names.isEmpty else { return locals.bindings }
    var bindings = locals.bindings
    for name in names { bindings[name.text] = value(of: name, locals.bindings) }
    return bindings
  }

  /// The value of a name; nil if it has no value. A name for a random value, such as `random.uuid`, has a value only in
  /// a definition (`let`).
  func value(of name: ServerName, _ bindings: Bindings) -> JSON? {
    let whole: JSON? =
      switch name.source {
      case .local(let name): bindings[name]
      case .value(let name): lent[name] ?? program.values[name]
      case .state(let name):
        place(of: name, bindings).flatMap {
          memory.value(of: $0.state, at: $0.key, now: now) ?? program.states[$0.state].initial
        }
      case .ended(let name):
        place(of: name, bindings).flatMap { memory.endedValue(of: $0.state, at: $0.key, now: now) }
      case .end(let name):
        place(of: name, bindings).flatMap { memory.end(of: $0.state, at: $0.key) }.map {
          .string(Timestamp(milliseconds: $0).text)
        }
      case .serial: .int(serial)
      case .now(let plus, let clock): clock.spelling(of: now + Int(plus.milliseconds))
      case .random: nil
      }
    let part = name.path == .root ? whole : whole.flatMap { $0[name.path] }
    switch name.aspect {
    case nil: return part
    case .count: return part?.array.map { .int($0.count) }
    case .last: return part?.array?.last
    }
  }

  /// The number of the state with this name, and the key of its value. The values of the names in the state's scope
  /// form the key. Nil if one of these names has no value.
  private func place(of name: String, _ bindings: Bindings) -> (state: Int, key: [String])? {
    guard let state = program.stateNumbers[name] else { return nil }
    return key(of: state, bindings).map { (state, $0) }
  }

  private func key(of state: Int, _ bindings: Bindings) -> [String]? {
    guard let scope = program.states[state].scope else { return nil }
    var key: [String] = []
    for name in scope {
      guard let part = value(of: name, bindings) else { return nil }
      key.append(part.string ?? part.compactText)
    }
    return key
  }

  // MARK: Changes

  /// Makes a change if its conditions are true, and returns whether it was made. Adds the names that the change defines
  /// to `locals`.
  mutating func make(_ change: ServerProgram.Change, _ locals: inout Locals) -> Bool {
    guard change.conditions.allSatisfy({ holds($0, locals) }) else { return false }
    for definition in change.definitions { locals.set(definition.name, defined(definition.expression, locals)) }
    for effect in change.effects { take(effect, locals) }
    for further in change.further { makeFurther(further, locals) }
    return true
  }

  private mutating func makeFurther(_ change: ServerProgram.Change, _ locals: Locals) {
    guard let loop = change.loop else {
      var inner = locals
      return _ = make(change, &inner)
    }
    for element in value(of: loop.list, locals)?.array ?? [] {
      var inner = locals
      inner.set(loop.variable, element)
      _ = make(change, &inner)
    }
  }

  /// The value that a definition (`let`) gives to its name. Each name for a random value in the definition, such as
  /// `random.uuid`, gets a new random value.
  private mutating func defined(_ expression: ServerProgram.Expression, _ locals: Locals) -> JSON? {
    var bindings = bound(expression.names, locals)
    for name in expression.names {
      if case .random(let draw) = name.source { bindings[name.text] = .string(random.value(draw)) }
    }
    return try? expression.template.render(bindings, models: program.models, reversibly: false)
  }

  private func holds(_ condition: ServerProgram.Condition, _ locals: Locals) -> Bool {
    guard let name = condition.name else { return false }
    let template = condition.expression.template
    return template.fits(
      value(of: name, locals.bindings), bindings: bound(condition.expression.names, locals), models: program.models)
  }

  private mutating func take(_ effect: ServerProgram.Effect, _ locals: Locals) {
    switch effect {
    case .add(let state, let expression):
      change(state, expression, locals) { old, value in Self.sum(old, value) }
    case .append(let state, let expression):
      change(state, expression, locals) { old, value in .array((old?.array ?? []) + value.elements) }
    case .include(let state, let expression):
      change(state, expression, locals) { old, value in
        let known = old?.array ?? []
        return .array(value.elements.reduce(into: known) { if !$0.contains($1) { $0.append($1) } })
      }
    case .exclude(let state, let expression):
      change(state, expression, locals) { old, value in
        .array((old?.array ?? []).filter { !value.elements.contains($0) })
      }
    case .keep(let entries):
      let values = entries.map { ($0.state, value(of: $0.expression, locals)) }
      for case (let state, let value?) in values { keep(value, in: state, locals) }
    case .expire(let state):
      if let key = key(of: state, locals.bindings) { memory.expire(state, at: key, now: now) }
    case .forget(let state):
      if let key = key(of: state, locals.bindings) { memory.forget(state, at: key) }
    }
  }

  /// Replaces the value of a state with the value that `made` returns for the old value and the value of the
  /// expression. If the state had a value, the new one expires at the same instant as the old one.
  private mutating func change(
    _ state: Int, _ expression: ServerProgram.Expression, _ locals: Locals, _ made: (JSON?, JSON) -> JSON
  ) {
    guard let value = value(of: expression, locals), let key = key(of: state, locals.bindings) else { return }
    let new = made(memory.value(of: state, at: key, now: now) ?? program.states[state].initial, value)
    if !memory.replace(with: new, in: state, at: key, now: now) { keep(new, in: state, locals) }
  }

  private mutating func keep(_ value: JSON, in state: Int, _ locals: Locals) {
    guard let key = key(of: state, locals.bindings) else { return }
    memory.keep(value, in: state, at: key, until: program.states[state].lifetime.map { now + Int($0.milliseconds) })
  }

  /// The sum of two values. The sum of integers is exact. A value that is not a number counts as 0.
  private static func sum(_ left: JSON?, _ right: JSON) -> JSON {
    if let one = (left ?? 0).int, let two = right.int { return .int(one &+ two) }
    let sum = (left?.number?.double ?? 0) + (right.number?.double ?? 0)
    return JSON.Number(sum).map(JSON.number) ?? .int(0)
  }
}

extension JSON {
  /// The elements of the value if it is a list; otherwise the value itself as the only element.
  fileprivate var elements: [JSON] { array ?? [self] }
}

extension ServerName.Clock {
  fileprivate func spelling(of milliseconds: Int) -> JSON {
    switch self {
    case .timestamp: .string(Timestamp(milliseconds: milliseconds).text)
    case .milliseconds: .int(milliseconds)
    case .seconds: .int(milliseconds / 1000)
    }
  }
}
