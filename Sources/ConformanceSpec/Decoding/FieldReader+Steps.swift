import ConformanceModel
import JSONKit
import Templates

extension FieldReader {
  mutating func steps(_ field: JSONField?) -> [Step] {
    elements(field).compactMap { field in
      guard let action = action(field) else { return nil }
      return Step(action, label: optionalTemplate(field.member("as")))
    }
  }

  private mutating func action(_ step: JSONField) -> Step.Action? {
    guard let (word, field) = step.firstMember(of: Step.Action.words) else {
      report(step.problem(expectedOneOf: Step.Action.words))
      return nil
    }
    switch word {
    case "call": return .call(call(step))
    case "send": return .send(send(step))
    case "answer": return .answer(answer(step))
    case "operate": return .operate(.init(command: text(field), params: template(step.member("with"))))
    case "fault": return fault(field).map { .fault($0) }
    case "heal": return .heal(scope(field))
    case "release": return .release(scope(field))
    case "await": return .await(wait(field))
    case "settle": return .settle(within: time(field))
    case "advance": return .advance(time(field))
    case "restart": return .restart(restart(field))
    case "surroundings": return .surroundings(template(field))
    case "search": return .search(storageFor: template(step.member("for")))
    case "together": return .together(steps(field))
    case "attempt": return .attempt(attempt(field))
    case "explore": return .explore(exploration(field))
    case "do": return perform(step, field)
    default:
      return .repeat(
        times: int(field.member("times")) ?? 0, variable: field.member("as").map { text($0) } ?? "n",
        steps: steps(field.member("steps")))
    }
  }

  private mutating func attempt(_ field: JSONField) -> Step.Attempt {
    Step.Attempt(
      until: selector(field.member("until")),
      ways: members(field.member("ways")).map { .init(name: $0.key, steps: steps($0.field)) })
  }

  private mutating func exploration(_ field: JSONField) -> Exploration {
    Exploration(
      runs: int(field.member("runs")) ?? 0, operations: int(field.member("operations")) ?? 0,
      choices: members(field.member("values")).map { name, field in
        Exploration.Choice(name: name, values: elements(field).map { template($0) })
      }, draws: elements(field.member("draw")).map { draw($0) })
  }

  private mutating func draw(_ field: JSONField) -> Exploration.Draw {
    let action: Exploration.Draw.Action =
      field.member("call").map { .call(text($0)) } ?? .send(exchange: text(field.member("send")))
    let keeps = members(field.member("keep")).map { ($0.key, path($0.field)) }
    return Exploration.Draw(
      action, weight: int(field.member("weight")) ?? 1, with: template(field.member("with")),
      keeps: Dictionary(keeps) { _, last in last }, same: elements(field.member("same")).map { path($0) },
      names: elements(field.member("names")).map { path($0) })
  }

  private mutating func perform(_ step: JSONField, _ field: JSONField) -> Step.Action? {
    let use = StateUse(name: text(field), with: step.value["with"]?.object ?? [:], field: field)
    guard !performed.contains(use.name) else {
      report(field.problem(expected: "steps that do not lead back to themselves"))
      return nil
    }
    performed.append(use.name)
    defer { performed.removeLast() }
    return state(use).map { .perform(name: use.name, steps: steps($0.member("steps"))) }
  }

  /// A scope: the name of an exchange, the word `all`, or `{ exchange: …, at: … }`.
  private mutating func scope(_ field: JSONField) -> Step.Scope {
    if let text = field.value.string { return text == "all" ? .init() : .init(exchange: text) }
    return .init(
      at: field.member("at").map { ServiceName(text($0)) }, exchange: field.member("exchange").map { text($0) })
  }

  private mutating func call(_ step: JSONField) -> Step.Call {
    Step.Call(
      command: text(step.member("call")), params: template(step.member("with")),
      waits: bool(step.member("wait"), otherwise: true), need: word(step.member("need"), otherwise: .succeeds))
  }

  private mutating func send(_ step: JSONField) -> Step.Send {
    Step.Send(
      exchange: text(step.member("send")), bindings: step.member("bindings").map { text($0) },
      with: template(step.member("with")), edits: edits(step), headers: headers(step),
      path: optionalTemplate(step.member("path")), method: step.member("method").map { text($0) },
      body: optionalTemplate(step.member("body")), from: optionalTemplate(step.member("from")),
      over: step.member("over").map { text($0) }, waits: bool(step.member("wait"), otherwise: true))
  }

  private mutating func answer(_ step: JSONField) -> Step.Answer {
    Step.Answer(
      exchange: text(step.member("answer")), response: text(step.member("response")),
      filter: optionalTemplate(step.member("where")), with: template(step.member("with")), edits: edits(step),
      headers: headers(step), status: int(step.member("status")), times: int(step.member("times")))
  }

  /// Header fields by name; null means that the field is removed.
  mutating func headers(_ step: JSONField) -> [String: Template?] {
    var headers: [String: Template?] = [:]
    for (name, field) in members(step.member("headers")) {
      headers.updateValue(field.value.isNull ? nil : template(field), forKey: name)
    }
    return headers
  }

  /// The changes of a body: first those that set members, then those that remove members.
  mutating func edits(_ step: JSONField) -> [Step.Edit] {
    members(step.member("set")).map { .init(path: path($0.key, of: $0.field), value: template($0.field)) }
      + elements(step.member("remove")).map { .init(path: path($0), value: nil) }
  }

  private mutating func wait(_ field: JSONField) -> Step.Await {
    let target: Step.Await.Target =
      field.member("reply").map { .reply(text($0)) } ?? .observed(selector(field))
    return Step.Await(
      target: target, count: int(field.member("count")) ?? 1,
      within: field.member("within").map { time($0) } ?? Step.Await.patience,
      since: field.member("since").map { text($0) })
  }

  private mutating func restart(_ field: JSONField) -> Step.Restart {
    guard field.value.object != nil else { return .init(ending: word(field, otherwise: .clean)) }
    var keepsStorage = true
    if let storage = field.member("storage") {
      if storage.value != "fresh" { report(storage.problem(expected: "fresh")) }
      keepsStorage = false
    }
    return .init(
      ending: word(field.member("how"), otherwise: .clean), keepsStorage: keepsStorage,
      away: field.member("away").map { time($0) } ?? .zero, environment: template(field.member("environment")))
  }

  private mutating func fault(_ field: JSONField) -> Fault? {
    faultKind(field).map { kind in
      if kind.isOfService { refuseChoice(kind, field) }
      return Fault(
        kind, at: field.member("at").map { ServiceName(text($0)) }, exchange: field.member("exchange").map { text($0) },
        filter: field.member("where").map { template($0) }, skip: int(field.member("skip")) ?? 0,
        times: int(field.member("times")))
    }
  }

  /// Reports a problem for each of `where`, `skip` and `times` in a fault that affects a whole service. Such a fault
  /// affects every request until the service heals, so these members cannot choose among the requests.
  private mutating func refuseChoice(_ kind: Fault.Kind, _ field: JSONField) {
    for name in ["where", "skip", "times"] {
      guard let member = field.member(name) else { continue }
      report(
        .init(
          path: member.path,
          expected: "no '\(name)' with '\(kind.word)', which is for every request until it is healed",
          found: member.value.excerpt))
    }
  }

  /// Returns `value`, the value of a fault's member. Reports a problem if it is equal to `nothing`, with which the
  /// fault would have no effect.
  private mutating func effect<Value: Equatable>(
    _ value: Value, besides nothing: Value, _ field: JSONField?, expected: String
  ) -> Value {
    if let field, value == nothing { report(field.problem(expected: "\(expected): else the fault changes nothing")) }
    return value
  }

  private mutating func faultKind(_ field: JSONField) -> Fault.Kind? {
    func bytes() -> Int { int(field.member("bytes")) ?? 0 }
    let by = field.member("by")
    switch field.value["how"]?.string {
    case "refuse": return .refuse
    case "drop": return .drop(serverActs: bool(field.member("acted"), otherwise: false))
    case "hang": return .hang
    case "hold": return .hold(until: int(field.member("until")))
    case "bad-chunk": return .badChunk
    case "reset": return .reset(afterBytes: bytes())
    case "truncate": return .truncate(bytes: bytes())
    case "stall": return .stall(afterBytes: bytes())
    case "delay": return .delay(effect(time(by), besides: .zero, by, expected: "a time above 0ms"))
    case "drip":
      let size = effect(bytes(), besides: 0, field.member("bytes"), expected: "1 or more")
      return .drip(bytes: size, every: effect(time(by), besides: .zero, by, expected: "a time above 0ms"))
    case "wrong-length":
      return .wrongLength(by: effect(int(by) ?? 0, besides: 0, by, expected: "a number other than 0"))
    case "status": return .status(int(field.member("status")) ?? 0)
    case "redirect":
      return .redirect(status: int(field.member("status")) ?? 0, location: text(field.member("location")))
    case "tls": return .tls(word(field.member("certificate"), otherwise: .expired))
    case "raw": return octets(field).map { .raw($0) }
    default:
      report((field.member("how") ?? field).problem(expectedOneOf: Fault.Kind.words))
      return nil
    }
  }
}
