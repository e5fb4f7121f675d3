import ConformanceModel
import ConformanceSpec

/// Explanations of gates, and of names and words that belong to a protocol as a whole.
extension Explanation {
  /// General words in reports and options, such as `gate`.
  private static let words =
    ["gate", "position", "dialect", "feature", "advisory", "capability"] + results.keys.sorted()

  /// The meanings of those words in reports that have the same meaning in every protocol.
  private static let results: [String: String] = [
    "baseline":
      "A baseline is a file with the violations that a project accepts, each with a reason. 'baseline write' makes it "
      + "from a record, and 'run --baseline FILE' uses it: a violation in the file is known and fails nothing.",
    "known": "A violation is known if the baseline of the run lists it. It is reported and fails nothing.",
    "stale":
      "An entry of the baseline is stale if the run no longer shows its violation. Then the run ends with exit 4. "
      + "Remove the entry, so that the same violation cannot come back unnoticed.",
    "unjudged":
      "A verdict is unjudged if the kit could not decide, for example because the adapter died or a violated "
      + "requirement kept the case from its point. The card of the violation names such verdicts. Without a violation, "
      + "the run ends with exit 3.",
    "skipped":
      "A verdict is skipped if its requirement does not bind the subject, for example because the subject lacks an "
      + "optional capability. It fails nothing.",
  ]

  /// The names of commands, capabilities, features, dialects and gates, and general words such as `gate`.
  static func generalNames(in definition: ProtocolDefinition) -> [String] {
    definition.commands.map(\.name) + definition.capabilities.map(\.name)
      + definition.features.map(\.name) + definition.dialects.map(\.rawValue) + Gate.allCases.map(\.rawValue) + words
  }

  /// Explains a command, a capability, a feature by its name or number, a dialect, a gate, or a general word such as
  /// `gate`. Returns nil for any other name. If a command and a capability have the same name, explains the command,
  /// whose text contains the capability.
  init?(general name: String, in catalogue: Catalogue) {
    let definition = catalogue.definition
    if let command = definition.commands.first(where: { $0.name == name }) {
      self.init(command: command, catalogue)
    } else if let capability = definition.capabilities.first(where: { $0.name == name }) {
      self.init(capability: capability, catalogue)
    } else if let feature = definition.features.first(where: { $0.isCalled(name) }) {
      self.init(feature: feature, catalogue)
    } else if let dialect = definition.dialects.first(where: { $0.rawValue == name }) {
      self.init(dialect: dialect, catalogue)
    } else if let gate = Gate(rawValue: name) {
      self.init(gate: gate, catalogue)
    } else {
      self.init(word: name, catalogue)
    }
  }

  private init?(word: String, _ catalogue: Catalogue) {
    let definition = catalogue.definition
    switch word {
    case "gate":
      self.init(
        title: "gate", text: "A gate decides which violations fail a run. 'run --gate' chooses it; the usual is stated."
      )
      for gate in Gate.allCases { add(gate.rawValue, gate.text) }
    case "position":
      self.init(
        title: "position",
        text: "A position is how the kit reads a point that the documents leave open. A violation of it is advisory "
          + "unless the gate is positions or strict; 'run --without-position ID' switches it off.")
      for position in catalogue.positions { add(position.id.rawValue, position.text) }
    case "dialect":
      self.init(
        title: "dialect",
        text:
          "A dialect is one of the ways in which servers of the protocol answer. A subject is judged in each that it "
          + "speaks; 'run --dialect' chooses.")
      for dialect in definition.dialects { add(dialect.rawValue, Self.differences(of: dialect, catalogue)) }
    case "feature":
      self.init(
        title: "feature", text: "A feature is a row of the protocol's parity matrix; 'run --feature NUMBER' chooses it."
      )
      for feature in definition.features { add("\(feature.number)", feature.name) }
    case "advisory":
      self.init(
        title: "advisory",
        text:
          "A finding is advisory if the gate of the run does not demand the requirement: a SHOULD, what only shipped "
          + "code does, or a position of the kit. It is reported and fails nothing; 'run --advisory' shows its card, "
          + "and 'run --gate' makes it fail.")
      for gate in Gate.allCases {
        let open = catalogue.requirements.filter { $0.withdrawn == nil && !gate.demands($0.level, $0.basis) }
        add(gate.rawValue, "\(open.count) requirements are advisory")
      }
    case "capability":
      self.init(
        title: "capability",
        text: "A capability is a part of a subject that its adapter or provisioning file declares. Cases need "
          + "capabilities; a required one that is missing fails the run, and an optional one skips its cases.")
      for capability in definition.capabilities { add(capability.name, capability.text) }
    default:
      guard let text = Self.results[word] else { return nil }
      self.init(title: word, text: text)
    }
  }

  private init(dialect: Dialect, _ catalogue: Catalogue) {
    self.init(
      title: "dialect \(dialect)", text: "One of the ways in which servers of \(catalogue.definition.name) answer.")
    add("cases", "\(Self.cases(in: dialect, catalogue).count)")
    let others = catalogue.definition.dialects.filter { $0 != dialect }
    for other in others {
      let more = Set(Self.cases(in: dialect, catalogue)).subtracting(Self.cases(in: other, catalogue))
      let less = Set(Self.cases(in: other, catalogue)).subtracting(Self.cases(in: dialect, catalogue))
      add("not in \(other)", Self.some(more.sorted(), "case"))
      add("only in \(other)", Self.some(less.sorted(), "case"))
    }
    add("own form", Self.exchanges(of: dialect, catalogue))
    add("chosen by", "--dialect \(dialect)")
  }

  private static func cases(in dialect: Dialect, _ catalogue: Catalogue) -> [String] {
    catalogue.cases.filter { $0.dialects.contains(dialect) }.map(\.id.rawValue)
  }

  /// The exchanges that have a request or an answer written for this dialect; nil if this dialect has only common
  /// forms.
  private static func exchanges(of dialect: Dialect, _ catalogue: Catalogue) -> String? {
    let own = catalogue.exchanges.filter { one in
      one.requests[dialect] != nil || one.responses.values.contains { $0[dialect] != nil }
    }
    return some(own.map(\.name), "exchange")
  }

  /// A text with the number of cases in this dialect. If some of these cases do not run in every dialect, the text also contains
  /// their number and the names of the first of them.
  private static func differences(of dialect: Dialect, _ catalogue: Catalogue) -> String {
    let all = cases(in: dialect, catalogue)
    let dialects = catalogue.definition.dialects
    let special = catalogue.cases.filter { one in
      one.dialects.contains(dialect) && !dialects.allSatisfy(one.dialects.contains)
    }
    let own = some(special.map(\.id.rawValue), "case").map { "; not in every dialect: \($0)" } ?? ""
    return "\("case".counted(all.count))\(own)"
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
      add("requirement", "\(rule.id): \(rule.text)")
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
      add(role.rawValue, "\(demanded) of \(rules.count) requirements can fail a run")
    }
  }

  /// The number of names, with the first of them as examples; nil for an empty list.
  private static func some(_ names: [String], _ what: String) -> String? {
    guard !names.isEmpty else { return nil }
    let shown = names.prefix(8).joined(separator: " ") + (names.count > 8 ? " …" : "")
    return "\(names.count) \(what)\(names.count == 1 ? "" : "s"): \(shown)"
  }
}

extension ProtocolDefinition.Feature {
  /// Whether a text refers to the feature: by its name in any letter case, by its number, or as `feature 13`.
  fileprivate func isCalled(_ name: String) -> Bool {
    let word = name.lowercased()
    // Most names end with examples in parentheses.
    let short = self.name.lowercased().prefix { $0 != "(" }.split(separator: " ").joined(separator: " ")
    return [self.name.lowercased(), short, "\(number)", "feature \(number)"].contains(word)
  }
}

extension Gate {
  /// A sentence about the violations that fail a run with this gate.
  fileprivate var text: String {
    switch self {
    case .stated: "A run fails by a MUST or MUST NOT that the documents state or publish, or a standard."
    case .positions: "A run fails by those and by what the kit takes as its position where the documents are silent."
    case .strict: "A run fails by all of these, and by SHOULD and SHOULD NOT."
    }
  }
}

extension [Step] {
  /// Whether one of the steps, or a step inside one of them, calls this command.
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
