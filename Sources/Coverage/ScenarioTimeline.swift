import ConformanceModel
import ConformanceSpec
import JSONKit
import Templates
import TextKit

/// The steps of a scenario in the order in which they begin, and the steps that change the phase of the app.
struct ScenarioTimeline {
  /// The position of an observation that can come after any step.
  static let end = Int.max

  let scenario: ScenarioSite
  /// The indices of the steps that start the subject again and keep its storage.
  let launches: [Int]
  let clears: [Int]
  let resets: [Int]
  /// The steps that give something a second value: a further answer or request of the same exchange, or a further call
  /// of the same command with other parameters.
  let seconds: [(index: Int, name: String)]

  private let labels: [(pattern: Wildcard, index: Int)]

  init(_ scenario: ScenarioSite, moments: ProtocolDefinition.Moments) {
    self.scenario = scenario
    let actions = scenario.steps.map(\.step.action)
    func indices(_ holds: (Step.Action) -> Bool) -> [Int] { actions.indices.filter { holds(actions[$0]) } }
    launches = indices { if case .restart(let restart) = $0 { restart.keepsStorage } else { false } }
    clears = indices { $0.calledCommand.map(moments.clear.contains) ?? false }
    resets = indices { $0.calledCommand.map(moments.reset.contains) ?? false }
    seconds = Self.seconds(scenario.steps)
    labels = scenario.steps.enumerated().compactMap { index, site in
      site.step.label.flatMap(\.source.string).map { (Wildcard(pattern: $0), index) }
    }
  }

  private static func seconds(_ steps: [ScenarioSite.StepSite]) -> [(index: Int, name: String)] {
    var known: [String: Step.Action] = [:]
    return steps.enumerated().compactMap { index, site in
      guard let name = site.step.action.subject else { return nil }
      let isAnother = known[name].map { $0 != site.step.action } ?? !site.loops.isEmpty
      known[name] = site.step.action
      return isAnother ? (index, name) : nil
    }
  }

  /// The index of the step with this label.
  func index(of label: String) -> Int? { labels.first { $0.pattern.matches(label) }?.index }

  func action(of label: String) -> Step.Action? { index(of: label).map { scenario.steps[$0].step.action } }

  /// The index of the call that registered this handle.
  func registration(of handle: String) -> Int? {
    scenario.steps.firstIndex { site in
      guard case .call(let call) = site.step.action else { return false }
      return call.params.source["handle"]?.string == handle
    }
  }

  /// The index of the last step after which a selected observation can come; ``end`` if it can come after any step.
  func position(of selector: Selector, _ which: Claim.Which = .each) -> Int {
    if let after = selector.after.flatMap(index) { return after }
    switch selector.subject {
    case .reply(let label), .step(let label): return index(of: label) ?? 0
    case .callback(let handle):
      // A callback ends with the launch that registered it.
      let registered = registration(of: handle) ?? 0
      return launches.first { $0 > registered }.map { $0 - 1 } ?? Self.end
    case .request, .response, .closed:
      if let before = selector.before.flatMap(index) { return before - 1 }
      return which == .first ? -1 : Self.end
    }
  }
}

extension Step.Action {
  /// The command that the action calls; nil for any other action.
  var calledCommand: String? {
    if case .call(let call) = self { call.command } else { nil }
  }

  /// The command or exchange to which the action gives values; nil for an action that gives no values.
  fileprivate var subject: String? {
    switch self {
    case .call(let call): call.params.source.object?.members.isEmpty ?? true ? nil : call.command
    case .send(let send): send.exchange
    case .answer(let answer): answer.exchange
    default: nil
    }
  }
}

extension Wildcard {
  /// A pattern from a text with holes. Each hole matches any text.
  fileprivate init(pattern text: String) {
    self.init(
      HoleText(text).pieces.map { if case .literal(let literal) = $0 { String(literal) } else { "*" } }.joined())
  }
}
