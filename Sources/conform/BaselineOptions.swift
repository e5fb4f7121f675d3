import ArgumentParser
import ConformanceModel
import ConformanceReport
import ConformanceSpec

/// Reads the records and baselines that the commands about baselines are given.
struct BaselineOptions: ParsableArguments {
  @OptionGroup var catalogueOptions: CatalogueOptions

  /// The baseline in a file.
  func file(_ path: String, _ catalogue: Catalogue) throws -> BaselineFile {
    try BaselineFile(readingFrom: path, schemas: catalogueOptions.schemaFolder, catalogue)
  }

  /// A record of the catalogue. One that is incomplete is told of.
  func record(_ path: String, _ catalogue: Catalogue) throws -> RunRecord {
    let record = try RunRecord(readingFrom: path, of: catalogue, schemas: catalogueOptions.schemaFolder)
    for reason in record.conclusion.reasons { Terminal.error("conform: \(path): \(reason)\n") }
    return record
  }

  /// Puts a baseline in its file, in canonical form.
  func write(_ baseline: Baseline, to path: String) throws {
    try catalogueOptions.rewrite(path, as: baseline.text)
  }
}

extension CatalogueOptions {
  /// Puts this text in a file outside the catalogue.
  func rewrite(_ path: String, as text: String) throws {
    let slash = path.lastIndex(of: "/")
    let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
    try CatalogueFolder(root: folder).write(text, to: name)
  }
}
