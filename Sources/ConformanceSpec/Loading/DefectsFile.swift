import ConformanceModel

/// Reads defects and variants that stand outside a catalogue: those that somebody else's honest subject can switch on.
package struct DefectsFile: Sendable {
  private let sources: CatalogueSources
  private let schemas: SchemaSet

  /// `sources` are those of the catalogue that the defects speak of; `schemas` is the folder with the published schemas.
  package init(_ sources: CatalogueSources, schemas: CatalogueFolder) throws(CatalogueError) {
    self.sources = sources
    self.schemas = try SchemaSet(schemas)
  }

  /// What stands in a file, once it is known to fit the catalogue.
  package func read(_ path: String) throws(CatalogueError) -> (defects: [Located<Defect>], variants: [Variant]) {
    let slash = path.lastIndex(of: "/")
    let folder = CatalogueFolder(root: slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? ".")
    let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
    let file = SpecFile(kind: .defects, path: name, place: path)
    let part = try SpecFileReader(folder: folder, schemas: schemas)
      .part(of: file, definition: sources.definition.value, CaseVocabulary())
    try check(part, file.place)
    return (part.defects, part.variants.map(\.value))
  }

  /// Holds the file against the catalogue as if it stood in the place of the catalogue's own defects.
  private func check(_ part: CatalogueSources.Part, _ file: String) throws(CatalogueError) {
    var whole = sources
    (whole.defects, whole.variants) = (part.defects, part.variants)
    let found = Linter(whole).diagnostics().filter { $0.file == file && $0.severity == .error }
    guard found.isEmpty else { throw CatalogueError(found) }
  }
}
