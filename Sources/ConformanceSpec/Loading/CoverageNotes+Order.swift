import ConformanceModel

extension CoverageNotes {
  /// Maps each requirement to a number, by which requirements are sorted in the order of the documents. A requirement
  /// takes the place of the first sentence in `coverage.yaml` that lists it. If no sentence lists it, it comes after
  /// the sentences of the section that it cites. It has no number if `coverage.yaml` does not list this section.
  package func order(of requirements: [Requirement]) -> [RequirementID: Int] {
    let citing = Dictionary(grouping: requirements.flatMap { one in one.places.map { ($0, one.id) } }) { $0.0 }
    let named = documents.map(\.value).flatMap { document in
      document.sections.map { section in
        (
          sentences: section.sentences.flatMap(\.rules),
          section: citing[SourcePlace(document: document.name, section: section.name), default: []].map(\.1)
        )
      }
    }
    let stated = Set(named.flatMap(\.sentences))
    let inOrder = named.flatMap { $0.sentences + $0.section.filter { !stated.contains($0) } }
    return Dictionary(inOrder.enumerated().map { ($1, $0) }) { first, _ in first }
  }
}
