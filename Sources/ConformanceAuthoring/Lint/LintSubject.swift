import ConformanceModel
import ConformancePack
import ConformanceSpec
import JSONKit

/// A catalogue laid out for the rules: its nouns with their places, and every step and assertion with its path.
struct LintSubject: Sendable {
  let sources: CatalogueSources
  let catalogue: Catalogue
  /// The pack's checks; nil when they are not known.
  let checks: [String: Check]?
  let strayFiles: [String]
  /// Every scenario of every case.
  let scenarios: [ScenarioSite]
  /// For every scenario, which names have a value when they are used.
  let labels: [ScenarioLabels]
  /// The cases with a claim about each requirement.
  let claims: [RequirementID: [Located<Case>]]

  init(_ sources: CatalogueSources, checks: [String: Check]?, strayFiles: [String]) {
    self.sources = sources
    self.checks = checks
    self.strayFiles = strayFiles
    catalogue = sources.catalogue
    scenarios = sources.cases.flatMap { located in
      located.value.scenarios.map { ScenarioSite($0, of: located) }
    }
    let definition = sources.definition.value
    labels = scenarios.map { ScenarioLabels($0, definition: definition) }
    claims = sources.cases.reduce(into: [:]) { claims, located in
      for id in Set(located.value.scenarios.flatMap { $0.claims.map(\.requirement) }) {
        claims[id, default: []].append(located)
      }
    }
  }

  var definition: ProtocolDefinition { sources.definition.value }
  var services: [String] { definition.services.map(\.name.rawValue) }
  var dialects: [String] { definition.dialects.map(\.rawValue) }
  var exchangeNames: [String] { sources.exchanges.map(\.value.name) }
}

/// A value inside a document.
struct Sited<Value> {
  var value: Value
  var path: JSONPath

  init(_ value: Value, at path: JSONPath) {
    self.value = value
    self.path = path
  }
}

/// A scenario with the path of everything in it.
struct ScenarioSite: Sendable {
  /// A step, those inside others too, in the order in which they begin.
  struct StepSite: Sendable {
    var step: Step
    var path: JSONPath
    /// The loops around it, the outermost first.
    var loops: [Loop]
    /// The outermost block of steps that run at the same time; nil for a step that runs alone.
    var group: JSONPath?
    /// Whether it stands in a way of an `attempt`, which is left out where the subject lacks what it calls.
    var isTried: Bool
    /// Whether it stands in a state of the protocol, so that its path is that of the state's use.
    var isShared: Bool
  }

  /// A `repeat` around a step.
  struct Loop: Hashable, Sendable {
    var variable: String
    var times: Int
  }

  /// A claim, or a witness.
  struct AssertionSite: Sendable {
    var assertion: Claim.Assertion
    /// nil for a witness.
    var claim: Claim?
    /// Of the claim.
    var path: JSONPath
    /// Whether it stands in a state of the protocol, so that its path is that of the state's use.
    var isShared = false
  }

  let located: Located<Case>
  let scenario: Case.Scenario
  let steps: [StepSite]
  let assertions: [AssertionSite]

  init(_ scenario: Case.Scenario, of located: Located<Case>) {
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

  var role: Role { located.value.role }

  func finding(at path: JSONPath, expected: String, found: String, hint: String? = nil) -> LintFinding {
    LintFinding(in: located.document, at: path, expected: expected, found: found, hint: hint)
  }

  func unknown(_ word: String, at path: JSONPath, _ noun: String, known: some Collection<String>) -> LintFinding? {
    LintFinding(in: located.document, at: path, unknown: word, noun, known: known)
  }

  static func sites(
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

  /// Assertions without a requirement.
  private static func sites(
    of assertions: [Claim.Assertion], _ list: String, _ located: Located<Case>
  ) -> [AssertionSite] {
    let path = located.path.appending(key: list)
    return assertions.enumerated().map {
      AssertionSite(assertion: $0.element, claim: nil, path: path.appending(index: $0.offset))
    }
  }

  /// A claim about several requirements has become several claims at one path.
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
