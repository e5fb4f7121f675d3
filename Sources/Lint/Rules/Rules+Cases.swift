import ConformanceModel
import ConformancePack
import ConformanceSpec
import Coverage
import JSONKit
import Templates

extension Linter {
  /// Rules about the claims, roles and needs of cases.
  static let caseRules = [
    LintRule("unknown-requirement", "A claim names a requirement of the protocol that is not withdrawn.") { subject in
      let ids = subject.sources.requirements.map(\.value.id.rawValue)
      return subject.eachClaim { scenario, claim, path in
        if let requirement = subject.catalogue.requirement(claim.requirement) {
          guard let reason = requirement.withdrawn else { return nil }
          return scenario.finding(
            at: path, expected: "a requirement that holds",
            found: "\(requirement.id), which is withdrawn (\(reason))")
        }
        return scenario.unknown(claim.requirement.rawValue, at: path, "the id of a requirement", known: ids)
      }
    },
    LintRule("claim-role", "A case claims only requirements of its own role, or of both subjects of a pair.") {
      subject in
      subject.eachClaim { scenario, claim, path in
        guard let requirement = subject.catalogue.requirement(claim.requirement),
          !subject.definition.boundRoles(of: scenario.role).contains(requirement.role)
        else { return nil }
        return scenario.finding(
          at: path, expected: "a requirement of the role \(scenario.role)",
          found: "\(requirement.id), which binds the role \(requirement.role)")
      }
    },
    LintRule("case-role", "The role of a case is a role of the protocol.") { subject in
      subject.sources.cases.compactMap {
        $0.unknown(
          $0.value.role.rawValue, at: "role", "a role of the protocol",
          known: subject.definition.roleNames.map(\.rawValue))
      }
    },
    LintRule("case-needs", "The capabilities that a case needs are those of the protocol.") { subject in
      subject.sources.cases.flatMap { located in
        located.value.needs.enumerated().compactMap { index, name in
          LintFinding(
            in: located.document, at: located.path.appending(key: "needs").appending(index: index), unknown: name,
            "a capability of the role \(located.value.role)",
            known: subject.definition.boundRoles(of: located.value.role).flatMap(subject.definition.capabilities(of:)))
        }
      }
    },
    LintRule(
      "missing-need", "A case needs the capability of every command and value that it uses.",
      severity: .warning
    ) { subject in
      subject.eachStep { scenario, site in
        let needs = scenario.located.value.needs
        return site.demands(of: scenario.role, in: subject.definition, besides: Set(needs)).map {
          scenario.finding(
            at: site.path, expected: "'\($0)' among the needs of the case",
            found: "only [\(needs.joined(separator: ", "))]")
        }
      }
    },
    LintRule(
      "provisioning-need",
      "A call that provisions a server must succeed, because its failure says nothing about the server."
    ) {
      subject in
      subject.eachStep { scenario, site in
        guard !subject.definition.ports(of: scenario.role).hasDriver, case .call(let call) = site.step.action,
          call.need != .succeeds
        else { return [] }
        return [
          scenario.finding(
            at: site.path.appending(key: "need"), expected: "succeeds, or nothing, where no adapter is driven",
            found: "'\(call.need.rawValue)'")
        ]
      }
    },
    LintRule("dialects", "The dialects of cases, claims, defects, requests and responses exist.") { subject in
      let known = subject.dialects
      let cases = subject.sources.cases.flatMap { located in
        located.value.dialects.compactMap {
          located.unknown($0.rawValue, at: "dialects", "a dialect of the protocol", known: known)
        }
      }
      let defects = subject.sources.defects.compactMap { located in
        located.value.dialect.flatMap {
          located.unknown($0.rawValue, at: "dialect", "a dialect of the protocol", known: known)
        }
      }
      return cases + defects + requestDialects(subject, known) + responseDialects(subject, known)
        + claimDialects(subject)
    },
    LintRule("ports", "Steps and selectors use ports that the role has.") { subject in
      let steps = subject.eachStep { scenario, site in
        let ports = subject.definition.ports(of: scenario.role)
        let lack = site.step.action.lacking(in: ports, isPair: subject.definition.isPair(scenario.role))
        return lack.map { [scenario.portFinding($0, at: site.path)] } ?? []
      }
      let selectors = subject.scenarios.flatMap { scenario in
        let ports = subject.definition.ports(of: scenario.role)
        return scenario.selectors.filter { $0.value.subject.needsUpstream && ports.upstream.isEmpty }.map {
          scenario.portFinding("requests to a mock server", at: $0.path)
        }
      }
      return steps + selectors
    },
    LintRule("unknown-service", "A service that a case names is one of the role's.") { subject in
      subject.scenarios.flatMap { scenario in
        let ports = subject.definition.ports(of: scenario.role)
        let known = (ports.upstream + ports.downstream).map(\.rawValue)
        let selected = scenario.selectors.compactMap(\.service)
        return (scenario.steps.flatMap(\.services) + selected).compactMap { site in
          scenario.unknown(site.value.rawValue, at: site.path, "a service of the role \(scenario.role)", known: known)
        }
      }
    },
    LintRule("exchange-port", "The exchange of a step belongs to a service that the role has a port for.") { subject in
      subject.eachStep { scenario, site in
        let ports = subject.definition.ports(of: scenario.role)
        return site.exchanges.compactMap { named in
          guard let exchange = subject.catalogue.exchange(named.value) else { return nil }
          let known = if case .send = site.step.action { ports.downstream } else { ports.upstream + ports.downstream }
          // If the role has no port for such a step, another lint rule reports that.
          guard !known.isEmpty, !known.contains(exchange.service) else { return nil }
          return scenario.finding(
            at: named.path,
            expected: "an exchange at \(known.map(\.rawValue).joined(separator: ", "))",
            found: "'\(exchange.name)', which belongs to '\(exchange.service)'")
        }
      }
    },
    LintRule("selector-service", "A selector or a fault of an exchange names the service of the exchange.") { subject in
      subject.scenarios.flatMap { scenario in
        let bent = scenario.steps.compactMap(\.placedExchange)
        let seen = scenario.selectors.compactMap(\.placedExchange)
        return (bent + seen).compactMap { use -> LintFinding? in
          guard let exchange = subject.catalogue.exchange(use.exchange), exchange.service != use.service.value else {
            return nil
          }
          return scenario.finding(
            at: use.service.path,
            expected: "'\(exchange.service)', the service of '\(exchange.name)', or 'request: any' and a path",
            found: "'\(use.service.value)'")
        }
      }
    },
    LintRule(
      "environment", "A value that is given at launch, or changed later, is a fact about the app's surroundings."
    ) {
      subject in
      let known = subject.definition.surroundings.map(\.name)
      return subject.scenarios.flatMap { scenario in
        let launch = scenario.scenario.environment.keys.map {
          Sited($0, at: scenario.located.path.appending(key: "environment").appending(key: $0))
        }
        let later = scenario.steps.flatMap { site in
          site.step.facts.map { Sited($0, at: site.path.appending(key: site.step.title)) }
        }
        return (launch + later).compactMap { name in
          scenario.unknown(name.value, at: name.path, "a fact of 'surroundings' in protocol.yaml", known: known)
        }
      }
    },
  ]

  private static func requestDialects(_ subject: LintSubject, _ known: [String]) -> [LintFinding] {
    subject.sources.exchanges.flatMap { located in
      // A request that is the same in all dialects has no name of a dialect.
      located.value.requests.keys.sorted().filter { $0 != .any }.compactMap { dialect in
        LintFinding(
          in: located.document, at: JSONPath([.key("request"), .key(dialect.rawValue)]), unknown: dialect.rawValue,
          "a dialect of the protocol, or any", known: known + ["any"])
      }
    }
  }

  private static func responseDialects(_ subject: LintSubject, _ known: [String]) -> [LintFinding] {
    subject.sources.exchanges.flatMap { located in
      located.value.responses.sorted { $0.key < $1.key }.flatMap { name, responses in
        responses.keys.sorted().compactMap { dialect in
          let path = JSONPath([.key("responses"), .key(name), .key(dialect.rawValue)])
          return LintFinding(
            in: located.document, at: path, unknown: dialect.rawValue, "a dialect of the protocol, or any",
            known: known + ["any"])
        }
      }
    }
  }

  private static func claimDialects(_ subject: LintSubject) -> [LintFinding] {
    subject.scenarios.flatMap { scenario in
      scenario.assertions.flatMap { site in
        (site.claim?.dialects ?? []).compactMap {
          scenario.unknown(
            $0.rawValue, at: site.path.appending(key: "dialects"), "a dialect of the case",
            known: scenario.located.value.dialects.map(\.rawValue))
        }
      }
    }
  }
}

extension LintSubject {
  /// The findings of `find` about all claims. `find` gets each claim with the path of the claim's requirement.
  fileprivate func eachClaim(
    _ find: (ScenarioSite, Claim, JSONPath) -> LintFinding?
  ) -> [LintFinding] {
    scenarios.flatMap { scenario in
      scenario.assertions.compactMap { site in
        site.claim.flatMap { find(scenario, $0, site.path.appending(key: "requirement")) }
      }
    }
  }

  /// The findings of `find` about all steps.
  func eachStep(_ find: (ScenarioSite, ScenarioSite.StepSite) -> [LintFinding]) -> [LintFinding] {
    scenarios.flatMap { scenario in scenario.steps.flatMap { find(scenario, $0) } }
  }
}

extension ScenarioSite.StepSite {
  /// The capabilities that the step needs in addition to its case's capabilities, without repetitions.
  fileprivate func demands(of role: Role, in definition: ProtocolDefinition, besides needs: Set<String>) -> [String] {
    var demands: [String] = []
    switch step.action {
    // Each step inside another step has a separate site. The ways of an attempt count together, since each way alone
    // may be skipped.
    case .call where !isTried, .attempt where !isTried:
      demands += definition.capabilities(neededBy: [step], of: role, besides: needs)
    default: break
    }
    if !definition.ports(of: role).downstream.isEmpty {
      let names = Set(renderedTemplates.flatMap(\.value.node.requiredHoles))
      demands += definition.values.filter { names.contains($0.name) }.map(\.capability)
    }
    return Set(demands).subtracting(needs).sorted()
  }
}

extension ScenarioSite.StepSite {
  /// The exchange and the service that a `fault` step names; nil unless the step is a fault that names both.
  fileprivate var placedExchange: (exchange: String, service: Sited<ServiceName>)? {
    guard case .fault(let fault) = step.action, let exchange = fault.exchange, let service = services.first else {
      return nil
    }
    return (exchange, service)
  }
}

extension Sited<Selector> {
  /// The exchange and the service that the selector names; nil unless it names both.
  fileprivate var placedExchange: (exchange: String, service: Sited<ServiceName>)? {
    guard let exchange = value.exchange, let service else { return nil }
    return (exchange, service)
  }
}

extension ScenarioSite {
  fileprivate func portFinding(_ what: String, at path: JSONPath) -> LintFinding {
    finding(at: path, expected: "what the role \(role) has a port for", found: what)
  }
}

extension Step {
  /// The names of the facts about the surroundings that the step changes.
  fileprivate var facts: [String] {
    switch action {
    case .surroundings(let template): template.keys
    case .restart(let restart): restart.environment.keys
    default: []
    }
  }
}

extension Template {
  /// The names of the members of an object.
  fileprivate var keys: [String] { if case .object(let members) = node { members.map(\.key) } else { [] } }
}

extension Step.Action {
  /// The part of the kit or subject that the step needs and these ports do not provide; nil if they provide everything.
  fileprivate func lacking(in ports: Ports, isPair: Bool) -> String? {
    switch self {
    case .call: !ports.hasDriver && ports.downstream.isEmpty ? "a command" : nil
    case .send, .explore: ports.downstream.isEmpty ? "a request to the subject" : nil
    // In a pair, a real server answers.
    case .answer, .fault, .heal, .release: ports.upstream.isEmpty || isPair ? "a mock server" : nil
    case .operate: ports.upstream.isEmpty ? "a mock server" : nil
    case .restart, .surroundings, .search: ports.hasDriver ? nil : "an app that is driven"
    default: nil
    }
  }
}

extension Selector.Subject {
  /// Whether only a mock server can record the observations that the selector picks.
  fileprivate var needsUpstream: Bool {
    switch self {
    case .request, .closed: true
    case .response, .callback, .reply, .step: false
    }
  }
}
