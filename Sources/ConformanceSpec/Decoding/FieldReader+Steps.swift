import ConformanceModel
import JSONKit

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
    case "cut": return cut(field).map { .cut($0) }
    case "await": return .await(wait(field))
    case "settle": return .settle(within: time(field))
    case "advance": return .advance(time(field))
    case "restart": return .restart(restart(field))
    case "together": return .together(steps(field))
    default:
      return .repeat(
        times: int(field.member("times")) ?? 0, variable: field.member("as").map { text($0) } ?? "n",
        steps: steps(field.member("steps")))
    }
  }

  private mutating func call(_ step: JSONField) -> Step.Call {
    // A step without a label is a precondition: nothing in the case looks at how it ended.
    let usual: Step.Call.Need = step.member("as") == nil ? .succeeds : .either
    return Step.Call(
      command: text(step.member("call")), params: template(step.member("with")),
      waits: bool(step.member("wait"), otherwise: true), need: word(step.member("need"), otherwise: usual))
  }

  private mutating func send(_ step: JSONField) -> Step.Send {
    var headers: [String: Template?] = [:]
    for (name, field) in members(step.member("headers")) {
      headers.updateValue(field.value.isNull ? nil : template(field), forKey: name)
    }
    return Step.Send(
      exchange: text(step.member("send")), bindings: step.member("bindings").map { text($0) },
      with: template(step.member("with")), edits: edits(step), headers: headers,
      path: optionalTemplate(step.member("path")), method: step.member("method").map { text($0) },
      body: optionalTemplate(step.member("body")), from: optionalTemplate(step.member("from")),
      waits: bool(step.member("wait"), otherwise: true))
  }

  private mutating func answer(_ step: JSONField) -> Step.Answer {
    Step.Answer(
      exchange: text(step.member("answer")), response: text(step.member("response")),
      with: template(step.member("with")), edits: edits(step), status: int(step.member("status")),
      times: int(step.member("times")))
  }

  /// First what is set, then what is removed.
  private mutating func edits(_ step: JSONField) -> [Step.Edit] {
    members(step.member("set")).map { .init(path: path($0.key, of: $0.field), value: template($0.field)) }
      + elements(step.member("remove")).map { .init(path: path($0), value: nil) }
  }

  private mutating func wait(_ field: JSONField) -> Step.Await {
    let target: Step.Await.Target =
      field.member("reply").map { .reply(text($0)) } ?? .observed(selector(field))
    return Step.Await(
      target: target, count: int(field.member("count")) ?? 1,
      within: field.member("within").map { time($0) } ?? Step.Await.patience)
  }

  private mutating func restart(_ field: JSONField) -> Step.Restart {
    guard field.value.object != nil else { return .init(ending: word(field, otherwise: .clean)) }
    var keepsStorage = true
    if let storage = field.member("storage") {
      if storage.value != "fresh" { report(storage.problem(expected: "fresh")) }
      keepsStorage = false
    }
    return .init(ending: word(field.member("how"), otherwise: .clean), keepsStorage: keepsStorage)
  }

  private mutating func cut(_ field: JSONField) -> Step.Cut? {
    let upstream = field.member("upstream").map { text($0) }
    let exchange = field.member("exchange").map { text($0) }
    if field.value["how"] == "heal" { return .init(upstream: upstream, change: .heal(exchange: exchange)) }
    guard let kind = faultKind(field) else { return nil }
    let fault = Fault(
      kind, exchange: exchange, filter: field.member("where").map { template($0) },
      skip: int(field.member("skip")) ?? 0, times: int(field.member("times")))
    return .init(upstream: upstream, change: .arm(fault))
  }

  private mutating func faultKind(_ field: JSONField) -> Fault.Kind? {
    func bytes() -> Int { int(field.member("bytes")) ?? 0 }
    switch field.value["how"]?.string {
    case "refuse": return .refuse
    case "drop": return .drop
    case "hang": return .hang
    case "bad-chunk": return .badChunk
    case "reset": return .reset(afterBytes: bytes())
    case "truncate": return .truncate(bytes: bytes())
    case "delay": return .delay(time(field.member("by")))
    case "drip": return .drip(bytes: bytes(), every: time(field.member("by")))
    case "wrong-length": return .wrongLength(by: int(field.member("by")) ?? 0)
    case "status": return .status(int(field.member("status")) ?? 0)
    case "redirect":
      return .redirect(status: int(field.member("status")) ?? 0, location: text(field.member("location")))
    case "raw": return octets(field).map { .raw($0) }
    default:
      report((field.member("how") ?? field).problem(expectedOneOf: Fault.Kind.words + ["heal"]))
      return nil
    }
  }
}

extension Step.Action {
  /// The closed vocabulary, as it is spelled.
  static let words = [
    "call", "send", "answer", "cut", "await", "settle", "advance", "restart", "together", "repeat",
  ]
}

extension Fault.Kind {
  /// The closed vocabulary, as it is spelled.
  static let words = [
    "refuse", "drop", "hang", "reset", "delay", "drip", "truncate", "wrong-length", "bad-chunk", "status", "raw",
    "redirect",
  ]
}
