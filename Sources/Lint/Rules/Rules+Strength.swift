import ConformanceModel
import ConformanceSpec
import Templates

extension Linter {
  /// The largest share of claims that may use named checks. A larger share shows that the case language lacks a word.
  static let largestCheckShare = 0.15

  /// Rules about the strength of cases: each case notices a no-op implementation, few claims are named checks, and each
  /// fault can occur.
  static let strengthRules = [
    LintRule("vacuous-case", "A case whose claims are all negative has a control observation.") { subject in
      subject.scenarios.compactMap { scenario in
        let claims = scenario.assertions.filter { $0.claim != nil }
        guard scenario.scenario.witness.isEmpty, claims.allSatisfy(\.assertion.isNegative) else { return nil }
        return scenario.finding(
          at: scenario.located.path.appending(key: "claims"),
          expected: "a claim that something happened, or a 'witness:' of it",
          found: "only claims that a subject which does nothing fulfils")
      }
    },
    LintRule("check-share", "At most 15 % of a protocol's claims are named checks.") { subject in
      let shared = subject.sources.shared.values.joined()
      let claims = subject.sources.cases.flatMap { $0.value.scenarios.first?.claims ?? [] }
        .filter { !shared.contains($0.requirement) }
      let checks = claims.count { if case .check = $0.assertion { true } else { false } }
      guard Double(checks) > largestCheckShare * Double(claims.count) else { return [] }
      return [
        subject.sources.definition.finding(
          expected: "at most \(Int(largestCheckShare * 100)) % of the claims to be checks",
          found: "\(checks) of \(claims.count)")
      ]
    },
    LintRule("fault-fires", "Each fault is followed by a step in which it can occur.") { subject in
      subject.scenarios.flatMap { scenario in
        scenario.steps.enumerated().compactMap { index, site in
          guard case .fault = site.step.action, site.loops.isEmpty, site.group == nil,
            !scenario.steps[(index + 1)...].contains(where: \.step.action.isActive)
          else { return nil }
          return scenario.finding(
            at: site.path, expected: "a later step in which the fault can fire", found: "none")
        }
      }
    },
  ]
}

extension Claim.Assertion {
  /// Whether a no-op implementation passes the assertion.
  fileprivate var isNegative: Bool {
    switch self {
    case .never, .survives: true
    case .count(_, let template), .calledBack(_, let template, _): template.fits(0)
    case .returns(let outcomes): outcomes.allSatisfy(\.template.node.acceptsFailure)
    case .anyOf(let assertions): assertions.contains(where: \.isNegative)
    case .matches, .order, .gap, .gaps, .equal, .series, .latest, .atOnce, .golden, .check: false
    }
  }
}

extension Template.Node {
  /// Whether a failed command passes the assertion.
  fileprivate var acceptsFailure: Bool {
    guard case .constraints(let constraints) = self else { return false }
    return constraints.contains { constraint in
      switch constraint {
      case .fails: true
      case .oneOf(let nodes): nodes.contains(where: \.acceptsFailure)
      default: false
      }
    }
  }
}

extension Step.Action {
  /// Whether the subject may do something in the step.
  var isActive: Bool {
    switch self {
    case .call, .send, .await, .settle, .advance, .restart, .surroundings, .explore: true
    case .answer, .operate, .fault, .heal, .release, .search, .together, .repeat, .attempt, .perform: false
    }
  }
}
