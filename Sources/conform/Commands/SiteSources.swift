import CommandInterface
import Concurrency
import ConformanceModel
import ConformanceRunner
import ConformanceSpec
import ConformanceVerdict
import Records
import ReportPages
import TextKit

/// The records of a site. Records from files were made with the site's pack. A history can also contain records that
/// were made with earlier packs.
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

  /// Adds records that were made with the site's pack. If a record is incomplete, prints the reasons.
  mutating func add(_ arguments: [NamedRecord], trust: TrustOptions) throws {
    let reading = SiteReading(catalogue: catalogue, schemas: schemas, plans: plans)
    try arguments.readInOrder(reading.record) { argument, record, trusted in
      try trust.accept(trusted)
      for reason in record.conclusion.reasons { Terminal.error("conform: \(argument.path): \(reason)\n") }
      runs.add(ParityMatrix.Source(record, label: argument.label), isEarlier: false)
    }
  }

  /// Adds the records of a history, except those that were already added from files.
  mutating func add(_ exported: ExportedRecords, of history: String) throws {
    let given = Set(current.map(\.record.header))
    let reading = SiteReading(catalogue: catalogue, schemas: schemas, plans: plans, given: given)
    try exported.files.readInOrder(reading.historicRecord) { read in
      guard let (record, isEarlier) = read else { return }
      runs.add(ParityMatrix.Source(record), isEarlier: isEarlier)
    }
    guard !earlier.isEmpty else { return }
    let count = "run".counted(earlier.count)
    Terminal.error("conform: \(history): \(count) of earlier packs: the matrix does not contain them\n")
  }
}

/// Reads records for a site, on several processors at the same time.
private struct SiteReading: Sendable {
  let catalogue: Catalogue
  let schemas: CatalogueFolder
  let plans: RecordPlans
  /// The headers of the records that the site already has.
  var given: Set<RunRecord.Header> = []

  /// Reads a record that was made with the site's pack. If the baseline that the record names is not available, it is
  /// returned, too, since the user must trust it.
  func record(_ argument: NamedRecord) throws -> (NamedRecord, RunRecord, TrustedBaseline?) {
    let reader = try RunRecordReader(argument.path)
    let (name, known) = (reader.header.protocolName, catalogue.definition.name)
    guard name == known else {
      throw BadInput(
        "'\(argument.path)' is of the protocol '\(name)', and the records before it of '\(known)': write a site for each "
          + "protocol")
    }
    let (record, trusted) = try RunRecord.audited(
      reader, at: argument.path, of: catalogue, schemas: schemas, plans: plans)
    return (argument, record, trusted)
  }

  /// Reads a record of a history. Returns nil if the site already has the record. `isEarlier` is true if the record was
  /// made with an earlier pack.
  func historicRecord(_ file: String) throws -> (record: RunRecord, isEarlier: Bool)? {
    let reader = try RunRecordReader(file)
    if given.contains(reader.header) { return nil }
    if reader.header.packDigest != catalogue.digest { return (try RunRecord(reader), true) }
    return (try RunRecord(reader, at: file, of: catalogue, schemas: schemas, trust: nil, plans: plans), false)
  }
}

extension Array where Element: Sendable {
  /// Reads the files on all processors, and passes the results to `take` in the order of the files. It reads a few
  /// files at a time, so that only a few results are in memory.
  fileprivate func readInOrder<Value: Sendable>(
    _ read: @Sendable (Element) throws -> Value, _ take: (Value) throws -> Void
  ) throws {
    let atOnce = 16
    for start in stride(from: 0, to: count, by: atOnce) {
      let some = self[start..<Swift.min(start + atOnce, count)]
      for result in some.concurrentMap({ file in Result { try read(file) } }) { try take(result.get()) }
    }
  }
}
