import CommandInterface
import ConformanceModel
import ConformanceReport
import ConformanceRunner
import ConformanceSpec
import ConformanceVerdict
import Records
import TextKit

/// The records of a site: those of its pack, and those of earlier packs, which a history may have.
struct SiteSources {
  let catalogue: Catalogue
  private var runs = SiteRuns()
  private let plans = RecordPlans()
  private let schemas: CatalogueFolder

  init(_ catalogue: Catalogue, schemas: CatalogueFolder) {
    self.catalogue = catalogue
    self.schemas = schemas
  }

  var current: [ParityMatrix.Source] { runs.current }
  var earlier: [ParityMatrix.Source] { runs.earlier }

  /// Adds a record of the pack, and reports why it is not complete.
  mutating func add(_ argument: NamedRecord, trust: TrustOptions) throws {
    let reader = try RunRecordReader(argument.path)
    let (name, known) = (reader.header.protocolName, catalogue.definition.name)
    guard name == known else {
      throw BadInput(
        "'\(argument.path)' is of the protocol '\(name)', and the records before it of '\(known)': write a site for each "
          + "protocol")
    }
    let record = try RunRecord(
      reader, at: argument.path, of: catalogue, schemas: schemas, trust: trust, plans: plans)
    for reason in record.conclusion.reasons { Terminal.error("conform: \(argument.path): \(reason)\n") }
    runs.add(ParityMatrix.Source(record, label: argument.label), isEarlier: false)
  }

  /// Adds the records of a history, without those that were given as files.
  mutating func add(_ exported: ExportedRecords, of history: String) throws {
    let known = Set(current.map(\.record.header))
    for file in exported.files {
      let reader = try RunRecordReader(file)
      if known.contains(reader.header) { continue }
      if reader.header.packDigest == catalogue.digest {
        let record = try RunRecord(reader, at: file, of: catalogue, schemas: schemas, trust: nil, plans: plans)
        runs.add(.init(record), isEarlier: false)
      } else {
        runs.add(.init(try RunRecord(reader)), isEarlier: true)
      }
    }
    guard !earlier.isEmpty else { return }
    let runs = "run".counted(earlier.count)
    Terminal.error("conform: \(history): \(runs) of earlier packs: the matrix does not contain them\n")
  }
}
