import ArgumentParser
import Audit
import CommandInterface
import ConformanceModel
import ConformanceSpec
import ConformanceVerdict

/// Reads the records and baselines for the commands about baselines.
struct BaselineOptions: ParsableArguments {
  @OptionGroup var catalogueOptions: CatalogueOptions

  func file(_ path: String, _ catalogue: Catalogue) throws -> BaselineFile {
    try BaselineFile(readingFrom: path, schemas: catalogueOptions.schemaFolder, catalogue)
  }

  /// Reads a record that was made with the catalogue. Prints a warning if the record is incomplete.
  func record(_ path: String, _ catalogue: Catalogue) throws -> RunRecord {
    let record = try RunRecord(readingFrom: path, of: catalogue, schemas: catalogueOptions.schemaFolder, trust: nil)
    for reason in record.conclusion.reasons { Terminal.error("conform: \(path): \(reason)\n") }
    return record
  }

  /// Writes a baseline to its file, in canonical form.
  func write(_ baseline: Baseline, to path: String) throws {
    try catalogueOptions.rewrite(path, as: baseline.text)
  }
}
