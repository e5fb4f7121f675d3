import ConformanceModel
import ConformancePack
import ConformanceSpec
import Coverage
import FrozenSets
import JSONKit

/// A catalogue in the form that lint rules read: its parts with their places, and every step and assertion with its
/// path.
struct LintSubject: Sendable {
  let sources: CatalogueSources
  let catalogue: Catalogue
  /// The named checks that cases may use. nil if the linter does not know them; then rules about checks find nothing.
  let checks: [String: Check]?
  let strayFiles: [String]
  /// The frozen sets, the oldest first.
  let frozen: [Located<FrozenSet>]
  /// Every scenario of every case.
  let scenarios: [ScenarioSite]
  /// For every scenario, the findings about its labels and holes.
  let labels: [ScenarioLabels]
  /// For each requirement, the cases that have a claim about it.
  let claims: [RequirementID: [Located<Case>]]

  init(
    _ sources: CatalogueSources, checks: [String: Check]?, strayFiles: [String], frozen: [Located<FrozenSet>]
  ) {
    self.sources = sources
    self.checks = checks
    self.strayFiles = strayFiles
    self.frozen = frozen
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
