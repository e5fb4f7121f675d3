import ConformanceSpec
import Files

extension CatalogueOptions {
  /// Replaces the content of a file that is outside of the catalogue.
  package func rewrite(_ path: String, as text: String) throws {
    let parts = PathParts(path)
    try CatalogueFolder(root: parts.folder).write(text, to: parts.name)
  }
}
