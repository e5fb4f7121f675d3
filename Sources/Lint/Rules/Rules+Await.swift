import ConformanceModel
import ConformanceSpec
import Coverage
import JSONKit

extension Linter {
  /// Rules about `await`: no earlier step guarantees the awaited observation.
  static let awaitRules = [
    LintRule(
      "await-satisfied", "An `await` waits for something that no earlier step of its case has certainly caused."
    ) {
      subject in subject.scenarios.flatMap(\.satisfiedAwaits)
    }
  ]
}

extension ScenarioSite {
  /// The awaits that are already met when they begin.
  fileprivate var satisfiedAwaits: [LintFinding] {
    var findings: [LintFinding] = []
    /// The steps that were over before the present one, by label. ``awaited`` contains the awaits since the last step
    /// in which the subject may act.
    var over: [String: StepSite] = [:]
    var awaited: [Step.Await] = []
    for site in steps where !site.isTried && site.loops.isEmpty {
      if case .await(let wait) = site.step.action, let cause = cause(of: wait, at: site, over, awaited) {
        findings.append(
          finding(
            at: site.path.appending(key: "await"), expected: "something that is not certain before the step begins",
            found: cause))
      }
      if site.step.letsSubjectAct { awaited = [] }
      if case .await(let wait) = site.step.action { awaited.append(wait) }
      if let label = site.step.label, label.holeNames.isEmpty, let name = label.source.string { over[name] = site }
    }
    return findings
  }

  /// The earlier step that always satisfies an await; nil if there is none.
  private func cause(
    of wait: Step.Await, at site: StepSite, _ over: [String: StepSite], _ awaited: [Step.Await]
  ) -> String? {
    func isOver(_ label: String) -> StepSite? {
      over[label].flatMap { $0.group == nil || $0.group != site.group ? $0 : nil }
    }
    switch wait.target {
    case .reply(let label):
      guard let earlier = isOver(label) else { return nil }
      switch earlier.step.action {
      case .call(let call) where call.waits: return "the reply of '\(label)', which waits for it itself"
      case .send(let send) where send.waits: return "the response of '\(label)', which waits for it itself"
      default: break
      }
    case .observed(let selector):
      if case .step(let label) = selector.subject, isOver(label) != nil {
        return "the end of step '\(label)', which is over by then"
      }
    }
    let isRepeated = awaited.contains { earlier in
      earlier.target == wait.target && earlier.since == wait.since && earlier.count >= wait.count
    }
    return isRepeated ? "what an await before it waits for, with no step between them that lets the subject act" : nil
  }
}
