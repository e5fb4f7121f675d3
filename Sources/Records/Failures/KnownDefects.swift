import ConformanceModel
import ConformanceVerdict

/// The defects of a catalogue, by the run of a case that must detect them.
package struct KnownDefects: Sendable {
  private let defects: [String: [Defect]]
  /// Maps each requirement to the defects that violate it, directly or as a consequence.
  private let causes: [RequirementID: Set<DefectID>]

  package init(of catalogue: Catalogue) {
    causes = catalogue.defects.reduce(into: [:]) { causes, defect in
      for rule in defect.accountable { causes[rule, default: []].insert(defect.id) }
    }
    defects = Dictionary(grouping: catalogue.defects.filter { $0.caseName != nil }) { $0.caseName ?? "" }
  }

  /// The largest number of similar defects that a card names. If more defects are similar, the card names none.
  private static let mostGuesses = 2

  /// The defects whose violations in the proof had the same shape as this verdict. Empty if there are more than
  /// ``mostGuesses``. Also empty if any other defect violates the requirement, since it could be the cause as well.
  package func alike(_ verdict: Verdict) -> [Defect] {
    guard case .violates(let findings) = verdict.outcome else { return [] }
    let shape = findings.shape
    let alike = defects[verdict.instance.name, default: []].filter {
      $0.breaks.contains(verdict.requirement) && $0.mustSurvive == nil && $0.shapes.contains(shape)
    }
    let isCertain = causes[verdict.requirement, default: []].isSubset(of: alike.map(\.id))
    return isCertain && alike.count <= Self.mostGuesses ? alike : []
  }
}
