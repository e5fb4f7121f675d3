import ConformanceModel
import ConformanceSpec
import Coverage
import JSONKit

extension Linter {
  /// Rules about `await`: the awaited observation must not be certain before the step begins.
  static let awaitRules = [
    LintRule(
      "await-satisfied", "An `await` waits for something that no earlier step of its case has certainly caused."
    ) {
      subject in subject.scenarios.flatMap(\.satisfiedAwaits)
    }
  ]
}

extension ScenarioSite {
  /// The findings about `await` steps whose observation is certain before the step begins, or can no longer come.
  fileprivate var satisfiedAwaits: [LintFinding] {
    var findings: [LintFinding] = []
    /// The steps before the present step, by label. ``awaited`` contains the awaits since the last step in which the
    /// subject may act.
    var over: [String: StepSite] = [:]
    var awaited: [Step.Await] = []
    for site in steps {
      let isCertain = !site.isTried && site.loops.isEmpty
      if case .await(let wait) = site.step.action {
        if let label = end(of: wait, at: site, over) {
          findings.append(
            finding(
              at: site.path.appending(key: "await"), expected: "observations that can still come",
              found: "only those before step '\(label)', which is over by then"))
        } else if let cause = cause(of: wait, at: site, over, isCertain ? awaited : []) {
          findings.append(
            finding(
              at: site.path.appending(key: "await"), expected: "something that is not certain before the step begins",
              found: cause))
        }
      }
      if site.step.letsSubjectAct { awaited = [] }
      if case .await(let wait) = site.step.action { awaited.append(wait) }
      if let label = site.step.label, label.holeNames.isEmpty, let name = label.source.string { over[name] = site }
    }
    return findings
  }

  /// The label of the step that the await names in `before`, if this step is over when the await begins. Then no
  /// further observation can satisfy the await. nil otherwise.
  private func end(of wait: Step.Await, at site: StepSite, _ over: [String: StepSite]) -> String? {
    guard case .observed(let selector) = wait.target, let label = selector.before else { return nil }
    return over[label]?.isOver(at: site) == true ? label : nil
  }

  /// Describes the earlier step that always satisfies the await; nil if no earlier step does.
  private func cause(
    of wait: Step.Await, at site: StepSite, _ over: [String: StepSite], _ awaited: [Step.Await]
  ) -> String? {
    func isOver(_ label: String) -> StepSite? { over[label].flatMap { $0.isOver(at: site) ? $0 : nil } }
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

extension ScenarioSite.StepSite {
  /// Whether this step has certainly ended when a later step begins.
  fileprivate func isOver(at later: Self) -> Bool {
    // A way of an attempt can be skipped, so its steps are certain only for later steps of the same way.
    let isCertain = !isTried || later.path.steps.starts(with: path.steps.dropLast())
    return isCertain && (group == nil || group != later.group)
  }
}
