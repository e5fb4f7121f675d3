import ConformanceModel
import ConformancePack
import ConformanceSpec
import Coverage
import JSONKit
import Templates
import TextKit

extension Linter {
  /// Rules about references: every name in a case exists.
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
      let definition = subject.definition
      let schemas = definition.roleNames.reduce(into: [Role: [String: JSONSchema]]()) { schemas, role in
        schemas[role] = definition.commands(of: role).schemas
      }
      let operations = definition.operatorCommands.schemas
      return subject.eachStep { scenario, site in
        let known = if case .operate = site.step.action { operations } else { schemas[scenario.role] ?? [:] }
        guard let (command, params) = site.step.action.command, let schema = known[command] else { return [] }
        let (value, holes) = params.literalValue
        return schema.validate(value, holes: holes).map { problem in
          scenario.finding(
            at: JSONPath(site.path.steps + [.key("with")] + problem.path.steps), expected: problem.expected,
            found: problem.found, hint: problem.hint)
        }
      }
    },
    LintRule("command-capability", "The capability of a command or a value is one of its role.") { subject in
      let located = subject.sources.definition
      let definition = located.value
      let lent = definition.capabilities.map(\.name)
      func finding(_ list: String, _ index: Int, _ capability: String, _ known: [String]) -> LintFinding? {
        LintFinding(
          in: located.document, at: JSONPath([.key(list), .index(index), .key("capability")]), unknown: capability,
          "a capability of its roles", known: known)
      }
      let commands = definition.commands.enumerated().flatMap { index, command in
        let known = definition.capabilities.filter { !$0.roles.filter(command.roles.contains).isEmpty }.map(\.name)
        return command.capabilities.compactMap { finding("commands", index, $0, known) }
      }
      return commands + definition.values.enumerated().compactMap { finding("values", $0, $1.capability, lent) }
    },
    LintRule("lent-capability", "A capability of a subject without an adapter is optional and can be provisioned.") {
      subject in
      let located = subject.sources.definition
      let definition = located.value
      let driven = definition.drivenRoles
      return definition.capabilities.enumerated().compactMap { index, capability in
        guard !capability.roles.contains(where: driven.contains) else { return nil }
        let path = JSONPath([.key("capabilities"), .index(index)])
        if capability.isRequired {
          return LintFinding(
            in: located.document, at: path.appending(key: "required"), expected: "false where no adapter is driven",
            found: "true")
        }
        let isGiven =
          capability.isClientAddress || capability.isTrust
          || definition.values.contains { $0.capability == capability.name }
          || definition.operatorCommands.contains { $0.capabilities.contains(capability.name) }
          || subject.sources.exchanges.contains { $0.value.capability == capability.name }
        return isGiven
          ? nil
          : LintFinding(
            in: located.document, at: path,
            expected: "a command, a value or a bound exchange of '\(capability.name)', or clientAddress",
            found: "none: every subject would have it")
      }
    },
    LintRule(
      "capability-requirements",
      "A required capability lists the requirements that its lack violates; a case that needs it claims each of them."
    ) { subject in
      let located = subject.sources.definition
      let ids = subject.sources.requirements.map(\.value.id.rawValue)
      return located.value.capabilities.enumerated().flatMap { index, capability -> [LintFinding] in
        let path = JSONPath([.key("capabilities"), .index(index)])
        let list = path.appending(key: "requirements")
        guard capability.isRequired else {
          guard !capability.requirements.isEmpty else { return [] }
          return [
            LintFinding(
              in: located.document, at: list, expected: "no list: '\(capability.name)' is optional",
              found: "\(capability.requirements.count) requirements")
          ]
        }
        guard !capability.requirements.isEmpty else {
          return [
            LintFinding(
              in: located.document, at: path,
              expected: "'requirements:' with what an SDK without '\(capability.name)' violates", found: "none")
          ]
        }
        let claimed = Set(
          subject.sources.cases.filter { $0.value.needs.contains(capability.name) }
            .flatMap { $0.value.scenarios.flatMap(\.claims).map(\.requirement) })
        return capability.requirements.enumerated().compactMap { place, id in
          let at = list.appending(index: place)
          if !ids.contains(id.rawValue) {
            return LintFinding(
              in: located.document, at: at, unknown: id.rawValue, "the id of a requirement", known: ids)
          }
          return claimed.contains(id)
            ? nil
            : LintFinding(
              in: located.document, at: at,
              expected: "a requirement that a case claims which needs '\(capability.name)'",
              found: id.rawValue)
        }
      }
    },
    LintRule("role-ports", "A role has ports, at services of the protocol.") { subject in
      let located = subject.sources.definition
      return located.value.roles.flatMap { role -> [LintFinding] in
        let path = JSONPath([.key("roles"), .key(role.role.rawValue)])
        if role.ports.isEmpty {
          return [
            LintFinding(
              in: located.document, at: path, expected: "'driver: true', 'upstream' or 'downstream'", found: "no port")
          ]
        }
        let isPair = located.value.isPair(role.role)
        let twice = role.ports.upstream.filter { !isPair && role.ports.downstream.contains($0) }.map { service in
          LintFinding(
            in: located.document, at: path.appending(key: "upstream"),
            expected: "services that the role does not offer itself", found: "'\(service)', which is downstream too")
        }
        return twice
          + [("upstream", role.ports.upstream), ("downstream", role.ports.downstream)].flatMap { key, services in
            services.enumerated().compactMap { index, service in
              LintFinding(
                in: located.document, at: path.appending(key: key).appending(index: index),
                unknown: service.rawValue, "a service of the protocol", known: subject.services)
            }
          }
      }
    },
    LintRule("profile-requirements", "A profile names requirements of the protocol.") { subject in
      let located = subject.sources.definition
      let ids = subject.sources.requirements.map(\.value.id.rawValue)
      return located.value.profiles.enumerated().flatMap { index, profile in
        profile.requirements.enumerated().compactMap { place, pattern in
          guard !ids.contains(where: { Wildcard(pattern).matches($0) }) else { return nil }
          return LintFinding(
            in: located.document,
            at: JSONPath([.key("profiles"), .index(index), .key("requirements"), .index(place)]), unknown: pattern,
            "the id of a requirement", known: ids)
        }
      }
    },
    LintRule("includes", "An included pack has requirements, and cases of the protocol make its claims.") { subject in
      let located = subject.sources.definition
      let names = subject.sources.cases.map(\.value.id.rawValue)
      return subject.sources.inclusions.enumerated().flatMap { index, inclusion -> [LintFinding] in
        let path = JSONPath([.key("includes"), .index(index)])
        guard let rows = subject.sources.shared[inclusion.pack], !rows.isEmpty else {
          return [
            LintFinding(
              in: located.document, at: path.appending(key: "pack"),
              expected: "a pack with requirements: a folder beside those of the protocols, such as http",
              found: "'\(inclusion.pack)'")
          ]
        }
        return inclusion.cases.enumerated().compactMap { place, id in
          LintFinding(
            in: located.document, at: path.appending(key: "cases").appending(index: place), unknown: id.rawValue,
            "the name of a case", known: names)
        }
      }
    },
    LintRule("every-request", "A claim of requests.yaml is about each request by itself, and names what exists.") {
      subject in
      let ids = subject.sources.requirements.map(\.value.id.rawValue)
      return subject.sources.everyRequest.flatMap { located -> [LintFinding] in
        func unknown(_ name: String, _ what: String, _ known: [String]) -> LintFinding? {
          LintFinding(in: located.document, at: located.path, unknown: name, what, known: known)
        }
        if case .check(let name, _) = located.value.assertion, subject.checks?[name]?.isAboutEachRequest ?? true {
          return [unknown(located.value.requirement.rawValue, "the id of a requirement", ids)].compactMap(\.self)
        }
        guard let selectors = located.value.assertion.requestSelectors else {
          return [
            LintFinding(
              in: located.document, at: located.path,
              expected:
                "'matches', 'never', 'golden' or an 'any-of' of these about requests without 'after' and 'before', or a check of each request",
              found: "'\(located.value.assertion.word)'")
          ]
        }
        return
          ([unknown(located.value.requirement.rawValue, "the id of a requirement", ids)]
          + selectors.compactMap(\.exchange).map { unknown($0, "a golden exchange", subject.exchangeNames) })
          .compactMap(\.self)
      }
    },
    LintRule("unknown-defect", "shapes.yaml names defects and requirements of the protocol.") { subject in
      let requirements = Set(subject.sources.requirements.map(\.value.id.rawValue))
      let known = subject.sources.defects.map(\.value.id.rawValue)
      return subject.sources.shapes.sorted { $0.key < $1.key }.compactMap { id, located in
        guard !requirements.contains(id.rawValue) else { return nil }
        return LintFinding(
          in: located.document, at: located.path, unknown: id.rawValue, "a defect of the protocol", known: known)
      }
    },
    LintRule("unknown-operation", "An `operate` step names a command that operators of the protocol have.") { subject in
      let known = subject.definition.operatorCommands.map(\.name)
      return subject.eachStep { scenario, site in
        guard case .operate(let operate) = site.step.action else { return [] }
        return [
          scenario.unknown(
            operate.command, at: site.path.appending(key: "operate"), "a command for operators", known: known)
        ].compactMap { $0 }
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

extension [ProtocolDefinition.Command] {
  /// Maps the name of each command to the schema of its parameters.
  fileprivate var schemas: [String: JSONSchema] {
    reduce(into: [:]) { $0[$1.name] = try? JSONSchema($1.params) }
  }
}

extension Step.Action {
  /// The command that the step calls, and its parameters; nil if the step calls no command.
  var command: (name: String, params: Template)? {
    switch self {
    case .call(let call): (call.command, call.params)
    case .operate(let operate): (operate.command, operate.params)
    default: nil
    }
  }
}

extension Exchange {
  /// Every template in the exchange's requests and responses.
  var templates: [Sited<Template>] {
    requests.flatMap { dialect, request in
      let base: [JSONPath.Step] = [.key("request")] + (dialect == .any ? [] : [.key(dialect.rawValue)])
      return request.templates(at: JSONPath(base))
    }
      + responses.flatMap { name, dialects in
        dialects.flatMap { dialect, response in
          response.templates(at: JSONPath([.key("responses"), .key(name), .key(dialect.rawValue)]))
        }
      }
  }
}

extension Exchange.Request {
  fileprivate func templates(at base: JSONPath) -> [Sited<Template>] {
    func sited(_ templates: [String: Template], _ key: String) -> [Sited<Template>] {
      templates.map { Sited($0.value, at: base.appending(key: key).appending(key: $0.key)) }
    }
    let body = self.body.map { [Sited($0, at: base.appending(key: "body"))] } ?? []
    return [Sited(path, at: base.appending(key: "path"))] + sited(query, "query") + sited(headers, "headers") + body
  }
}

extension Exchange.Response {
  func templates(at base: JSONPath) -> [Sited<Template>] {
    let fields = headers.map { Sited($0.value, at: base.appending(key: "headers").appending(key: $0.name)) }
    guard case .json(let body) = body else { return fields }
    return fields + [Sited(body, at: base.appending(key: "body"))]
  }
}

extension Template {
  /// The template as a value, in which each hole or constraint is null. `holes` contains their paths.
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

  /// The error kinds that the template names.
  fileprivate var errorKinds: [String] {
    switch self {
    case .constraints(let constraints): constraints.flatMap(\.errorKinds)
    case .object(let members): members.flatMap(\.value.errorKinds)
    case .array(let nodes): nodes.flatMap(\.errorKinds)
    case .literal, .hole, .text: []
    }
  }

  /// The texts that the template names as possible values.
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
    case .oneOf(let nodes), .allOf(let nodes): nodes.flatMap(\.errorKinds)
    case .not(let node), .every(let node), .some(let node), .only(let node): node.errorKinds
    default: []
    }
  }
}
