import ConformanceModel
import ConformanceSpec
import Coverage
import JSONKit
import Templates

extension Linter {
  /// Rules about the operations of explorations.
  static let explorationRules = [
    LintRule(
      "drawn-values", "The values drawn for an operation belong to holes of its request, and every hole has one."
    ) {
      subject in
      subject.draws.flatMap { site -> [LintFinding] in
        let with = site.path.appending(key: "with")
        let members = site.draw.with.memberNames
        let unfilled = site.draw.with.holeNames.filter { !site.known.contains($0) }.sorted().map { name in
          site.scenario.finding(
            at: with, expected: "a value for ${\(name)}: of 'values', of a 'keep', or of the case", found: "none",
            hint: Nearest.suggestion(for: name, in: site.known))
        }
        guard case .send(let name) = site.draw.action, let exchange = subject.catalogue.exchange(name) else {
          return unfilled
        }
        let holes = exchange.requests.values.flatMap(\.holeNames)
        let required = Set(exchange.requests.values.flatMap(\.requiredHoles).map(\.base))
        let given = Set(exchange.bindings(nil)?.values.keys.map(\.self) ?? []).union(members)
        let strangers = members.filter { !holes.contains($0) }.compactMap {
          site.scenario.unknown(
            $0, at: with.appending(key: $0), "a hole of the request of '\(name)'", known: Set(holes).sorted())
        }
        return unfilled + strangers
          + required.subtracting(given).sorted().map {
            site.scenario.finding(at: site.path, expected: "a value for ${\($0)} in 'with'", found: "none")
          }
      }
    },
    LintRule("drawn-start", "At least one operation of an exploration needs no other before it.") { subject in
      subject.eachStep { scenario, site in
        guard case .explore(let exploration) = site.step.action else { return [] }
        let kept = exploration.keptNames
        guard exploration.draws.allSatisfy({ !kept.isDisjoint(with: $0.with.holeNames) }) else { return [] }
        return [
          scenario.finding(
            at: site.path.appending(key: "explore").appending(key: "draw"),
            expected: "an operation that needs nothing of another's answer", found: "none: nothing could ever be drawn")
        ]
      }
    },
  ]
}

/// An operation that an exploration may perform, with its place.
private struct DrawSite {
  let scenario: ScenarioSite
  let path: JSONPath
  let draw: Exploration.Draw
  /// The names of holes that have a value when the operation runs.
  let known: [String]
}

extension LintSubject {
  fileprivate var draws: [DrawSite] {
    scenarios.flatMap { scenario in
      scenario.steps.enumerated().flatMap { index, site -> [DrawSite] in
        guard case .explore(let exploration) = site.step.action else { return [] }
        let earlier = scenario.steps[..<index].compactMap { $0.step.label?.literalValue.value.string }
        let known =
          exploration.choices.map(\.name) + exploration.keptNames + Exploration.ownNames + earlier
          + HoleName.common + definition.values.map(\.name)
        let list = site.path.appending(key: "explore").appending(key: "draw")
        return exploration.draws.enumerated().map {
          DrawSite(scenario: scenario, path: list.appending(index: $0.offset), draw: $0.element, known: known)
        }
      }
    }
  }
}

extension Template {
  fileprivate var memberNames: [String] { if case .object(let members) = node { members.map(\.key) } else { [] } }
}
