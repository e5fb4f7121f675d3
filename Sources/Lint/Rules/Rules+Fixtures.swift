import ConformanceModel
import ConformanceSpec
import Coverage
import JSONKit
import ServerRules

extension Linter {
  /// Rules about fixtures: they do not contradict each other, and all are used.
  static let fixtureRules = [
    LintRule("model-example", "An example matches its model.") { subject in
      let models = subject.sources.templates
      return subject.sources.models.flatMap { located in
        located.value.examples.sorted { $0.key < $1.key }.flatMap { name, example in
          located.value.template.match(example, models: models).mismatches.map { mismatch in
            LintFinding(
              in: located.document, at: JSONPath([.key("examples"), .key(name)] + mismatch.path.steps),
              expected: mismatch.expected, found: mismatch.observed)
          }
        }
      }
    },
    LintRule("swallowed-exchange", "No request of one exchange matches another exchange of its service.") {
      subject in
      subject.definition.dialects.flatMap { swallowed(subject, in: $0) }
    },
    LintRule("exchange-service", "An exchange belongs to a service of the protocol that a role has.") { subject in
      let ports = subject.definition.roles.map(\.ports)
      return subject.sources.exchanges.compactMap { located in
        let service = located.value.service
        if let unknown = located.unknown(
          service.rawValue, at: "at", "a service of the protocol", known: subject.services)
        {
          return unknown
        }
        guard !ports.contains(where: { $0.upstream.contains(service) || $0.downstream.contains(service) }) else {
          return nil
        }
        return located.finding(at: "at", expected: "a service that a role has a port for", found: "'\(service)'")
      }
    },
    LintRule("bound-exchange", "An exchange has a request, or names its holes for the request of a binding file.") {
      subject in
      subject.sources.exchanges.compactMap { located in
        let exchange = located.value
        if exchange.isBound, !exchange.requests.isEmpty {
          return located.finding(at: "bound", expected: "no request beside 'bound'", found: "one")
        }
        guard !exchange.isBound, exchange.requests.isEmpty else { return nil }
        return located.finding(at: "exchange", expected: "'request', or 'bound: true' and 'holes'", found: "neither")
      }
    },
    LintRule("unused-exchange", "A case or the server uses every golden exchange.", severity: .warning) { subject in
      let served = subject.sources.server?.value.rules.flatMap(\.exchanges) ?? []
      let used = Set(subject.scenarios.flatMap { $0.exchanges.map(\.value) } + served)
      return subject.sources.exchanges.filter { !used.contains($0.value.name) }.map {
        $0.finding(at: "exchange", expected: "a case that uses '\($0.value.name)'", found: "none")
      }
    },
    LintRule("unused-response", "A case or the server gives every golden response but `default`.", severity: .warning) {
      subject in
      let used = Set(subject.actions.compactMap { if case .answer(let answer) = $0 { answer.key } else { nil } })
      // The mock gives the response `default` wherever no case scripts another response, so `default` is always used.
      return subject.unused("responses", used.union(subject.servedResponses)) {
        $0.responses.keys.filter { $0 != "default" }
      }
    },
    LintRule("unused-bindings", "A case uses every set of bindings but `default`.", severity: .warning) { subject in
      let used = Set(subject.actions.compactMap { if case .send(let send) = $0 { send.key } else { nil } })
      return subject.unused("bindings", used) { $0.bindings.keys.filter { $0 != "default" } }
    },
    LintRule("unused-model", "A hole of a case or a fixture asks for every golden model.", severity: .warning) {
      subject in
      let used =
        subject.scenarios.flatMap { $0.templates.map(\.value) }
        + subject.sources.exchanges.flatMap { $0.value.templates.map(\.value) }
        + subject.sources.models.map(\.value.template) + (subject.server?.templates.map(\.template) ?? [])
      let names = used.reduce(into: Set<String>()) { $0.formUnion($1.modelNames) }
      return subject.sources.models.filter { !names.contains($0.value.name) }.map {
        $0.finding(at: "model", expected: "a hole of the kind \($0.value.name)", found: "none")
      }
    },
  ]

  private static func swallowed(_ subject: LintSubject, in dialect: Dialect) -> [LintFinding] {
    let table = ExchangeTable(subject.sources.exchanges.map(\.value), dialect: dialect)
    return subject.sources.exchanges.compactMap { located in
      let known = table.exchanges(at: located.value.service)
      guard let own = known.firstIndex(where: { $0.exchange.name == located.value.name }) else { return nil }
      guard let other = known[..<own].first(where: { $0.route.swallows(known[own].route) }) else { return nil }
      return LintFinding(
        in: located.document, at: JSONPath([.key("request")]),
        expected: "a service, method, path or fixed query of its own",
        found: "requests that '\(other.exchange.name)' is asked first for")
    }
  }
}

extension LintSubject {
  fileprivate var actions: [Step.Action] { scenarios.flatMap { $0.steps.map(\.step.action) } }

  /// The responses that the rules in `server.yaml` use. Each element contains the names of an exchange and of its
  /// response.
  fileprivate var servedResponses: Set<[String]> {
    let rules = sources.server?.value.rules ?? []
    return Set(
      exchangeNames.flatMap { name in
        let given = rules.filter { $0.exchanges.isEmpty || $0.exchanges.contains(name) }.compactMap(\.answer?.response)
        return (given + [ServerDefinition.fallback]).map { [name, $0] }
      })
  }

  /// The findings about the named parts of exchanges that no case uses. Each element of `used` contains the name of an
  /// exchange and the name of a part that is used.
  fileprivate func unused(
    _ list: String, _ used: Set<[String]>, _ names: (Exchange) -> [String]
  ) -> [LintFinding] {
    sources.exchanges.flatMap { located in
      names(located.value).sorted().filter { !used.contains([located.value.name, $0]) }.map { name in
        LintFinding(
          in: located.document, at: JSONPath([.key(list), .key(name)]), expected: "a case that uses '\(name)'",
          found: "none")
      }
    }
  }
}

extension Step.Answer {
  fileprivate var key: [String] { [exchange, response] }
}

extension Step.Send {
  fileprivate var key: [String] { [exchange, bindings ?? "default"] }
}
