import ConformanceModel

/// The name of a document, and the name of one of its sections.
package struct SourcePlace: Hashable {
  package var document: String
  package var section: String

  package init(document: String, section: String) {
    (self.document, self.section) = (document, section)
  }
}

extension Requirement {
  /// The sections that a requirement cites. The `section` of a source may name several sections, separated by commas.
  package var places: [SourcePlace] {
    let names = source.section.split(separator: ", ").map(String.init)
    let isList = names.allSatisfy { $0.count <= 3 }
    return (isList ? names : [source.section]).map { SourcePlace(document: source.document, section: $0) }
  }
}
