import ConformanceSpec
import Files

extension CatalogueOptions {
  /// Writes a text to a file outside of the catalogue.
  package func rewrite(_ path: String, as text: String) throws {
    let parts = PathParts(path)
    try CatalogueFolder(root: parts.folder).write(text, to: parts.name)
  }
}
