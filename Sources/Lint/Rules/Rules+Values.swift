import ConformanceModel
import ConformancePack
import ConformanceSpec
import Coverage
import JSONKit
import Templates

extension Linter {
  /// Rules about values: a case gives and expects values that are possible.
  static let valueRules = [
    LintRule("surrounding-value", "A fact about the surroundings has a value that its schema allows.") { subject in
      let schemas = subject.definition.surroundings.reduce(into: [String: JSONSchema]()) {
        $0[$1.name] = try? JSONSchema($1.schema)
      }
      return subject.scenarios.flatMap { scenario in
        scenario.facts.flatMap { fact -> [LintFinding] in
          guard let schema = schemas[fact.value.name] else { return [] }
          return schema.validate(fact.value.value, holes: fact.value.holes).map { problem in
            scenario.finding(
              at: JSONPath(fact.path.steps + problem.path.steps), expected: problem.expected, found: problem.found,
              hint: problem.hint)
          }
        }
      }
    },
    LintRule("launch-hole", "The app's surroundings at launch are known before the case runs.") { subject in
      subject.scenarios.flatMap { scenario in
        scenario.launchFacts.filter { !$0.value.holes.isEmpty }.map {
          scenario.finding(
            at: $0.path, expected: "a value, or a hole that a row fills", found: $0.value.value.excerpt)
        }
      }
    },
    LintRule("number-template", "A template for a number can match a number.") { subject in
      subject.scenarios.flatMap { scenario in
        scenario.assertions.flatMap { site in
          site.assertion.numberTemplates(at: site.path).compactMap { template -> LintFinding? in
            guard let found = template.value.node.noNumber else { return nil }
            return scenario.finding(
              at: template.path, expected: "a number, or operators that hold for numbers", found: found)
          }
        }
      }
    },
    LintRule("client-address", "A case that sends a client's address needs the capability to do so.") { subject in
      subject.eachStep { scenario, site in
        guard case .send(let send) = site.step.action, send.from != nil else { return [] }
        let roles = subject.definition.boundRoles(of: scenario.role)
        let known = subject.definition.capabilities.filter { capability in
          capability.isClientAddress && roles.contains(where: capability.roles.contains)
        }.map(\.name)
        let needs = scenario.located.value.needs
        guard !known.contains(where: needs.contains) else { return [] }
        return [
          scenario.finding(
            at: site.path.appending(key: "from"),
            expected: known.isEmpty
              ? "a capability with 'clientAddress: true' of the role \(scenario.role)"
              : "\(known.map { "'\($0)'" }.joined(separator: " or ")) among the needs of the case",
            found: known.isEmpty ? "none in protocol.yaml" : "only [\(needs.joined(separator: ", "))]")
        ]
      }
    },
    LintRule("tls-services", "A case uses TLS at services that the kit plays in it, for subjects that can trust them.")
    {
      subject in
      subject.sources.cases.flatMap { located -> [LintFinding] in
        let testCase = located.value
        guard !testCase.tls.isEmpty else { return [] }
        let ports = subject.definition.ports(of: testCase.role)
        let strangers = testCase.tls.subtracting(ports.upstream).sorted().map {
          located.finding(
            at: "tls", expected: "a service that the kit plays for the subject", found: "'\($0)'")
        }
        let known = subject.definition.capabilities.filter { $0.isTrust && $0.roles.contains(testCase.role) }.map(
          \.name)
        guard !known.contains(where: testCase.needs.contains) else { return strangers }
        return strangers + [
          located.finding(
            at: "tls",
            expected: known.isEmpty
              ? "a capability with 'trust: true' of the role \(testCase.role)"
              : "\(known.map { "'\($0)'" }.joined(separator: " or ")) among the needs of the case",
            found: known.isEmpty ? "none in protocol.yaml" : "only [\(testCase.needs.joined(separator: ", "))]")
        ]
      }
    },
    LintRule("tls-fault", "A certificate fault is at a service with TLS.") { subject in
      subject.eachStep { scenario, site in
        guard case .fault(let fault) = site.step.action, case .tls = fault.kind else { return [] }
        let secured = scenario.located.value.tls
        let service =
          fault.service
          ?? fault.exchange.flatMap { name in
            subject.sources.exchanges.first { $0.value.name == name }?.value.service
          }
        guard service.map({ !secured.contains($0) }) ?? secured.isEmpty else { return [] }
        return [
          scenario.finding(
            at: site.path, expected: "a service among those of the case's 'tls'",
            found: service.map { "'\($0)', which speaks plain HTTP" } ?? "no service with TLS")
        ]
      }
    },
    LintRule("own-assumption", "An assumption of a case is about another requirement than its claims.") { subject in
      subject.scenarios.flatMap { scenario -> [LintFinding] in
        let claimed = Set(scenario.scenario.claims.map(\.requirement))
        let list = scenario.located.path.appending(key: "assumes")
        return scenario.assertions.compactMap { site in
          guard let claim = site.claim, site.path.steps.starts(with: list.steps), claimed == [claim.requirement]
          else { return nil }
          return scenario.finding(
            at: site.path.appending(key: "requirement"), expected: "a rule that others of the case's claims need",
            found: "'\(claim.requirement)', which is all that it claims")
        }
      }
    },
    LintRule("line-size", "A command fits into a line of the adapter protocol.") { subject in
      subject.eachStep { scenario, site in
        guard subject.definition.ports(of: scenario.role).hasDriver, case .call(let call) = site.step.action,
          call.params.literalValue.value.holdsMore(than: longestLine)
        else { return [] }
        return [
          scenario.finding(
            at: site.path.appending(key: "with"), expected: "parameters of less than \(longestLine >> 20) MiB",
            found: "more")
        ]
      }
    },
  ]

  /// The longest line of the adapter protocol, in bytes.
  private static let longestLine = 8 << 20
}

/// A fact about the surroundings that a case sets.
private struct Fact {
  var name: String
  var value: JSON
  /// The paths of holes whose values are known only when the case runs.
  var holes: Set<JSONPath>
}

extension ScenarioSite {
  fileprivate var facts: [Sited<Fact>] { launchFacts + steps.flatMap(\.facts) }

  fileprivate var launchFacts: [Sited<Fact>] {
    scenario.environment.members.map { member in
      let path = located.path.appending(key: "environment").appending(key: member.key)
      let holes = (try? Template(member.value))?.literalValue.holes ?? []
      return Sited(Fact(name: member.key, value: member.value, holes: holes), at: path)
    }
  }
}

extension ScenarioSite.StepSite {
  fileprivate var facts: [Sited<Fact>] {
    switch step.action {
    case .surroundings(let template): facts(of: template, at: path.appending(key: "surroundings"))
    case .restart(let restart):
      facts(of: restart.environment, at: path.appending(key: "restart").appending(key: "environment"))
    default: []
    }
  }

  private func facts(of template: Template, at path: JSONPath) -> [Sited<Fact>] {
    guard case .object(let members) = template.node else { return [] }
    return members.map { member in
      let (value, holes) = Template(member.value).literalValue
      return Sited(
        Fact(name: member.key, value: value, holes: holes), at: isShared ? self.path : path.appending(key: member.key))
    }
  }
}

extension Claim.Assertion {
  /// The templates that are compared with numbers.
  fileprivate func numberTemplates(at path: JSONPath) -> [Sited<Template>] {
    let own = path.appending(key: word)
    switch self {
    case .count(_, let template), .gap(_, _, let template), .atOnce(_, let template):
      return [Sited(template, at: own.appending(key: "is"))]
    case .gaps(_, let templates):
      return templates.enumerated().map {
        Sited($0.element, at: own.appending(key: "are").appending(index: $0.offset))
      }
    case .calledBack(_, let times, _): return [Sited(times, at: own.appending(key: "times"))]
    case .anyOf(let assertions):
      return assertions.enumerated().flatMap { $0.element.numberTemplates(at: own.appending(index: $0.offset)) }
    default: return []
    }
  }
}

extension Template.Node {
  /// The part of the template that prevents it from matching any number; nil if the template may match a number.
  fileprivate var noNumber: String? {
    switch self {
    case .literal(let value): value.number == nil ? value.excerpt : nil
    case .hole(let hole): [.any, .number, .integer].contains(hole.kind) ? nil : "a hole of the kind \(hole.kind.word)"
    case .text: "a text"
    case .array: "a list"
    case .object: "an object"
    case .constraints(let constraints): constraints.lazy.compactMap(\.noNumber).first
    }
  }
}

extension Template.Constraint {
  fileprivate var noNumber: String? {
    switch self {
    case .atLeast, .atMost, .above, .below, .status: nil
    case .oneOf(let nodes):
      nodes.allSatisfy { $0.noNumber != nil } ? nodes.first?.noNumber : nil
    case .allOf(let nodes): nodes.lazy.compactMap(\.noNumber).first
    case .not(let node): node.noNumber
    case .near: "$near, which is about instants"
    case .like: "$like, which is about texts"
    case .absent: "$absent, and there is always a number"
    case .every, .some, .length: "an operator for lists"
    case .only: "$only, which is about objects"
    case .fails, .succeeds: "an operator for the outcome of a command"
    }
  }
}

extension JSON {
  /// Whether the value certainly needs more bytes than the limit. Its texts count with all their bytes, and every other
  /// simple value counts as one byte.
  fileprivate func holdsMore(than limit: Int) -> Bool {
    var left = limit
    func take(_ value: JSON) {
      guard left >= 0 else { return }
      switch value {
      case .string(let text): left -= text.utf8.count
      case .array(let elements): elements.forEach(take)
      case .object(let object): object.members.forEach { take($0.value) }
      default: left -= 1
      }
    }
    take(self)
    return left < 0
  }
}
