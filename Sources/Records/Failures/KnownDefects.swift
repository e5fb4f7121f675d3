import ConformanceModel

/// The defects of a catalogue by the run of a case that is there to notice them.
package struct KnownDefects: Sendable {
  private let defects: [String: [Defect]]

  package init(of catalogue: Catalogue) {
    defects = Dictionary(grouping: catalogue.defects.filter { $0.caseName != nil }) { $0.caseName ?? "" }
  }

  /// More defects than these that look the same say nothing.
  private static let mostGuesses = 2

  /// The defects that a violation of a requirement in a run of a case looks like; none if there are too many.
  package func alike(_ requirement: RequirementID, in instance: CaseInstance) -> [Defect] {
    let alike = defects[instance.name, default: []].filter { $0.breaks.contains(requirement) && $0.mustSurvive == nil }
    return alike.count > Self.mostGuesses ? [] : alike
  }
}
