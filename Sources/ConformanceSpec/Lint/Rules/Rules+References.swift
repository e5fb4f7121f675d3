import ConformanceModel
import JSONKit

extension Linter {
  /// References: everything that a case names is there.
  static let referenceRules = [
    LintRule("unknown-command", "A call is one of the protocol's commands.") { subject in
      subject.eachStep { scenario, site in
        guard case .call(let call) = site.step.action else { return [] }
        let commands = subject.definition.commands(of: scenario.role).map(\.name)
        return [
          scenario.unknown(
            call.command, at: site.path.appending(key: "call"), "a command of the role \(scenario.role)",
            known: commands)
        ].compactMap { $0 }
      }
    },
    LintRule("command-params", "The parameters of a call fit the command's schema; holes fit everywhere.") { subject in
      let schemas = Dictionary(grouping: subject.definition.commands, by: \.role).mapValues { commands in
        commands.reduce(into: [String: JSONSchema]()) { $0[$1.name] = try? JSONSchema($1.params) }
      }
      return subject.eachStep { scenario, site in
        guard case .call(let call) = site.step.action, let schema = schemas[scenario.role]?[call.command] else {
          return []
        }
        let (value, holes) = call.params.literalValue
        return schema.validate(value, holes: holes).map { problem in
          scenario.finding(
            at: JSONPath(site.path.steps + [.key("with")] + problem.path.steps), expected: problem.expected,
            found: problem.found, hint: problem.hint)
        }
      }
    },
    LintRule("command-capability", "The capability of a command or a value is one of its role.") { subject in
      let located = subject.sources.definition
      func finding(_ list: String, _ index: Int, _ capability: String, _ role: Role) -> LintFinding? {
        LintFinding(
          in: located.document, at: JSONPath([.key(list), .index(index), .key("capability")]), unknown: capability,
          "a capability of the role \(role)", known: located.value.capabilities(of: role))
      }
      let commands = located.value.commands.enumerated().compactMap { index, command in
        command.capability.flatMap { finding("commands", index, $0, command.role) }
      }
      return commands
        + located.value.values.enumerated().compactMap { finding("values", $0, $1.capability, .server) }
    },
    LintRule("server-capability", "What can be done with a server is optional, and provisioning can give it.") {
      subject in
      let located = subject.sources.definition
      let definition = located.value
      return definition.capabilities.enumerated().compactMap { index, capability in
        guard capability.role == .server else { return nil }
        let path = JSONPath([.key("capabilities"), .index(index)])
        if capability.isRequired {
          return LintFinding(
            in: located.document, at: path.appending(key: "required"), expected: "false for the role server",
            found: "true")
        }
        let isGiven =
          capability.isClientAddress || definition.values.contains { $0.capability == capability.name }
          || definition.commands(of: .server).contains { $0.capability == capability.name }
        return isGiven
          ? nil
          : LintFinding(
            in: located.document, at: path, expected: "a command or a value of '\(capability.name)', or clientAddress",
            found: "none: every server would have it")
      }
    },
    LintRule("unknown-exchange", "Steps and selectors name golden exchanges.") { subject in
      subject.scenarios.flatMap { scenario in
        scenario.exchanges.compactMap {
          scenario.unknown($0.value, at: $0.path, "a golden exchange", known: subject.exchangeNames)
        }
      }
    },
    LintRule("unknown-response", "An answer is a response of its exchange, in every dialect of the case.") { subject in
      subject.eachStep { scenario, site in
        guard case .answer(let answer) = site.step.action, let exchange = subject.catalogue.exchange(answer.exchange)
        else { return [] }
        let path = site.path.appending(key: "response")
        let noun = "a response of '\(exchange.name)'"
        if let unknown = scenario.unknown(answer.response, at: path, noun, known: Array(exchange.responses.keys)) {
          return [unknown]
        }
        return scenario.located.value.dialects.filter { exchange.response(answer.response, in: $0) == nil }.map {
          scenario.finding(
            at: path, expected: "a response for the dialect \($0), in which the case runs",
            found: "'\(answer.response)' without one")
        }
      }
    },
    LintRule("unknown-bindings", "A send uses a set of bindings of its exchange.") { subject in
      subject.eachStep { scenario, site in
        guard case .send(let send) = site.step.action, let name = send.bindings,
          let exchange = subject.catalogue.exchange(send.exchange)
        else { return [] }
        let noun = "a set of bindings of '\(exchange.name)'"
        return [
          scenario.unknown(
            name, at: site.path.appending(key: "bindings"), noun, known: Array(exchange.bindings.keys))
        ].compactMap { $0 }
      }
    },
    LintRule("unknown-upstream", "The upstreams are `main` and `decoy`.") { subject in
      subject.scenarios.flatMap { scenario in
        let selected = scenario.selectors.map { ($0.value.upstream, $0.path) }
        let cut = scenario.steps.compactMap { site -> (String?, JSONPath)? in
          guard case .cut(let cut) = site.step.action else { return nil }
          return (cut.upstream, site.path.appending(key: "cut"))
        }
        return (selected + cut).compactMap { name, path in
          name.flatMap {
            scenario.unknown($0, at: path.appending(key: "upstream"), "an upstream", known: ["main", "decoy"])
          }
        }
      }
    },
    LintRule("unknown-model", "A hole of a kind with a capital names a golden model.") { subject in
      let models = subject.sources.models.map(\.value.name)
      let inCases = subject.scenarios.flatMap { scenario in
        scenario.templates.flatMap { site in
          site.value.modelNames.sorted().compactMap {
            scenario.unknown($0, at: site.path, "a golden model", known: models)
          }
        }
      }
      return inCases + fixtureModels(subject, models)
    },
    LintRule("unknown-check", "A named check is one that the protocol's pack has.") { subject in
      guard let checks = subject.checks else { return [] }
      return subject.scenarios.flatMap { scenario in
        scenario.assertions.compactMap { site in
          guard case .check(let name, _) = site.assertion else { return nil }
          return scenario.unknown(
            name, at: site.path.appending(key: "check").appending(key: "name"), "a check of the pack", known: checks)
        }
      }
    },
    LintRule("unknown-error-kind", "An expected error is of a kind that the protocol has.") { subject in
      subject.scenarios.flatMap { scenario in
        scenario.templates.flatMap { site in
          site.value.node.errorKinds.compactMap {
            scenario.unknown($0, at: site.path, "an error kind of the protocol", known: subject.definition.errorKinds)
          }
        }
      }
    },
  ]

  private static func fixtureModels(_ subject: LintSubject, _ models: [String]) -> [LintFinding] {
    let exchanges = subject.sources.exchanges.flatMap { located in
      located.value.templates.flatMap { site in
        site.value.modelNames.sorted().compactMap {
          LintFinding(in: located.document, at: site.path, unknown: $0, "a golden model", known: models)
        }
      }
    }
    return exchanges
      + subject.sources.models.flatMap { located in
        located.value.template.modelNames.sorted().compactMap {
          located.unknown($0, at: "template", "a golden model", known: models)
        }
      }
  }
}

extension Exchange {
  /// Every template of the request and the responses.
  var templates: [Sited<Template>] {
    let base = JSONPath([.key("request")])
    func sited(_ templates: [String: Template], _ key: String) -> [Sited<Template>] {
      templates.map { Sited($0.value, at: base.appending(key: key).appending(key: $0.key)) }
    }
    let bodies = responses.flatMap { name, dialects in
      dialects.compactMap { dialect, response -> Sited<Template>? in
        guard case .json(let body) = response.body else { return nil }
        return Sited(body, at: JSONPath([.key("responses"), .key(name), .key(dialect.rawValue), .key("body")]))
      }
    }
    return [Sited(request.path, at: base.appending(key: "path"))] + sited(request.query, "query")
      + sited(request.headers, "headers")
      + (request.body.map { [Sited($0, at: base.appending(key: "body"))] } ?? []) + bodies
  }
}

extension Template {
  /// The template as a value with the paths at which holes stand, which may become anything.
  var literalValue: (value: JSON, holes: Set<JSONPath>) {
    var holes: Set<JSONPath> = []
    let value = node.literalValue(at: .root, &holes)
    return (value, holes)
  }
}

extension Template.Node {
  fileprivate func literalValue(at path: JSONPath, _ holes: inout Set<JSONPath>) -> JSON {
    switch self {
    case .literal(let value): return value
    case .array(let nodes):
      return .array(
        nodes.enumerated().map { $0.element.literalValue(at: path.appending(index: $0.offset), &holes) })
    case .object(let members):
      return .object(
        JSON.Object(
          members.map { member in
            let value = member.value.literalValue(at: path.appending(key: member.key), &holes)
            return .init(key: member.key, value: value)
          }))
    case .hole, .text, .constraints:
      holes.insert(path)
      return .null
    }
  }

  /// The kinds of errors that it expects, as far as they are named.
  fileprivate var errorKinds: [String] {
    switch self {
    case .constraints(let constraints): constraints.flatMap(\.errorKinds)
    case .object(let members): members.flatMap(\.value.errorKinds)
    case .array(let nodes): nodes.flatMap(\.errorKinds)
    case .literal, .hole, .text: []
    }
  }

  /// The texts that it can be, as far as they are named.
  fileprivate var words: [String] {
    switch self {
    case .literal(let value): value.string.map { [$0] } ?? []
    case .constraints(let constraints):
      constraints.flatMap { constraint -> [String] in
        if case .oneOf(let nodes) = constraint { nodes.flatMap(\.words) } else { [] }
      }
    default: []
    }
  }
}

extension Template.Constraint {
  fileprivate var errorKinds: [String] {
    switch self {
    case .fails(.object(let members)): members.first { $0.key == "kind" }?.value.words ?? []
    case .fails(let node): node.words
    case .oneOf(let nodes): nodes.flatMap(\.errorKinds)
    case .not(let node), .every(let node), .some(let node), .only(let node): node.errorKinds
    default: []
    }
  }
}
