import ConformanceJudge
import ConformanceModel

/// The results of a run on their way to the audience: one that may have its cause in a rule on which others rest waits
/// until all is known about those.
///
/// Source: `spec/kit/fixture-format.md`, Requirements, `restsOn`.
struct WeighedResults {
  /// What is known by now of the rules on which others rest.
  private(set) var causes: RootCauses
  /// The rules that are noted: those on which others rest, and whatever else the run wants to know of as broken.
  let ground: Set<RequirementID>
  /// How many cases are still to come that judge such a rule.
  private var open: Int
  private var waiting: [CaseResult] = []

  init(of items: [Plan.Item], noting more: Set<RequirementID>, _ settlement: Settlement) {
    causes = RootCauses(items.flatMap(\.requirements), settlement)
    let ground = causes.rules.union(more)
    self.ground = ground
    open = items.count { $0.judges(ground) }
  }

  /// Takes a result, and gives back what has become certain by it.
  mutating func take(_ result: CaseResult) -> [CaseResult] {
    let noted = result.settled.filter { ground.contains($0.requirement.id) }
    if !noted.isEmpty {
      for settled in noted { causes.note(settled) }
      open -= 1
    }
    guard open > 0 else { return rest() + [weighed(result)] }
    guard result.settled.contains(where: causes.mayExcuse) else { return [result] }
    waiting.append(result)
    return []
  }

  /// What still waits, in the light of all that was learnt.
  mutating func rest() -> [CaseResult] {
    defer { waiting = [] }
    return waiting.map(weighed)
  }

  private func weighed(_ result: CaseResult) -> CaseResult {
    var result = result
    result.settled = result.settled.map(causes.weigh)
    return result
  }
}
