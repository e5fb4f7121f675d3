import CommandInterface
import ConformanceModel
import ConformanceRunner
import ConformanceSpec
import ConformanceVerdict
import Files
import JSONKit
import Records

extension RecordAudit {
  /// Audits a record against its catalogue, and against the baseline of its run if that file is still available.
  package init(
    of header: RunRecord.Header, at record: String, _ catalogue: Catalogue, schemas: CatalogueFolder,
    plans: RecordPlans = RecordPlans()
  ) throws {
    let baseline = try header.baseline.flatMap {
      try Self.baseline($0, beside: record, catalogue, schemas: schemas)
    }
    self.init(catalogue, baseline: baseline, plans: plans)
  }

  /// If the baseline of the run is not available: its name, and the number of verdicts so far that depend on it. Nil if
  /// no verdict depends on it.
  package func trustedBaseline(of header: RunRecord.Header, at record: String) -> TrustedBaseline? {
    guard unconfirmed > 0, let named = header.baseline else { return nil }
    return TrustedBaseline(record: record, baseline: named.file, verdicts: unconfirmed)
  }

  /// The baseline whose digest is in the record. It is looked for at the path that it had in the run, and in the folder
  /// of the record. Nil if it is not found. A path in a record may name any file, so only a regular file is read.
  private static func baseline(
    _ named: RunRecord.Header.FileDigest, beside record: String, _ catalogue: Catalogue, schemas: CatalogueFolder
  ) throws -> Baseline? {
    let (own, folder) = (PathParts(named.file), PathParts(record).folder)
    let below = own.folder.hasPrefix("/") ? [] : ["\(folder)/\(own.folder)"]
    for place in [own.folder] + below + [folder] {
      guard var input = try? InputFile(own.name, in: place), let bytes = try? input.contents(atMost: Bounds.fileBytes)
      else { continue }
      let file = try? BaselineFile(bytes, file: "\(place)/\(own.name)", schemas: schemas, catalogue)
      if let file, file.digest == named.digest { return file.baseline }
    }
    return nil
  }
}

extension RunRecord {
  /// Reads a record that was made with this catalogue. Throws for a record of a different catalogue.
  ///
  /// - Parameter trust: decides whether to accept a record whose baseline is not available. If nil, each such record is
  ///   accepted.
  package init(
    readingFrom path: String, of catalogue: Catalogue, schemas: CatalogueFolder, trust: TrustOptions?
  ) throws {
    try self.init(RunRecordReader(path), at: path, of: catalogue, schemas: schemas, trust: trust)
  }

  /// Reads the rest of a record that was made with this catalogue. A reader has already read the header, since a pipe
  /// can be read only once.
  package init(
    _ reader: consuming RunRecordReader, at path: String, of catalogue: Catalogue, schemas: CatalogueFolder,
    trust: TrustOptions?, plans: RecordPlans = RecordPlans()
  ) throws {
    let (record, trusted) = try Self.audited(reader, at: path, of: catalogue, schemas: schemas, plans: plans)
    self = record
    try trust?.accept(trusted)
  }

  /// Reads the rest of a record that was made with this catalogue. `trusted` names the baseline of the record if a
  /// verdict depends on it and it is not available; otherwise it is nil.
  package static func audited(
    _ reader: consuming RunRecordReader, at path: String, of catalogue: Catalogue, schemas: CatalogueFolder,
    plans: RecordPlans
  ) throws -> (record: RunRecord, trusted: TrustedBaseline?) {
    var audit = try RecordAudit(of: reader.header, at: path, catalogue, schemas: schemas, plans: plans)
    let record = try RunRecord(reader) { (line) throws(JSONField.Problem) in try audit.take(line) }
    return (record, audit.trustedBaseline(of: record.header, at: path))
  }
}
