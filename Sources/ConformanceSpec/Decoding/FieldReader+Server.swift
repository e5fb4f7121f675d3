import ConformanceModel
import JSONKit
import Templates

extension FieldReader {
  /// Reads `server.yaml`.
  mutating func server(_ root: JSONField) -> ServerDefinition {
    ServerDefinition(
      values: Bindings(Dictionary(members(root.member("values")).map { ($0.key, $0.field.value) }) { _, last in last }),
      states: members(root.member("state")).map { serverState($0.key, $0.field) },
      rules: elements(root.member("rules")).map { serverRule($0) },
      operations: members(root.member("commands")).map { command, field in
        let alternatives = field.value.array == nil ? [field] : elements(field)
        return .init(command: command, alternatives: alternatives.map { serverAlternative($0) })
      },
      isLenient: bool(root.member("lenient"), otherwise: false))
  }

  private mutating func serverState(_ name: String, _ field: JSONField) -> ServerDefinition.State {
    let scope = serverScope(field.member("per"))
    let holds = field.member("holds")
    for problem in holds.map({ Self.problems(ofKeysIn: $0, depth: scope.count) }) ?? [] { report(problem) }
    return ServerDefinition.State(
      name: name, scope: scope, initial: field.value["starts"], entries: holds?.value.object ?? [:],
      lifetime: field.member("for").map { time($0) })
  }

  private mutating func serverScope(_ field: JSONField?) -> [ServerName] {
    textOrTexts(field).compactMap { text in
      if let name = ServerName(text) { return name }
      if let field { report(field.problem(expected: "a name: of a hole, or of a state such as state.contact")) }
      return nil
    }
  }

  /// The problems of the values with which a state begins. These values must contain as many levels of objects as `per`
  /// contains names.
  private static func problems(ofKeysIn field: JSONField, depth: Int) -> [JSONField.Problem] {
    guard depth > 0 else {
      return [.init(path: field.path, expected: "'per', whose keys these are", found: "none", hint: "say 'starts'")]
    }
    return ((try? field.members()) ?? []).flatMap { _, member -> [JSONField.Problem] in
      guard depth > 1 else { return [] }
      guard member.value.object != nil else {
        return [member.problem(expected: "an object, by the next of the names in 'per'")]
      }
      return problems(ofKeysIn: member, depth: depth - 1)
    }
  }

  private mutating func serverRule(_ field: JSONField) -> ServerDefinition.Rule {
    ServerDefinition.Rule(
      exchanges: textOrTexts(field.member("to")), dialects: texts(field.member("dialects")).map { Dialect($0) },
      request: optionalTemplate(field.member("when")), change: serverChange(field),
      answer: field.member("give").map { give in
        .init(
          response: text(give), edits: edits(field), headers: headers(field), status: int(field.member("status")))
      },
      holes: entries(field.member("with")), switch: serverSwitch(field))
  }

  private mutating func serverSwitch(_ field: JSONField) -> ServerDefinition.Switch {
    func ids(_ field: JSONField?) -> [DefectID] { textOrTexts(field).map { DefectID($0) } }
    return .init(unless: ids(field.member("unless")), only: ids(field.member("only")))
  }

  private mutating func serverAlternative(_ field: JSONField) -> ServerDefinition.Operation.Alternative {
    let reason = field.member("fails").map { text($0) }
    return .init(
      change: serverChange(field),
      outcome: reason.map { .fails($0) } ?? .returns(template(field.member("returns"), otherwise: .null)),
      switch: serverSwitch(field))
  }

  private mutating func serverChange(_ field: JSONField) -> ServerDefinition.Change {
    let loop = field.member("each").map { each in
      ServerDefinition.Change.Loop(list: template(each), variable: text(field.member("as")))
    }
    var effects: [ServerDefinition.Effect] = []
    if let added = field.member("add") { effects.append(.add(entries(added))) }
    if let appended = field.member("append") { effects.append(.append(entries(appended))) }
    if let included = field.member("include") { effects.append(.include(entries(included))) }
    if let excluded = field.member("exclude") { effects.append(.exclude(entries(excluded))) }
    if let kept = field.member("keep") { effects.append(.keep(entries(kept))) }
    if let expired = field.member("expire") { effects.append(.expire(textOrTexts(expired))) }
    if let forgotten = field.member("forget") { effects.append(.forget(textOrTexts(forgotten))) }
    return ServerDefinition.Change(
      loop: loop, conditions: entries(field.member("while")), definitions: entries(field.member("let")),
      effects: effects, further: elements(field.member("also")).map { serverChange($0) })
  }

  private mutating func entries(_ field: JSONField?) -> [ServerDefinition.Entry] {
    members(field).map { .init($0.key, template($0.field)) }
  }
}
