import ConformanceModel
import JSONKit

extension Linter {
  /// Fixtures: they agree with each other, and somebody uses them.
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
    LintRule("ambiguous-exchange", "No two exchanges claim the same method and path.") { subject in
      var first: [String: String] = [:]
      return subject.sources.exchanges.compactMap { located in
        let request = located.value.request
        let key = "\(request.method) \(request.path.node.shape)"
        guard let other = first.updateValue(located.value.name, forKey: key) else { return nil }
        return LintFinding(
          in: located.document, at: JSONPath([.key("request"), .key("path")]),
          expected: "a method and path of its own", found: "those of '\(other)'")
      }
    },
    LintRule("unused-exchange", "A case uses every golden exchange.", severity: .warning) { subject in
      let used = Set(subject.scenarios.flatMap { $0.exchanges.map(\.value) })
      return subject.sources.exchanges.filter { !used.contains($0.value.name) }.map {
        $0.finding(at: "exchange", expected: "a case that uses '\($0.value.name)'", found: "none")
      }
    },
    LintRule("unused-response", "A case gives every golden response.", severity: .warning) { subject in
      let used = Set(subject.actions.compactMap { if case .answer(let answer) = $0 { answer.key } else { nil } })
      return subject.unused("responses", used) { Array($0.responses.keys) }
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
        + subject.sources.models.map(\.value.template)
      let names = used.reduce(into: Set<String>()) { $0.formUnion($1.modelNames) }
      return subject.sources.models.filter { !names.contains($0.value.name) }.map {
        $0.finding(at: "model", expected: "a hole of the kind \($0.value.name)", found: "none")
      }
    },
  ]
}

extension LintSubject {
  fileprivate var actions: [Step.Action] { scenarios.flatMap { $0.steps.map(\.step.action) } }

  /// The named parts of exchanges that nobody uses; `used` holds pairs of exchange and part.
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

extension Template.Node {
  /// The text with every hole alike, to see whether two paths catch the same requests.
  fileprivate var shape: String {
    switch self {
    case .literal(let value): value.string ?? value.compactText
    case .hole: "${}"
    case .text(let segments):
      segments.map { if case .literal(let text) = $0 { text } else { "${}" } }.joined()
    case .array, .object, .constraints: ""
    }
  }
}
