import ConformanceModel
import JSONKit

extension FieldReader {
  /// Reads `protocol.yaml`.
  mutating func definition(_ root: JSONField) -> ProtocolDefinition {
    let roles = members(root.member("roles")).map { name, field in
      ProtocolDefinition.RoleDefinition(role: Role(name), ports: ports(field))
    }
    let driven = roles.filter(\.ports.hasDriver).map(\.role)
    return ProtocolDefinition(
      name: text(root.member("protocol")), title: text(root.member("title")), document: text(root.member("document")),
      revision: text(root.member("revision")),
      services: elements(root.member("services")).map { field in
        .init(name: ServiceName(text(field.member("name"))), text: text(field.member("text")))
      },
      roles: roles, dialects: texts(root.member("dialects")).map { Dialect($0) },
      features: elements(root.member("features")).map { field in
        .init(number: int(field.member("number")) ?? 0, name: text(field.member("name")))
      },
      capabilities: elements(root.member("capabilities")).map { field in
        .init(
          name: text(field.member("name")), roles: self.roles(of: field, otherwise: driven),
          isRequired: bool(field.member("required"), otherwise: false), text: text(field.member("text")),
          isClientAddress: bool(field.member("clientAddress"), otherwise: false),
          isTrust: bool(field.member("trust"), otherwise: false),
          requirements: texts(field.member("requirements")).map { RequirementID($0) })
      },
      commands: elements(root.member("commands")).map { command($0, driven) },
      values: elements(root.member("values")).map { field in
        .init(
          name: text(field.member("name")), text: text(field.member("text")),
          capability: text(field.member("capability")), isNumber: bool(field.member("number"), otherwise: false))
      },
      patience: elements(root.member("patience")).map { field in
        .init(name: text(field.member("name")), time: time(field.member("time")), text: text(field.member("text")))
      },
      profiles: elements(root.member("profiles")).map { field in
        .init(
          name: text(field.member("name")), text: text(field.member("text")),
          requirements: texts(field.member("requirements")))
      },
      surroundings: elements(root.member("surroundings")).map { field in
        .init(
          name: text(field.member("name")), text: text(field.member("text")), schema: schema(field.member("schema")))
      },
      moments: moments(root.member("moments")), errorKinds: texts(root.member("errorKinds")),
      secrets: texts(root.member("secrets")),
      hosts: elements(root.member("hosts")).map { field in
        .init(name: text(field.member("host")), requirement: RequirementID(text(field.member("requirement"))))
      },
      certification: elements(root.member("certification")).map { tier($0) },
      disputed: disputed(root.member("disputed")))
  }

  private mutating func moments(_ field: JSONField?) -> ProtocolDefinition.Moments {
    .init(
      setUp: texts(field?.member("set-up")), clear: texts(field?.member("clear")),
      reset: texts(field?.member("reset")), offline: elements(field?.member("offline")).map { template($0) },
      early: texts(field?.member("early")).map { RequirementID($0) })
  }

  private mutating func ports(_ field: JSONField) -> Ports {
    Ports(
      hasDriver: bool(field.member("driver"), otherwise: false),
      upstream: texts(field.member("upstream")).map { ServiceName($0) },
      downstream: texts(field.member("downstream")).map { ServiceName($0) })
  }

  /// The texts of a field that contains one text or a list of texts.
  mutating func textOrTexts(_ field: JSONField?) -> [String] {
    guard let field else { return [] }
    return field.value.string.map { [$0] } ?? texts(field)
  }

  private mutating func roles(of field: JSONField, otherwise usual: [Role]) -> [Role] {
    let named = textOrTexts(field.member("role")).map { Role($0) }
    return named.isEmpty ? usual : named
  }

  private mutating func command(_ field: JSONField, _ driven: [Role]) -> ProtocolDefinition.Command {
    .init(
      name: text(field.member("command")), roles: roles(of: field, otherwise: driven),
      text: text(field.member("text")), capabilities: textOrTexts(field.member("capability")),
      params: schema(field.member("params")), result: schema(field.member("result")),
      callback: field.member("callback").map { schema($0) })
  }

  /// A JSON Schema. Reports a problem if the schema does not compile.
  private mutating func schema(_ field: JSONField?) -> JSON {
    guard let field else { return true }
    do {
      _ = try JSONSchema(field.value)
    } catch {
      var problem = error
      problem.path = JSONPath(field.path.steps + error.path.steps)
      report(problem)
    }
    return field.value
  }

  mutating func requirement(_ field: JSONField, of definition: ProtocolDefinition) -> Requirement {
    let source = field.member("source")
    return Requirement(
      id: RequirementID(text(field.member("id"))), role: Role(text(field.member("role"))),
      feature: int(field.member("feature")), level: word(field.member("level"), otherwise: .must),
      basis: word(field.member("basis"), otherwise: .stated),
      source: .init(
        document: source?.member("document").map { text($0) } ?? definition.document,
        section: text(source?.member("section")), revision: text(source?.member("revision"))),
      text: text(field.member("text")), condition: field.member("condition").map { text($0) },
      positions: textOrTexts(field.member("position")).map { PositionID($0) },
      includes: texts(field.member("includes")).map { RequirementID($0) },
      restsOn: texts(field.member("restsOn")).map { RequirementID($0) },
      untestable: field.member("untestable").map { text($0) }, withdrawn: field.member("withdrawn").map { text($0) })
  }

  mutating func equivalentMutant(_ field: JSONField) -> EquivalentMutant {
    EquivalentMutant(pattern: text(field.member("mutant")), reason: text(field.member("reason")))
  }

  mutating func position(_ field: JSONField) -> Position {
    Position(
      id: PositionID(text(field.member("id"))), gap: text(field.member("gap")), text: text(field.member("text")))
  }

  mutating func defect(_ field: JSONField) -> Defect {
    let follows = members(field.member("follows")).map { (RequirementID($0.key), text($0.field)) }
    return Defect(
      id: DefectID(text(field.member("id"))), side: Role(text(field.member("side"))),
      breaks: textOrTexts(field.member("breaks")).map { RequirementID($0) },
      follows: Dictionary(follows) { first, _ in first }, caseName: field.member("noticed").map { text($0) },
      dialect: field.member("dialect").map { Dialect(text($0)) }, text: text(field.member("text")),
      origin: field.member("origin").map { word($0, otherwise: .slip) },
      mustSurvive: field.member("mustSurvive").map { text($0) }, bend: field.member("bend").flatMap { bend($0) })
  }

  /// Reads a mutation: the message, its filter and the change. The schema and lint check that there is exactly one
  /// message and one change.
  private mutating func bend(_ field: JSONField) -> Defect.Bend? {
    let subjects = Defect.Bend.Subject.allCases
    guard let subject = subjects.first(where: { field.member($0.rawValue) != nil }), let change = change(field) else {
      return nil
    }
    if let expected = change.expected(of: subject) { report(field.problem(expected: expected)) }
    let name = text(field.member(subject.rawValue))
    let bend = Defect.Bend(
      subject, of: name == Selector.any ? nil : name, filter: optionalTemplate(field.member("where")),
      asked: optionalTemplate(field.member("asked")), change)
    if let asked = field.member("asked"), subject != .answer || bend.isAboutTime {
      report(asked.problem(expected: "nothing: only what an answer says may depend on its request"))
    }
    return bend
  }

  private mutating func change(_ field: JSONField) -> Defect.Bend.Change? {
    if let removed = field.member("remove") { return .remove(path(removed)) }
    if let retyped = field.member("retype") { return .retype(path(retyped)) }
    if let set = field.member("set") {
      return .set(members(set).map { .init(path: path($0.key, of: $0.field), value: $0.field.value) })
    }
    if let renamed = field.member("rename") {
      return .rename(members(renamed).map { .init(path: path($0.key, of: $0.field), name: text($0.field)) })
    }
    if field.member("repeat") != nil { return .repeat }
    if let span = field.member("delay") { return .delay(time(span)) }
    if let number = field.member("reorder") { return .reorder(int(number) ?? 1) }
    if let rewrite = field.member("rewrite") {
      return .rewrite(find: text(rewrite.member("find")), with: text(rewrite.member("with")))
    }
    return field.member("lose").map { _ in .lose }
  }

  mutating func idlePass(_ field: JSONField) -> IdlePass {
    IdlePass(
      subject: text(field.member("subject")), keeps: texts(field.member("keeps")).map { RequirementID($0) },
      because: text(field.member("because")))
  }

  mutating func variant(_ field: JSONField) -> Variant {
    Variant(
      id: DefectID(text(field.member("id"))), side: Role(text(field.member("side"))),
      text: text(field.member("text")), because: field.member("because").map { text($0) })
  }
}

extension Defect.Bend.Change {
  /// Returns nil if the change can apply to messages of the kind `subject`. Otherwise returns a text for a diagnostic,
  /// which names the kinds of messages that the change can apply to.
  fileprivate func expected(of subject: Defect.Bend.Subject) -> String? {
    switch self {
    case .repeat where subject == .answer || subject == .reply: "a request or a callback, which can happen twice"
    case .rewrite where subject != .request: "a request, which alone has bytes on the wire"
    case .reorder where subject == .answer:
      "a request, a reply or a callback: the kit knows which request an answer is to"
    default: nil
    }
  }
}
