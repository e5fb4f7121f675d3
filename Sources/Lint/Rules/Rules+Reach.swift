import ConformanceModel
import ConformancePack
import ConformanceSpec
import Coverage
import JSONKit
import SpecDocuments
import Templates
import TextKit

extension Linter {
  /// Rules that report the parts of a protocol that no case uses. A mistake in such a part is not noticed. A small
  /// catalogue cannot use everything, so `coverage.yaml` can give a reason for an exception.
  static let reachRules =
    [
      reach("uncalled-command", "A case calls every command.", \.uncalledCommands),
      reach("unset-parameter", "A case sets every parameter of a command.", \.unsetParameters),
      reach("unneeded-capability", "A case needs every capability.", \.unneededCapabilities),
      reach("unset-surrounding", "A case sets every fact about the surroundings.", \.unsetSurroundings),
      reach("unexpected-error", "A claim expects every kind of error.", \.unexpectedErrors),
      reach("unused-fault", "Every role that calls services meets every kind of fault.", \.unusedFaults),
      reach(
        "unmet-status",
        "Each exchange that a mock answers meets an unexpected success, a redirect, a refusal, a failure and a truncated body.",
        \.unmetStatuses),
    ] + [
      // A warning and not an error: a user may run the pack although an added case has made one of the pack's reasons
      // stale.
      LintRule(
        "stale-reason", "A reason in `coverage.yaml` is about something that exists and that no case looks at.",
        severity: .warning
      ) { subject in
        let notes = subject.sources.coverage
        let views = [
          ("flow", MemberFlow(subject.sources, scenarios: subject.scenarios).bare.openCells, notes.flow),
          ("moments", CommandMoments(subject.sources, scenarios: subject.scenarios).openCells, notes.moments),
          ("values", ValueCoverage(subject.sources, scenarios: subject.scenarios).openCells, notes.values),
          ("negatives", NegativeCoverage(subject.sources, scenarios: subject.scenarios).openCells, notes.negatives),
        ]
        return views.flatMap { view, open, reasons in
          // A reason explains something if one of its cells exists and has no case or claim.
          reasons.filter { !open.contains(where: Wildcard($0.value.pattern).matches) }.map {
            $0.finding(
              at: "cell", expected: "an empty cell of 'conform coverage --\(view)'", found: "'\($0.value.pattern)'",
              hint: Nearest.suggestion(for: $0.value.pattern, in: open))
          }
        } + subject.staleExceptions
      },
      LintRule("passage", "A passage names a golden model, and an exchange or a command.") { $0.unknownPassages },
      LintRule("negative-name", "The names for the view of refusals are requirements, values and commands.") {
        $0.unknownNegatives
      },
      LintRule(
        "source-sentence",
        "Each sentence of a document has requirements or a reason, and each requirement cites a section that exists.",
        find: { $0.openSentences + $0.uncitedSections }),
      LintRule("moment-command", "The commands that separate moments are commands of the protocol.") { subject in
        let located = subject.sources.definition
        let moments = located.value.moments
        let known = located.value.commands.map(\.name)
        return [("set-up", moments.setUp), ("clear", moments.clear), ("reset", moments.reset)].flatMap { list, names in
          names.enumerated().compactMap { index, name in
            LintFinding(
              in: located.document, at: JSONPath([.key("moments"), .key(list), .index(index)]), unknown: name,
              "a command", known: known)
          }
        }
      },
    ]

  /// Maps each rule that allows exceptions in `coverage.yaml` to the function that finds all unused parts. The function
  /// also finds the parts with an exception.
  fileprivate static let reaches: [String: @Sendable (LintSubject) -> [Unreached]] = [
    "uncalled-command": { $0.uncalledCommands }, "unset-parameter": { $0.unsetParameters },
    "unneeded-capability": { $0.unneededCapabilities }, "unset-surrounding": { $0.unsetSurroundings },
    "unexpected-error": { $0.unexpectedErrors }, "unused-fault": { $0.unusedFaults },
    "unmet-status": { $0.unmetStatuses },
  ]

  private static func reach(
    _ name: String, _ text: String, _ find: @escaping @Sendable (LintSubject) -> [Unreached]
  ) -> LintRule {
    LintRule(name, text, severity: .warning) { subject in
      guard subject.sources.cases.count >= fewestCases else { return [] }
      let excepted = subject.sources.coverage.unused.filter { $0.value.rule == name }.map {
        Wildcard($0.value.reason.pattern)
      }
      return find(subject).filter { one in !excepted.contains { $0.matches(one.name) } }.map { one in
        LintFinding(
          in: one.document, at: one.path, expected: one.wanted, found: "none",
          hint: "write one, or say in coverage.yaml why there is none: { rule: \(name), of: \(one.name), reason: … }")
      }
    }
  }
}

/// A part of the protocol that no case uses.
private struct Unreached {
  /// The name that an exception in `coverage.yaml` uses for the part.
  var name: String
  var wanted: String
  var document: SpecDocument
  var path: JSONPath
}

extension LintSubject {
  /// An unused part of the protocol's definition.
  private func unreached(_ name: String, _ wanted: String, _ list: String, _ index: Int, _ more: String...) -> Unreached
  {
    Unreached(
      name: name, wanted: wanted, document: sources.definition.document,
      path: more.reduce(JSONPath([.key(list), .index(index)])) { $0.appending(key: $1) })
  }

  /// The commands that cases call, also in loops, states and explorations.
  private var asked: [(role: Role, name: String, params: JSON)] {
    scenarios.flatMap { scenario in
      scenario.steps.flatMap { site -> [(role: Role, name: String, params: JSON)] in
        if let command = site.step.action.command { return [(scenario.role, command.name, command.params.source)] }
        guard case .explore(let exploration) = site.step.action else { return [] }
        return exploration.draws.map { (scenario.role, $0.word, $0.with.source) }
      }
    }
  }

  /// The commands of the definition with their indices and the parameters that cases give them. If a command of a
  /// subject and a command of an operator have the same name, a case calls the command whose `role:` contains the role
  /// of the case.
  private var commandUses: [(index: Int, command: ProtocolDefinition.Command, params: [JSON])] {
    let asked = asked
    return definition.commands.enumerated().map { index, command in
      let isOnly = definition.commands.count { $0.name == command.name } == 1
      let uses = asked.filter { $0.name == command.name && (isOnly || command.roles.contains($0.role)) }
      return (index, command, uses.map(\.params))
    }
  }

  fileprivate var uncalledCommands: [Unreached] {
    commandUses.filter(\.params.isEmpty).map { index, command, _ in
      unreached(command.name, "a case that calls '\(command.name)'", "commands", index, "command")
    }
  }

  fileprivate var unsetParameters: [Unreached] {
    commandUses.filter { !$0.params.isEmpty }.flatMap { index, command, params in
      let members = command.params["properties"]?.object?.members.map(\.key) ?? []
      return members.filter { member in !params.contains { $0[member] != nil } }.map { member in
        unreached(
          "\(command.name).\(member)", "a case that calls '\(command.name)' with '\(member)'", "commands", index,
          "params", "properties", member)
      }
    }
  }

  fileprivate var unneededCapabilities: [Unreached] {
    let needed = Set(sources.cases.flatMap(\.value.needs))
    return definition.capabilities.enumerated().filter { !needed.contains($0.element.name) }.map {
      unreached($1.name, "a case that needs '\($1.name)'", "capabilities", $0, "name")
    }
  }

  fileprivate var unsetSurroundings: [Unreached] {
    let facts = scenarios.flatMap { scenario -> [JSON] in
      let changes = scenario.steps.compactMap { site -> JSON? in
        switch site.step.action {
        case .surroundings(let facts): facts.source
        case .restart(let restart): restart.environment.source
        default: nil
        }
      }
      return [.object(scenario.scenario.environment)] + changes
    }
    return definition.surroundings.enumerated().filter { one in !facts.contains { $0[one.element.name] != nil } }.map {
      unreached($1.name, "a case that sets '\($1.name)'", "surroundings", $0, "name")
    }
  }

  fileprivate var unexpectedErrors: [Unreached] {
    let expected = Set(
      scenarios.flatMap { scenario in
        scenario.assertions.flatMap { $0.assertion.templates(at: $0.path).flatMap(\.value.node.errorKinds) }
      })
    return definition.errorKinds.enumerated().filter { !expected.contains($0.element) }.map {
      unreached($1, "a claim that a command fails as '\($1)'", "errorKinds", $0)
    }
  }

  fileprivate var unusedFaults: [Unreached] {
    let used = Dictionary(grouping: scenarios, by: \.role).mapValues { scenarios in
      Set(
        scenarios.flatMap(\.steps).compactMap { site in
          if case .fault(let fault) = site.step.action { fault.kind.word } else { nil }
        })
    }
    // The real server of a pair has no faults that a case could arm.
    return definition.roles.filter { !$0.ports.upstream.isEmpty && !definition.isPair($0.role) }.flatMap { role in
      Fault.Kind.words.filter { !(used[role.role]?.contains($0) ?? false) }.map { word in
        Unreached(
          name: "\(role.role) \(word)", wanted: "a case of the role \(role.role) with the fault '\(word)'",
          document: sources.definition.document, path: JSONPath([.key("roles"), .key(role.role.rawValue)]))
      }
    }
  }

  // MARK: Statuses

  /// For each exchange that a mock answers, the kinds of answers that the mock gives in no case.
  fileprivate var unmetStatuses: [Unreached] {
    let called = Set(definition.roles.flatMap(\.ports.upstream))
    let exchanges = sources.exchanges.filter { called.contains($0.value.service) && !$0.value.isBound }
    let byName = Dictionary(exchanges.map { ($0.value.name, $0.value) }) { first, _ in first }
    var met: [String: Set<StatusFamily>] = [:]
    for scenario in scenarios where !definition.ports(of: scenario.role).upstream.isEmpty {
      for site in scenario.steps {
        switch site.step.action {
        case .answer(let answer):
          guard let exchange = byName[answer.exchange] else { continue }
          met[answer.exchange, default: []].formUnion(exchange.families(of: answer))
        case .fault(let fault):
          guard let name = fault.exchange, let exchange = byName[name] else { continue }
          if let family = exchange.family(of: fault.kind) { met[name, default: []].insert(family) }
        default: continue
        }
      }
    }
    return exchanges.flatMap { located in
      let name = located.value.name
      return StatusFamily.allCases.filter { !(met[name]?.contains($0) ?? false) }.map { family in
        Unreached(
          name: "\(name) \(family.rawValue)", wanted: "a case in which '\(name)' is answered with \(family.text)",
          document: located.document, path: JSONPath([.key("exchange")]))
      }
    }
  }
}

/// A kind of answer that a case can let a mock give. The status and the body determine the kind.
private enum StatusFamily: String, CaseIterable {
  case odd, redirect, refused, failed, half

  var text: String {
    switch self {
    case .odd: "a 2xx that is not its usual one"
    case .redirect: "a 3xx"
    case .refused: "a 4xx"
    case .failed: "a 5xx"
    case .half: "half a body"
    }
  }

  init?(status: Int, usual: Int?) {
    switch status {
    case 200..<300 where status != usual: self = .odd
    case 300..<400: self = .redirect
    case 400..<500: self = .refused
    case 500..<600: self = .failed
    default: return nil
    }
  }
}

extension Exchange {
  /// The usual success status of the exchange: the status of the response `default`. Without that response, it is the
  /// most frequent success status.
  private var usualStatus: Int? {
    let successes = responses.values.flatMap(\.values).map(\.status).filter { (200..<300).contains($0) }
    let counts = Dictionary(grouping: successes, by: \.self).mapValues(\.count)
    return responses["default"]?.values.first?.status ?? counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
  }

  fileprivate func families(of answer: Step.Answer) -> Set<StatusFamily> {
    let given = responses[answer.response].map { Array($0.values) } ?? []
    let statuses = answer.status.map { [$0] } ?? given.map(\.status)
    let families = statuses.compactMap { StatusFamily(status: $0, usual: usualStatus) }
    return Set(families + (given.contains(where: \.isHalf) ? [.half] : []))
  }

  fileprivate func family(of kind: Fault.Kind) -> StatusFamily? {
    switch kind {
    case .status(let status): StatusFamily(status: status, usual: usualStatus)
    case .redirect: .redirect
    case .truncate, .stall, .wrongLength, .badChunk: .half
    case .reset(let bytes): bytes > 0 ? .half : nil
    default: nil
    }
  }
}

extension Exchange.Response {
  /// Whether the body begins like JSON but is not valid JSON.
  fileprivate var isHalf: Bool {
    guard case .bytes(let octets) = body, let first = octets.bytes.first else { return false }
    return (first == UInt8(ascii: "{") || first == UInt8(ascii: "[")) && octets.json == nil
  }
}

// MARK: Errors

extension Template.Node {
  /// The error kinds that the template expects: the texts of members named `kind`.
  fileprivate var errorKinds: [String] {
    switch self {
    case .literal(.object(let object)):
      object.members.flatMap { member in
        member.key == "kind" ? member.value.texts : Self.literal(member.value).errorKinds
      }
    case .literal, .hole, .text: []
    case .array(let nodes): nodes.flatMap(\.errorKinds)
    case .object(let members):
      members.flatMap { $0.key == "kind" ? $0.value.texts : $0.value.errorKinds }
    case .constraints(let constraints): constraints.flatMap(\.errorKinds)
    }
  }

  /// The texts that the template accepts.
  fileprivate var texts: [String] {
    switch self {
    case .literal(let value): value.texts
    case .constraints(let constraints):
      constraints.flatMap { constraint -> [String] in
        switch constraint {
        case .oneOf(let nodes), .allOf(let nodes): nodes.flatMap(\.texts)
        default: []
        }
      }
    default: []
    }
  }
}

extension Template.Constraint {
  fileprivate var errorKinds: [String] {
    switch self {
    case .fails(let node): node.texts + node.errorKinds
    case .oneOf(let nodes), .allOf(let nodes): nodes.flatMap(\.errorKinds)
    case .every(let node), .some(let node), .only(let node): node.errorKinds
    default: []
    }
  }
}

extension JSON {
  fileprivate var texts: [String] { string.map { [$0] } ?? array?.compactMap(\.string) ?? [] }
}

// MARK: Reasons

extension LintSubject {
  /// The findings about exceptions that excuse no unused part, and about exceptions from a rule that allows no
  /// exceptions.
  fileprivate var staleExceptions: [LintFinding] {
    var known: [String: [String]] = [:]
    return sources.coverage.unused.compactMap { located in
      let rule = located.value.rule
      guard let find = Linter.reaches[rule] else {
        return located.unknown(rule, at: "rule", "a rule that has exceptions", known: Array(Linter.reaches.keys))
      }
      let names = known[rule] ?? find(self).map(\.name)
      known[rule] = names
      guard !names.contains(where: Wildcard(located.value.reason.pattern).matches) else { return nil }
      return located.finding(
        at: "of", expected: "something that '\(rule)' would find", found: "'\(located.value.reason.pattern)'",
        hint: Nearest.suggestion(for: located.value.reason.pattern, in: names))
    }
  }

  fileprivate var unknownPassages: [LintFinding] {
    let models = sources.models.map(\.value.name)
    let commands = definition.commands.map(\.name)
    return sources.coverage.passages.flatMap { located -> [LintFinding] in
      let passage = located.value
      let isMessage = passage.kind == .request || passage.kind == .answer
      let known = isMessage ? exchangeNames + [Selector.any] : commands
      return [
        located.unknown(passage.model, at: "model", "a golden model", known: models),
        located.unknown(passage.name, at: passage.kind.rawValue, isMessage ? "an exchange" : "a command", known: known),
      ].compactMap(\.self)
    }
  }

  /// The unknown names in `negativeRequirements` and `negativeForms` of `coverage.yaml`.
  fileprivate var unknownNegatives: [LintFinding] {
    let ids = sources.requirements.map(\.value.id.rawValue)
    let names = definition.values.map(\.name) + definition.commands.map(\.name)
    let requirements = NegativeKind.allCases.flatMap { sources.coverage.negativeRequirements[$0] ?? [] }
    let forms = NamedForm.allCases.flatMap { sources.coverage.negativeForms[$0] ?? [] }
    return requirements.compactMap { one in
      LintFinding(
        in: one.document, at: one.path, unknown: one.value.rawValue, "the id of a requirement", known: ids)
    }
      + forms.compactMap { one in
        LintFinding(in: one.document, at: one.path, unknown: one.value, "a value or a command", known: names)
      }
  }

  /// The invalid entries of `sentences` in `coverage.yaml`. An entry is invalid if it names an unknown requirement, if
  /// it has neither requirements nor a reason, or if it has both.
  fileprivate var openSentences: [LintFinding] {
    let ids = sources.requirements.map(\.value.id.rawValue)
    return sources.coverage.documents.flatMap { located in
      located.value.sections.enumerated().flatMap { index, section in
        section.sentences.enumerated().flatMap { place, sentence -> [LintFinding] in
          let path = located.path.appending(key: "sections").appending(index: index).appending(key: "sentences")
            .appending(index: place)
          if sentence.rules.isEmpty == (sentence.reason == nil) {
            let found = sentence.rules.isEmpty ? "neither" : "both"
            return [LintFinding(in: located.document, at: path, expected: "'rules' or a 'reason'", found: found)]
          }
          return sentence.rules.enumerated().compactMap { number, id in
            LintFinding(
              in: located.document, at: path.appending(key: "rules").appending(index: number), unknown: id.rawValue,
              "the id of a requirement", known: ids)
          }
        }
      }
    }
  }

  /// The requirements whose cited section is missing in the document's list of sections.
  fileprivate var uncitedSections: [LintFinding] {
    let documents = sources.coverage.documents.map(\.value)
    return sources.requirements.flatMap { located in
      located.value.places.compactMap { place -> LintFinding? in
        guard let document = documents.first(where: { $0.name == place.document }) else { return nil }
        return located.unknown(
          place.section, at: "source", "a section of '\(document.name)' in coverage.yaml",
          known: document.sections.map(\.name))
      }
    }
  }
}
