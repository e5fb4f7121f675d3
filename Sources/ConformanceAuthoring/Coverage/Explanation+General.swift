import ConformanceModel
import ConformanceSpec

/// What the catalogue knows of the words that belong to a protocol as a whole, and of the gates.
extension Explanation {
  /// The names of commands, capabilities, features and gates.
  static func generalNames(in definition: ProtocolDefinition) -> [String] {
    definition.commands.map(\.name) + definition.capabilities.map(\.name)
      + definition.features.map(\.name) + Gate.allCases.map(\.rawValue)
  }

  /// Explains a command, a capability, a feature by its name or number, or a gate; nil for any other name. Where a
  /// command and a capability are called alike, it is the command, which names its capability.
  init?(general name: String, in catalogue: Catalogue) {
    let definition = catalogue.definition
    if let command = definition.commands.first(where: { $0.name == name }) {
      self.init(command: command, catalogue)
    } else if let capability = definition.capabilities.first(where: { $0.name == name }) {
      self.init(capability: capability, catalogue)
    } else if let feature = definition.features.first(where: { $0.name == name || "\($0.number)" == name }) {
      self.init(feature: feature, catalogue)
    } else if let gate = Gate(rawValue: name) {
      self.init(gate: gate, catalogue)
    } else {
      return nil
    }
  }

  private init(command: ProtocolDefinition.Command, _ catalogue: Catalogue) {
    self.init(
      title: "command \(command.name), role \(command.roles.map(\.rawValue).joined(separator: ", "))",
      text: command.text)
    for capability in command.capabilities { add("capability", capability) }
    add("params", command.params.compactText)
    add("result", command.result.compactText)
    let users = catalogue.cases.filter { one in one.scenarios.contains { $0.steps.call(command.name) } }
    add("used by", Self.some(users.map(\.id.rawValue), "case"))
  }

  private init(capability: ProtocolDefinition.Capability, _ catalogue: Catalogue) {
    let roles = capability.roles.map(\.rawValue).joined(separator: ", ")
    self.init(title: "capability \(capability.name), role \(roles)", text: capability.text)
    add("required", capability.isRequired ? "every subject has to have it" : "a subject may do without it")
    let definition = catalogue.definition
    for command in definition.commands where command.capabilities.contains(capability.name) {
      add("command", "\(command.name): \(command.text)")
    }
    add(
      "needed by", Self.some(catalogue.cases.filter { $0.needs.contains(capability.name) }.map(\.id.rawValue), "case"))
    for rule in catalogue.requirements where rule.condition == capability.name {
      add("rule", "\(rule.id): \(rule.text)")
    }
  }

  private init(feature: ProtocolDefinition.Feature, _ catalogue: Catalogue) {
    self.init(title: "feature \(feature.number)", text: feature.name)
    for rule in catalogue.requirements where rule.feature == feature.number && rule.withdrawn == nil {
      add(rule.level.rawValue, "\(rule.id): \(rule.text)")
    }
  }

  private init(gate: Gate, _ catalogue: Catalogue) {
    self.init(title: "gate \(gate.rawValue)", text: gate.text)
    for role in catalogue.definition.roleNames {
      let rules = catalogue.requirements.filter { $0.role == role && $0.withdrawn == nil }
      let demanded = rules.count { gate.demands($0.level, $0.basis) }
      add(role.rawValue, "\(demanded) of \(rules.count) rules can fail a run")
    }
  }

  /// How many there are, and the first of them.
  private static func some(_ names: [String], _ what: String) -> String? {
    guard !names.isEmpty else { return nil }
    let shown = names.prefix(8).joined(separator: " ") + (names.count > 8 ? " …" : "")
    return "\(names.count) \(what)\(names.count == 1 ? "" : "s"): \(shown)"
  }
}

extension Gate {
  /// Which violations fail a run.
  fileprivate var text: String {
    switch self {
    case .stated: "A run fails by a MUST or MUST NOT that the documents state or publish."
    case .positions: "A run fails by those and by what the kit takes as its position where the documents are silent."
    case .strict: "A run fails by all of these, and by SHOULD and SHOULD NOT."
    }
  }
}

extension [Step] {
  /// Whether one of them, or of those inside them, is this command.
  fileprivate func call(_ name: String) -> Bool {
    contains { step in
      switch step.action {
      case .call(let call): call.command == name
      case .operate(let operate): operate.command == name
      case .together(let steps), .repeat(_, _, let steps), .perform(_, let steps): steps.call(name)
      case .attempt(let attempt): attempt.ways.contains { $0.steps.call(name) }
      default: false
      }
    }
  }
}
