import ConformanceModel
import ConformanceSpec
import SpecDocuments

/// Reads files outside a catalogue that describe a third-party conforming subject: the defects and variants that the
/// subject can switch on, and the reasons why some changes of its behaviour need no claim.
package struct ProofFile: Sendable {
  private let sources: CatalogueSources
  private let schemas: SchemaSet

  /// `sources` are the sources of the catalogue that the files refer to; `schemas` is the folder with the published
  /// JSON schemas.
  package init(_ sources: CatalogueSources, schemas: CatalogueFolder) throws(CatalogueError) {
    self.sources = sources
    self.schemas = try SchemaSet(schemas)
  }

  /// The defects and variants in a file that has the format of the files in `spec/<protocol>/defects/`. Throws if they
  /// do not fit the catalogue.
  package func switches(_ path: String) throws(CatalogueError) -> (defects: [Located<Defect>], variants: [Variant]) {
    let part = try read(path, as: .defects)
    try check(part, path)
    return (part.defects, part.variants.map(\.value))
  }

  /// The reasons in a file that has the format of `spec/<protocol>/mutants.yaml`.
  package func equivalentMutants(_ path: String) throws(CatalogueError) -> [EquivalentMutant] {
    try read(path, as: .mutants).equivalentMutants.map(\.value)
  }

  private func read(_ path: String, as kind: SpecFileKind) throws(CatalogueError) -> CatalogueSources.Part {
    let slash = path.lastIndex(of: "/")
    let folder = CatalogueFolder(root: slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? ".")
    let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
    return try SpecFileReader(folder: folder, schemas: schemas)
      .part(of: SpecFile(kind: kind, path: name, place: path), definition: sources.definition.value, CaseVocabulary())
  }

  /// Checks the file against the catalogue, as if it replaced the catalogue's own defects.
  private func check(_ part: CatalogueSources.Part, _ file: String) throws(CatalogueError) {
    var whole = sources
    (whole.defects, whole.variants) = (part.defects, part.variants)
    let found = Linter(whole).diagnostics().filter { $0.file == file && $0.severity == .error }
    guard found.isEmpty else { throw CatalogueError(found) }
  }
}
