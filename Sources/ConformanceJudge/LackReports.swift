import ConformanceModel

/// Selects the verdicts that report that a subject lacks a capability.
///
/// In each dialect, only one case reports that a missing capability violates a requirement, even if several cases need
/// the capability. It is the first case of the catalogue that needs the capability and makes a claim about the
/// requirement. The choice depends on the catalogue alone. So the verdict of a case does not depend on the other cases
/// that a run selects. Source: `spec/kit/adapter-protocol.md`, Capabilities.
struct LackReports: Sendable {
  private struct Key: Hashable {
    var capability: String
    var requirement: RequirementID
    var dialect: Dialect
  }

  private struct Place: Hashable {
    var id: CaseID
    var row: String?
  }

  private var places: [Key: Place] = [:]

  init(_ catalogue: Catalogue) {
    let listed = catalogue.definition.capabilities.filter { $0.isRequired && !$0.requirements.isEmpty }
    for one in catalogue.cases {
      for capability in listed where one.needs.contains(capability.name) {
        for scenario in one.scenarios {
          for claim in scenario.claims where capability.requirements.contains(claim.requirement) {
            for dialect in one.dialects where claim.dialects?.contains(dialect) ?? true {
              let key = Key(capability: capability.name, requirement: claim.requirement, dialect: dialect)
              if places[key] == nil { places[key] = Place(id: one.id, row: scenario.row) }
            }
          }
        }
      }
    }
  }

  /// The capability in `lacking` that the verdict on this requirement in this case reports; nil if it reports none.
  func lack(in instance: CaseInstance, of requirement: RequirementID, lacking: [String]) -> String? {
    lacking.first { capability in
      places[Key(capability: capability, requirement: requirement, dialect: instance.dialect)]
        == Place(id: instance.id, row: instance.row)
    }
  }
}
