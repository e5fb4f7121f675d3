import CommandInterface
import ConformanceModel
import ConformanceReport
import ConformanceSpec
import ConformanceVerdict
import Records

/// The records of a site: those of its pack, and those of earlier packs, which a history may have.
struct SiteSources {
  let catalogue: Catalogue
  private(set) var current: [ParityMatrix.Source] = []
  private(set) var earlier: [ParityMatrix.Source] = []
  private let schemas: CatalogueFolder

  init(_ catalogue: Catalogue, schemas: CatalogueFolder) {
    self.catalogue = catalogue
    self.schemas = schemas
  }

  /// Adds a record of the pack, and reports why it is not complete.
  mutating func add(_ argument: NamedRecord, trust: TrustOptions) throws {
    let record = try RunRecord(readingFrom: argument.path, of: catalogue, schemas: schemas, trust: trust)
    for reason in record.conclusion.reasons { Terminal.error("conform: \(argument.path): \(reason)\n") }
    current.append(ParityMatrix.Source(record, label: argument.label))
  }

  /// Adds the records of a history, without those that were given as files.
  mutating func add(_ exported: ExportedRecords, of history: String) throws {
    let known = Set(current.map(\.record.header))
    for file in exported.files {
      let reader = try RunRecordReader(file)
      if known.contains(reader.header) { continue }
      if reader.header.packDigest == catalogue.digest {
        current.append(.init(try RunRecord(reader, at: file, of: catalogue, schemas: schemas, trust: nil)))
      } else {
        earlier.append(.init(try RunRecord(reader)))
      }
    }
    guard !earlier.isEmpty else { return }
    let runs = "run".counted(earlier.count)
    Terminal.error("conform: \(history): \(runs) of earlier packs: the matrix does not contain them\n")
  }
}
