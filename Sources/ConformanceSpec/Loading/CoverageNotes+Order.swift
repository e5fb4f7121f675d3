import ConformanceModel

extension CoverageNotes {
  /// The places of the requirements in the documents. A requirement has the place of the first sentence that it is
  /// based on. A requirement that cites a section without such a sentence comes after the sentences of this section. A
  /// requirement of a section that is not listed has no place.
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
