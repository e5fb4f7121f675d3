import ConformanceModel

/// The runs of cases that judge each requirement, according to the catalogue.
package struct JudgedRuns: Sendable {
  private let byRequirement: [RequirementID: [CaseID: [CaseInstance]]]

  package init(_ catalogue: Catalogue) {
    var runs: [RequirementID: [CaseID: [CaseInstance]]] = [:]
    for one in catalogue.cases {
      for scenario in one.scenarios {
        for dialect in one.dialects {
          let instance = CaseInstance(id: one.id, row: scenario.row, dialect: dialect)
          let claims = scenario.claims.filter { $0.dialects?.contains(dialect) ?? true }
          for id in Set(claims.map(\.requirement)) { runs[id, default: [:]][one.id, default: []].append(instance) }
        }
      }
    }
    byRequirement = runs
  }

  package func runs(of requirement: RequirementID, in id: CaseID) -> [CaseInstance] {
    byRequirement[requirement]?[id] ?? []
  }

  /// The runs of cases that judge the requirement, fit the pattern and use one of these dialects. If the list of
  /// dialects is empty, runs in any dialect are returned.
  package func runs(
    of requirement: RequirementID, in pattern: CasePattern, _ dialects: [Dialect]
  ) -> [CaseInstance] {
    guard let cases = byRequirement[requirement] else { return [] }
    // The name of a case contains no bracket, and a bracket begins the name of a row.
    let id = CaseID(String(pattern.name.prefix { $0 != "[" }))
    let candidates = pattern.isWide ? cases.values.flatMap(\.self) : cases[id] ?? []
    return candidates.filter { pattern.fits($0) && (dialects.isEmpty || dialects.contains($0.dialect)) }
  }
}
