import ConformanceModel

/// What a run will do, decided before anything is touched: every run of a case, in a fixed order.
package struct Plan: Sendable {
  /// One run of a case.
  package struct Item: Sendable {
    package var testCase: Case
    package var scenario: Case.Scenario
    package var instance: CaseInstance
    /// The requirements it will give a verdict on.
    package var requirements: [Requirement]
  }

  package var items: [Item]

  /// The runs that a selection picks, sorted by name and dialect. An unknown word or an empty result is an error.
  package init(catalogue: Catalogue, selection: Selection) throws(SelectionError) {
    try selection.check(against: catalogue)
    items = catalogue.cases.flatMap { one in
      one.scenarios.flatMap { scenario in
        one.dialects.compactMap { dialect in
          Self.item(one, scenario, dialect, catalogue: catalogue, selection: selection)
        }
      }
    }
    // Each name is spelled once, not at every comparison.
    items = items.map { ("\($0.instance)", $0) }.sorted { $0.0 < $1.0 }.map(\.1)
    if items.isEmpty {
      throw SelectionError("the selection holds no case: each word is known, but no case fits them all")
    }
  }

  private static func item(
    _ one: Case, _ scenario: Case.Scenario, _ dialect: Dialect, catalogue: Catalogue, selection: Selection
  ) -> Item? {
    let instance = CaseInstance(id: one.id, row: scenario.row, dialect: dialect)
    guard selection.includes(one, instance) else { return nil }
    var wanted: [Requirement] = []
    for claim in scenario.claims where claim.dialects?.contains(dialect) ?? true {
      guard !wanted.contains(where: { $0.id == claim.requirement }),
        let requirement = catalogue.requirement(claim.requirement),
        requirement.withdrawn == nil, selection.includes(requirement)
      else { continue }
      wanted.append(requirement)
    }
    return wanted.isEmpty ? nil : Item(testCase: one, scenario: scenario, instance: instance, requirements: wanted)
  }
}
