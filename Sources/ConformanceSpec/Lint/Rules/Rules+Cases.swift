import ConformanceModel
import JSONKit

extension Linter {
  /// Cases: what they claim, and whom they are for.
  static let caseRules = [
    LintRule("unknown-requirement", "A claim is about a requirement of the protocol that still holds.") { subject in
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
    LintRule("claim-role", "A case claims what binds its own role.") { subject in
      subject.eachClaim { scenario, claim, path in
        guard let requirement = subject.catalogue.requirement(claim.requirement), requirement.role != scenario.role
        else { return nil }
        return scenario.finding(
          at: path, expected: "a requirement of the role \(scenario.role)",
          found: "\(requirement.id), which binds the role \(requirement.role)")
      }
    },
    LintRule("case-role", "A case is for a role of the protocol.") { subject in
      subject.sources.cases.compactMap {
        $0.unknown(
          $0.value.role.rawValue, at: "role", "a role of the protocol",
          known: subject.definition.roles.map(\.rawValue))
      }
    },
    LintRule("case-needs", "A case needs capabilities of the protocol.") { subject in
      subject.sources.cases.flatMap { located in
        located.value.needs.enumerated().compactMap { index, name in
          LintFinding(
            in: located.document, at: located.path.appending(key: "needs").appending(index: index), unknown: name,
            "a capability of the role \(located.value.role)",
            known: subject.definition.capabilities(of: located.value.role))
        }
      }
    },
    LintRule(
      "missing-need", "A case needs the capability of every command, value and client address that it uses.",
      severity: .warning
    ) { subject in
      subject.eachStep { scenario, site in
        site.demands(of: scenario.role, in: subject.definition).filter { !scenario.located.value.needs.contains($0) }
          .map {
            scenario.finding(
              at: site.path, expected: "'\($0)' among the needs of the case",
              found: "only [\(scenario.located.value.needs.joined(separator: ", "))]")
          }
      }
    },
    LintRule("provisioning-need", "What provisions a server must succeed: how it fails says nothing of the server.") {
      subject in
      subject.eachStep { scenario, site in
        guard scenario.role == .server, case .call = site.step.action,
          scenario.located.document.value[site.path.appending(key: "need")] == "either"
        else { return [] }
        return [
          scenario.finding(
            at: site.path.appending(key: "need"), expected: "succeeds, or nothing, in a case of the role server",
            found: "'either'")
        ]
      }
    },
    LintRule("dialects", "The dialects of cases, claims, defects and responses exist.") { subject in
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
      return cases + defects + responseDialects(subject, known) + claimDialects(subject)
    },
    LintRule("ports", "Steps and selectors use ports that the role has.") { subject in
      let steps = subject.eachStep { scenario, site in
        guard let (what, roles) = site.step.action.demand, !roles.contains(scenario.role) else { return [] }
        return [scenario.portFinding(what, roles, at: site.path)]
      }
      let selectors = subject.scenarios.filter { $0.role == .server }.flatMap { scenario in
        scenario.selectors.filter { $0.handle == nil }.map {
          scenario.portFinding("requests to a mock server", [.sdk, .backend], at: $0.path)
        }
      }
      return steps + selectors
    },
  ]

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
  /// What a look at every claim finds, at the path of its requirement.
  fileprivate func eachClaim(
    _ find: (ScenarioSite, Claim, JSONPath) -> LintFinding?
  ) -> [LintFinding] {
    scenarios.flatMap { scenario in
      scenario.assertions.compactMap { site in
        site.claim.flatMap { find(scenario, $0, site.path.appending(key: "requirement")) }
      }
    }
  }

  /// What a look at every step finds.
  func eachStep(_ find: (ScenarioSite, ScenarioSite.StepSite) -> [LintFinding]) -> [LintFinding] {
    scenarios.flatMap { scenario in scenario.steps.flatMap { find(scenario, $0) } }
  }
}

extension ScenarioSite.StepSite {
  /// The capabilities that the step makes use of, each once.
  fileprivate func demands(of role: Role, in definition: ProtocolDefinition) -> [String] {
    var demands: [String] = []
    if case .call(let call) = step.action, let command = definition.command(call.command, of: role) {
      demands += [command.capability].compactMap(\.self)
    }
    if case .send(let send) = step.action, send.from != nil {
      demands += definition.capabilities.filter(\.isClientAddress).map(\.name)
    }
    if role == .server {
      let names = Set(renderedTemplates.flatMap(\.value.node.requiredHoles))
      demands += definition.values.filter { names.contains($0.name) }.map(\.capability)
    }
    return Set(demands).sorted()
  }
}

extension ScenarioSite {
  fileprivate func portFinding(_ what: String, _ roles: [Role], at path: JSONPath) -> LintFinding {
    finding(
      at: path, expected: "what the role \(role) has",
      found: "\(what), which is for the role \(roles.map(\.rawValue).joined(separator: " or "))")
  }
}

extension Step.Action {
  /// The port that the step uses and the roles that have it; nil when every role will do.
  fileprivate var demand: (port: String, roles: [Role])? {
    switch self {
    case .call: ("a command", [.sdk, .server])
    case .send: ("a request to the server under test", [.server, .backend])
    case .answer, .cut: ("a mock server", [.sdk, .backend])
    case .restart: ("a process of its own", [.sdk, .backend])
    default: nil
    }
  }
}
