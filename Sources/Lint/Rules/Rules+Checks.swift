import ConformanceModel
import ConformancePack
import ConformanceSpec
import Coverage
import JSONKit
import Templates

extension Linter {
  /// Rules about named checks: each exists, and gets the parameters that it accepts.
  static let checkRules = [
    LintRule("unknown-check", "A named check is one that every protocol has, or one of its pack.") { subject in
      guard let checks = subject.checks else { return [] }
      return subject.eachCheck { scenario, use in
        [
          scenario.unknown(
            use.name, at: use.path.appending(key: "name"), "a check (conform list checks)", known: Array(checks.keys))
        ].compactMap(\.self)
      }
    },
    LintRule("check-params", "The parameters of a named check are those that it accepts.") { subject in
      guard let checks = subject.checks else { return [] }
      return subject.eachCheck { scenario, use in
        guard let check = checks[use.name] else { return [] }
        let names = CheckNames(scenario, exchanges: subject.exchangeNames, subject.definition)
        return names.problems(of: JSONField(use.with, path: use.path.appending(key: "with")), check.parameters).map {
          scenario.finding(at: $0.path, expected: $0.expected, found: $0.found, hint: $0.hint)
        }
      }
    },
  ]
}

extension Claim.Assertion {
  /// The uses of named checks in the assertion.
  func checks(at path: JSONPath) -> [CheckUse] {
    let own = path.appending(key: word)
    switch self {
    case .check(let name, let with): return [CheckUse(name: name, with: with, path: own)]
    case .anyOf(let assertions):
      return assertions.enumerated().flatMap { $0.element.checks(at: own.appending(index: $0.offset)) }
    default: return []
    }
  }
}

extension LintSubject {
  fileprivate func eachCheck(_ find: (ScenarioSite, CheckUse) -> [LintFinding]) -> [LintFinding] {
    scenarios.flatMap { scenario in
      scenario.assertions.flatMap { site in site.assertion.checks(at: site.path).flatMap { find(scenario, $0) } }
    }
  }
}

/// The names that the parameters of checks may use in one scenario.
private struct CheckNames {
  private let exchanges: [String]
  private let services: [String]
  private let labels: NamePatterns
  private let outcomes: NamePatterns
  private let handles: NamePatterns

  init(_ scenario: ScenarioSite, exchanges: [String], _ definition: ProtocolDefinition) {
    self.exchanges = exchanges + [Selector.any]
    let ports = definition.ports(of: scenario.role)
    services = (ports.upstream + ports.downstream).map(\.rawValue)
    var labels = NamePatterns()
    var outcomes = NamePatterns()
    for site in scenario.steps {
      guard let label = site.step.label else { continue }
      labels.insert(label, loops: site.loops)
      if site.hasOutcome { outcomes.insert(label, loops: site.loops) }
    }
    (self.labels, self.outcomes) = (labels, outcomes)
    handles = scenario.handles
  }

  func problems(of field: JSONField, _ parameters: [Check.Parameter]) -> [JSONField.Problem] {
    guard let object = field.value.object else { return [field.problem(expected: "an object")] }
    let known = parameters.map(\.name)
    let strange = object.keys.filter { !known.contains($0) }.map { name in
      JSONField.Problem(
        path: field.path.appending(key: name),
        expected: known.isEmpty ? "no members" : "one of the members " + known.joined(separator: ", "),
        found: "'\(name)'", hint: Nearest.suggestion(for: name, in: known))
    }
    let missing = parameters.filter { $0.isRequired && object[$0.name] == nil }.map { one in
      JSONField.Problem(path: field.path, expected: "the member '\(one.name)'", found: "none")
    }
    return strange + missing
      + parameters.flatMap { one in field.member(one.name).map { problems(of: $0, one.kind) } ?? [] }
  }

  private func problems(of field: JSONField, _ kind: Check.Parameter.Kind) -> [JSONField.Problem] {
    // A hole gets its value only when the claim is judged.
    if let text = field.value.string, HoleText(text).hasHoles { return [] }
    switch kind {
    case .template: return []
    case .text: return field.value.string?.isEmpty == false ? [] : [field.problem(expected: "a text that is not empty")]
    case .integer: return field.value.int == nil ? [field.problem(expected: "an integer")] : []
    case .path:
      let isPath = field.value.string.flatMap { JSONPath($0) } != nil
      return isPath ? [] : [field.problem(expected: "a path such as $.body.items[0].name")]
    case .exchange: return unknown(field, "a golden exchange", exchanges)
    case .service: return unknown(field, "a service of the role", services)
    case .label: return unknown(field, "the label of a step", labels)
    case .outcome: return unknown(field, "the label of a call or a send", outcomes)
    case .handle: return unknown(field, "a handle that a call registers", handles)
    case .word(let words): return words.contains(field.value.string ?? "") ? [] : [field.problem(expectedOneOf: words)]
    case .list(let kind):
      guard let elements = try? field.elements() else { return [field.problem(expected: "a list")] }
      return elements.flatMap { problems(of: $0, kind) }
    case .object(let parameters): return problems(of: field, parameters)
    }
  }

  private func unknown(_ field: JSONField, _ noun: String, _ names: NamePatterns) -> [JSONField.Problem] {
    if let text = field.value.string, names.contains(text) { return [] }
    return unknown(field, noun, names.words)
  }

  private func unknown(_ field: JSONField, _ noun: String, _ known: [String]) -> [JSONField.Problem] {
    let text = field.value.string
    if let text, known.contains(text) { return [] }
    var problem = field.problem(
      expected: known.isEmpty
        ? "\(noun), of which there are none" : "\(noun): \(known.sorted().joined(separator: ", "))")
    problem.hint = text.flatMap { Nearest.suggestion(for: $0, in: known) }
    return [problem]
  }
}
