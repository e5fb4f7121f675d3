import ConformanceModel
import ConformanceSpec

/// The number of cases that try each negative requirement in each form. A negative requirement demands that something
/// is refused, kept secret or left unchanged.
package struct NegativeCoverage {
  /// One table for each kind of negative requirement, with the reasons of `coverage.yaml`. A kind without a requirement
  /// has no table.
  package let grids: [(kind: NegativeKind, grid: CoverageGrid)]
  /// The names of the cells without a case. A cell with a reason is included.
  package let openCells: [String]

  package init(_ sources: CatalogueSources) {
    self.init(sources, scenarios: sources.scenarioSites)
  }

  package init(_ sources: CatalogueSources, scenarios: [ScenarioSite]) {
    let definition = sources.definition.value
    let exchanges = Dictionary(sources.exchanges.map { ($0.value.name, $0.value) }) { first, _ in first }
    let requirements = sources.requirements.map(\.value).filter { $0.level.isJudged && $0.isTestable }
    let listed = sources.coverage.negativeRequirements.mapValues { Set($0.map(\.value)) }
    let named = sources.coverage.negativeForms.mapValues { Set($0.map(\.value)) }
    let negative = listed.values.reduce(into: Set()) { $0.formUnion($1) }
    var cases: [RequirementID: [NegativeForm: Set<CaseID>]] = [:]
    for site in scenarios {
      for (id, claims) in site.claims where negative.contains(id) {
        let trial = NegativeTrial(site, definition, exchanges, named)
        for form in trial.forms(of: claims) { cases[id, default: [:]][form, default: []].insert(site.located.value.id) }
      }
    }
    let reasons = sources.coverage.negatives.map(\.value)
    grids = NegativeKind.allCases.compactMap { kind in
      let rows = requirements.filter { listed[kind, default: []].contains($0.id) }.map { requirement in
        let ports = definition.ports(of: requirement.role)
        let isSchemed = exchanges.values.contains { ports.downstream.contains($0.service) && $0.hasScheme }
        let cells = kind.forms.map { form in
          form.exists(ports, isSchemed: isSchemed)
            ? CoverageGrid.Cell(count: cases[requirement.id]?[form]?.count ?? 0, reason: nil) : nil
        }
        return CoverageGrid.Row(group: "", name: requirement.id.rawValue, cells: cells)
      }.filter { $0.cells.contains { $0 != nil } }
      let columns = kind.forms.map { CoverageGrid.Column(name: $0.rawValue, heading: $0.rawValue, text: $0.text) }
      let grid = CoverageGrid(columns: columns, rows: rows, unit: "cases")
      return rows.isEmpty ? nil : (kind, grid.explained(by: reasons))
    }
    openCells = grids.flatMap(\.grid.openCells)
  }
}

extension NegativeForm {
  /// Whether a case can try this form on a subject with these ports. The forms of `credential`, `expiry` and
  /// `identifier` need a subject that offers a service, and the form `storage` needs an app.
  fileprivate func exists(_ ports: Ports, isSchemed: Bool) -> Bool {
    switch self {
    case .none, .query, .other, .wrong, .expired, .before, .letters, .twice, .slash: !ports.downstream.isEmpty
    case .scheme, .bare: isSchemed
    case .storage: ports.hasDriver
    case .echo, .user, .id, .second: true
    }
  }
}

extension Requirement.Level {
  /// Whether a subject can violate a requirement of this level.
  fileprivate var isJudged: Bool { self != .observe && self != .may }
}

extension Requirement {
  fileprivate var isTestable: Bool { untestable == nil && withdrawn == nil }
}

extension ScenarioSite {
  /// The assertions of each requirement that the scenario claims.
  fileprivate var claims: [RequirementID: [Claim.Assertion]] {
    Dictionary(grouping: scenario.claims, by: \.requirement).mapValues { $0.map(\.assertion) }
  }
}
