import ConformanceModel
import ConformanceSpec
import Coverage
import JSONKit
import Templates

/// Follows the steps of a scenario in order. Finds labels that are used twice, and names that are used before they have
/// a value.
struct ScenarioLabels: Sendable {
  private(set) var duplicates: [LintFinding] = []
  private(set) var unknownLabels: [LintFinding] = []
  private(set) var unboundHoles: [LintFinding] = []

  private let scenario: ScenarioSite
  /// The names with a value before the first step: the start time, addresses, and provisioned values of the role.
  private let givenNames: Set<String>
  private var labels = NamePatterns()
  private var outcomes = NamePatterns()

  init(_ scenario: ScenarioSite, definition: ProtocolDefinition) {
    self.scenario = scenario
    let ports = definition.ports(of: scenario.role)
    let addresses = (ports.upstream + ports.downstream).flatMap { service in
      HoleName.addressParts.map { "\(service).\($0)" }
    }
    let values = ports.downstream.isEmpty ? [] : definition.values.map(\.name)
    givenNames = HoleName.common.union(addresses).union(values)
    for group in Self.groups(scenario.steps) {
      // Steps that run at the same time do not see each other's labels.
      for site in group { checkUses(of: site) }
      for site in group { define(site) }
    }
    for site in scenario.assertions {
      for selector in site.assertion.selectors(at: site.path) { checkLabels(of: selector) }
      for label in site.assertion.outcomes(at: site.path) { checkOutcome(label.value, at: label.path) }
      for template in site.assertion.templates(at: site.path) { checkReferences(in: template) }
      for use in site.assertion.checks(at: site.path) { checkHoles(of: use) }
    }
  }

  private static func groups(_ steps: [ScenarioSite.StepSite]) -> [[ScenarioSite.StepSite]] {
    var groups: [[ScenarioSite.StepSite]] = []
    for step in steps {
      if let group = step.group, groups.last?.first?.group == group {
        groups[groups.count - 1].append(step)
      } else {
        groups.append([step])
      }
    }
    return groups
  }

  private mutating func define(_ site: ScenarioSite.StepSite) {
    guard let label = site.step.label else { return }
    let known = labels.insert(label, loops: site.loops)
    if site.hasOutcome { outcomes.insert(label, loops: site.loops) }
    guard let first = known.first else { return }
    duplicates.append(
      scenario.finding(
        at: site.path.appending(key: "as"), expected: "a label of its own for every step and every round of a loop",
        found: "'\(first)' again"))
  }

  private mutating func checkUses(of site: ScenarioSite.StepSite) {
    for selector in site.selectors { checkLabels(of: selector) }
    if case .await(let wait) = site.step.action, case .reply(let label) = wait.target {
      checkOutcome(label, at: site.path.appending(key: "await").appending(key: "reply"))
    }
    if case .await(let wait) = site.step.action, let since = wait.since, since != Step.Await.wholeCase,
      !labels.contains(since)
    {
      let path = site.path.appending(key: "await").appending(key: "since")
      unknownLabels += [
        scenario.unknown(since, at: path, "the label of a step", known: labels.words)
      ].compactMap { $0 }
    }
    for template in site.matchedTemplates { checkReferences(in: template) }
    for template in site.renderedTemplates { checkHoles(of: template, in: site) }
    if let label = site.step.label { checkHoles(of: Sited(label, at: site.path.appending(key: "as")), in: site) }
  }

  private mutating func checkLabels(of selector: Sited<Selector>) {
    for label in selector.labels where !labels.contains(label.value) {
      unknownLabels += [
        scenario.unknown(label.value, at: label.path, "the label of a step", known: labels.words)
      ].compactMap { $0 }
    }
  }

  private mutating func checkOutcome(_ label: String, at path: JSONPath) {
    guard !outcomes.contains(label) else { return }
    unknownLabels += [
      scenario.unknown(label, at: path, "the label of a call or a send", known: outcomes.words)
    ].compactMap { $0 }
  }

  /// Checks a template that is compared with observations. In such a template, a hole without a dot in its name may
  /// capture a value. So only a name with a dot must have a value before.
  private mutating func checkReferences(in template: Sited<Template>) {
    for name in template.value.node.requiredHoles where name.contains(".") && !isGiven(name) {
      checkReference(name, at: template.path)
    }
  }

  /// Whether the name, or its part before the first dot, has a value before the first step. `declared` counts as given,
  /// since only the adapter knows the names of the values in it.
  private func isGiven(_ name: String) -> Bool {
    let base = String(name.prefix { $0 != "." })
    return givenNames.contains(name) || givenNames.contains(base) || base == "declared"
  }

  private mutating func checkReference(_ name: String, at path: JSONPath) {
    let base = String(name.prefix { $0 != "." })
    guard name.hasSuffix(".$at") else { return checkOutcome(base, at: path) }
    guard !labels.contains(base) else { return }
    unknownLabels += [
      scenario.unknown(base, at: path, "the label of a step", known: labels.words)
    ].compactMap { $0 }
  }

  private mutating func checkHoles(of template: Sited<Template>, in site: ScenarioSite.StepSite) {
    let given = site.givenNames(for: template)
    checkHoles(
      named: template.value.node.requiredHoles.filter { !given.contains($0) }, at: template.path,
      loops: site.loops.map(\.variable))
  }

  /// Checks the `with` of a named check. The holes in the `with` are filled only after the case has ended. A hole whose
  /// name has no dot and no value is allowed only inside an object. There it matches any value.
  private mutating func checkHoles(of use: CheckUse) {
    for (key, value) in (use.with.object?.members ?? []).map({ ($0.key, $0.value) }) {
      guard let template = try? Template(value) else { continue }
      let names = template.node.requiredHoles.filter { $0.contains(".") || value.object == nil }
      checkHoles(named: names, at: use.path.appending(key: "with").appending(key: key))
    }
  }

  private mutating func checkHoles(named names: [String], at path: JSONPath, loops: [String] = []) {
    for name in names {
      let base = String(name.prefix { $0 != "." })
      guard !isGiven(name), !loops.contains(base), !outcomes.contains(base) else { continue }
      if name.hasSuffix(".$at"), labels.contains(base) { continue }
      let known = loops + outcomes.words + givenNames.sorted()
      unboundHoles.append(
        scenario.finding(
          at: path, expected: "a value for ${\(name)}: of a row, a loop or an earlier step",
          found: "none",
          hint: base == "limits"
            ? "'limits' are for the kit's own patience; cases name the times of 'patience'"
            : Nearest.suggestion(for: base, in: known)))
    }
  }
}

extension ScenarioSite.StepSite {
  /// The names that a `send` step gives in `with`. They fill the holes of the path, the header fields and the body of
  /// the same step.
  fileprivate func givenNames(for template: Sited<Template>) -> Set<String> {
    guard case .send(let send) = step.action, template.path != path.appending(key: "with"),
      case .object(let members) = send.with.node
    else { return [] }
    return Set(members.map(\.key))
  }
}
