import ConformanceModel
import ConformanceSpec
import JSONKit

/// A scenario with the paths of its parts.
package struct ScenarioSite: Sendable {
  /// A step with its path. Steps inside other steps are included, in the order in which they begin.
  package struct StepSite: Sendable {
    package var step: Step
    package var path: JSONPath
    /// The loops around the step, the outermost first.
    package var loops: [Loop]
    /// The path of the outermost `together` around the step; nil if the step does not run at the same time as other
    /// steps.
    package var group: JSONPath?
    /// Whether the step is in one of the ways of an `attempt`. A way is skipped if the subject lacks a capability that
    /// the way needs.
    package var isTried: Bool
    /// Whether the step is in a state of the protocol. The path of such a step is the path at which the case uses the
    /// state.
    package var isShared: Bool
  }

  /// A `repeat` around a step.
  package struct Loop: Hashable, Sendable {
    package var variable: String
    package var times: Int
  }

  /// A claim, or a control observation.
  package struct AssertionSite: Sendable {
    package var assertion: Claim.Assertion
    /// The claim; nil for a control observation.
    package var claim: Claim?
    /// The path of the assertion in the file.
    package var path: JSONPath
    /// Whether the assertion is in a state or an assumption that several cases share. The path of such an assertion is
    /// the path at which the case names the state or the assumption.
    package var isShared = false
  }

  package let located: Located<Case>
  package let scenario: Case.Scenario
  package let steps: [StepSite]
  package let assertions: [AssertionSite]

  package init(_ scenario: Case.Scenario, of located: Located<Case>) {
    self.located = located
    self.scenario = scenario
    let given = located.path.appending(key: "given")
    let states = scenario.given.flatMap { Self.sites(of: $0.steps, at: given, isShared: true) }
    steps = states + Self.sites(of: scenario.steps, at: located.path.appending(key: "steps"))
    let holds = scenario.given.flatMap(\.holds).map {
      AssertionSite(assertion: $0, claim: nil, path: given, isShared: true)
    }
    assertions =
      holds + Self.sites(of: scenario.witness, "witness", located)
      + Self.sites(of: scenario.controls, "controls", located)
      + Self.claims(scenario.assumes, "assumes", located) + Self.claims(scenario.claims, "claims", located)
  }

  package var role: Role { located.value.role }

  package static func sites(
    of steps: [Step], at path: JSONPath, loops: [Loop] = [], group: JSONPath? = nil, isTried: Bool = false,
    isShared: Bool = false
  ) -> [StepSite] {
    steps.enumerated().flatMap { index, step -> [StepSite] in
      let place = isShared ? path : path.appending(index: index)
      func below(_ keys: String...) -> JSONPath {
        isShared ? place : keys.reduce(place) { $0.appending(key: $1) }
      }
      let site = StepSite(
        step: step, path: place, loops: loops, group: group, isTried: isTried, isShared: isShared)
      func inside(
        _ steps: [Step], _ path: JSONPath, loops: [Loop] = loops, group: JSONPath? = group, isTried: Bool = isTried,
        isShared: Bool = isShared
      ) -> [StepSite] {
        sites(of: steps, at: path, loops: loops, group: group, isTried: isTried, isShared: isShared)
      }
      switch step.action {
      case .together(let inner):
        return [site] + inside(inner, below("together"), group: group ?? place)
      case .repeat(let times, let variable, let inner):
        let loop = Loop(variable: variable, times: times)
        return [site] + inside(inner, below("repeat", "steps"), loops: loops + [loop])
      case .attempt(let attempt):
        return [site]
          + attempt.ways.flatMap { inside($0.steps, below("attempt", "ways", $0.name), isTried: true) }
      case .perform(_, let inner):
        return [site] + inside(inner, below("do"), isShared: true)
      default: return [site]
      }
    }
  }

  /// The sites of assertions that do not belong to a requirement: control observations and controls.
  private static func sites(
    of assertions: [Claim.Assertion], _ list: String, _ located: Located<Case>
  ) -> [AssertionSite] {
    let path = located.path.appending(key: list)
    return assertions.enumerated().map {
      AssertionSite(assertion: $0.element, claim: nil, path: path.appending(index: $0.offset))
    }
  }

  /// The sites of claims. Claims that were read from one entry with several requirements have the same path.
  private static func claims(_ claims: [Claim], _ list: String, _ located: Located<Case>) -> [AssertionSite] {
    let path = located.path.appending(key: list)
    let written = located.document.value[path]?.array ?? []
    return claims.map { claim in
      AssertionSite(
        assertion: claim.assertion, claim: claim, path: path.appending(index: claim.index),
        isShared: written.indices.contains(claim.index) && written[claim.index].string != nil)
    }
  }
}
