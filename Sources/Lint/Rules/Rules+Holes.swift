import ConformanceModel
import ConformanceSpec
import Coverage
import JSONKit
import Templates

extension Linter {
  /// Rules about golden messages: each hole has a value, each given value has a hole, each scripted answer is usable.
  static let holeRules = [
    LintRule("unfilled-hole", "Every hole that must be filled has a value: of the step, or of the exchange's bindings.")
    {
      subject in
      subject.uses.flatMap { use -> [LintFinding] in
        if let reason = use.whyUnrenderable {
          return [use.finding(expected: "a message of values and named holes, which can be made", found: reason)]
        }
        guard let given = use.given else { return [] }
        return use.requiredHoles.filter { !given.contains($0) }.map { name in
          use.finding(
            expected: "a value for ${\(name)}, in 'with' or in the bindings of '\(use.exchange.name)'", found: "none",
            hint: Nearest.suggestion(for: name, in: use.with.keys))
        }
      }
    },
    LintRule(
      "unknown-hole", "Each value that a send or an answer gives belongs to a hole of its message, in at least one row."
    ) {
      subject in
      let uses = subject.uses
      // A table may choose the message. So one row may need a value that another row does not use.
      let known = uses.reduce(into: [String: Set<String>]()) { $0[$1.place, default: []].formUnion($1.knownHoles) }
      return uses.flatMap { use in
        use.with.keys.compactMap { name in
          use.scenario.unknown(
            name, at: use.site.path.appending(key: "with").appending(key: name), "a hole of \(use.noun)",
            known: known[use.place] ?? [])
        }
      }
    },
    LintRule("unused-answer", "A request can still come after an answer is scripted, before another one hides it.") {
      subject in
      subject.scenarios.flatMap { scenario in
        scenario.steps.enumerated().compactMap { index, site in
          guard case .answer(let answer) = site.step.action, site.loops.isEmpty, site.group == nil else { return nil }
          for later in scenario.steps[(index + 1)...] {
            if later.step.action.isActive { return nil }
            if case .answer(let other) = later.step.action, other.hides(answer) {
              return scenario.finding(
                at: site.path, expected: "a step in which a request can come, before another answer to it",
                found: "none")
            }
          }
          return scenario.finding(
            at: site.path, expected: "a later step in which a request can come", found: "none")
        }
      }
    },
  ]
}

/// A golden message that a step renders: the request of a `send` step, or the response that an `answer` step scripts.
private struct MessageUse {
  let scenario: ScenarioSite
  let site: ScenarioSite.StepSite
  let exchange: Exchange
  let with: StepValues
  /// The bindings of the exchange. Values of the step override these bindings.
  let bindings: Bindings
  /// The templates of the parts that the message always has, in all dialects of the case. ``optional`` contains the
  /// templates of its optional parts.
  let required: [Template]
  let optional: [Template]
  /// The name of the message in a finding.
  let noun: String

  /// The file and path of the step, which are the same for all rows of a table.
  var place: String { "\(scenario.located.document.file) \(site.path)" }

  func finding(expected: String, found: String, hint: String? = nil) -> LintFinding {
    scenario.finding(at: site.path, expected: expected, found: found, hint: hint)
  }

  /// The holes that must have a value, without repetitions.
  var requiredHoles: [String] {
    let names = required.flatMap(\.node.requiredHoles) + (exchange.isBound ? exchange.boundHoles ?? [] : [])
    return Set(names.map(\.base)).sorted()
  }

  var knownHoles: [String] {
    Set((required + optional).flatMap(\.holeNames) + (exchange.boundHoles ?? [])).sorted()
  }

  /// The names of holes that have a value; nil if the names in `with` are known only when the case runs.
  var given: Set<String>? {
    guard !with.isOpen else { return nil }
    let row = Set(scenario.scenario.values.values.keys)
    return Set(bindings.values.keys).union(with.certain).union(row).union(HoleName.common)
  }

  /// The reason why the kit cannot render the message; nil if it can.
  var whyUnrenderable: String? {
    required.contains(where: \.isMatchOnly) ? "a check or a hole without a name" : nil
  }
}

/// The values that a step gives by name in `with`.
private struct StepValues {
  var keys: [String] = []
  /// The names that always have a value. An optional member that contains a hole does not always have one.
  var certain: Set<String> = []
  /// Whether the names are known only when the case runs.
  var isOpen = false

  init(_ template: Template) {
    guard case .object(let members) = template.node else {
      if case .literal = template.node { return }
      isOpen = true
      return
    }
    keys = members.map(\.key)
    certain = Set(members.filter { !$0.isOptional || $0.value.requiredHoles.isEmpty }.map(\.key))
  }
}

extension LintSubject {
  /// The messages of all `send` and `answer` steps whose exchange the catalogue contains.
  fileprivate var uses: [MessageUse] {
    scenarios.flatMap { scenario in
      scenario.steps.compactMap { site in
        switch site.step.action {
        case .send(let send): catalogue.exchange(send.exchange).flatMap { use(send, $0, scenario, site) }
        case .answer(let answer): catalogue.exchange(answer.exchange).flatMap { use(answer, $0, scenario, site) }
        default: nil
        }
      }
    }
  }

  private func use(
    _ send: Step.Send, _ exchange: Exchange, _ scenario: ScenarioSite, _ site: ScenarioSite.StepSite
  ) -> MessageUse? {
    let requests = scenario.located.value.dialects.compactMap { exchange.request(in: $0) }
    guard let bindings = exchange.bindings(send.bindings), exchange.isBound || !requests.isEmpty else { return nil }
    return MessageUse(
      scenario: scenario, site: site, exchange: exchange, with: StepValues(send.with), bindings: bindings,
      // A path or a body in the step replaces the golden path or body, which is rendered nevertheless.
      required: requests.flatMap(\.requiredTemplates),
      optional: requests.flatMap(\.optionalTemplates),
      noun: "the request of '\(exchange.name)'")
  }

  private func use(
    _ answer: Step.Answer, _ exchange: Exchange, _ scenario: ScenarioSite, _ site: ScenarioSite.StepSite
  ) -> MessageUse? {
    let responses = scenario.located.value.dialects.compactMap { exchange.response(answer.response, in: $0) }
    guard !responses.isEmpty else { return nil }
    let bodies = responses.compactMap { if case .json(let body) = $0.body { body } else { nil } }
    return MessageUse(
      scenario: scenario, site: site, exchange: exchange, with: StepValues(answer.with),
      bindings: exchange.bindings(nil) ?? [:],
      required: bodies + responses.flatMap { $0.headers.filter { !$0.isOptional }.map(\.value) },
      optional: responses.flatMap { $0.headers.filter(\.isOptional).map(\.value) },
      noun: "the response '\(answer.response)' of '\(exchange.name)'")
  }
}

extension Step.Answer {
  /// Whether this later `answer` step makes the earlier one, `other`, ineffective for all further requests.
  fileprivate func hides(_ other: Step.Answer) -> Bool {
    exchange == other.exchange && times == nil && filter == nil
  }
}
