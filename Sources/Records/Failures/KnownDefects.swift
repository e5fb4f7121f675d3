import ConformanceModel
import ConformanceVerdict

/// The defects of a catalogue by the run of a case that is there to notice them.
package struct KnownDefects: Sendable {
  private let defects: [String: [Defect]]

  package init(of catalogue: Catalogue) {
    defects = Dictionary(grouping: catalogue.defects.filter { $0.caseName != nil }) { $0.caseName ?? "" }
  }

  /// More defects than these that look the same say nothing.
  private static let mostGuesses = 2

  /// The defects that showed the same in the proof as a violated verdict does; none if there are too many.
  package func alike(_ verdict: Verdict) -> [Defect] {
    guard case .violates(let findings) = verdict.outcome else { return [] }
    let shape = findings.shape
    let alike = defects[verdict.instance.name, default: []].filter {
      $0.breaks.contains(verdict.requirement) && $0.mustSurvive == nil && $0.shapes.contains(shape)
    }
    return alike.count > Self.mostGuesses ? [] : alike
  }
}
