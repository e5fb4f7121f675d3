import ConformanceModel
import ConformanceReport
import ConformanceRunner
import ConformanceSpec
import JSONKit

extension RecordAudit {
  /// The audit of a record by its catalogue, and by the baseline of its run if that file is still available. Otherwise
  /// it prints a warning that the dispositions of known violations are not checked.
  init(of header: RunRecord.Header, at record: String, _ catalogue: Catalogue, schemas: CatalogueFolder) throws {
    let baseline = try header.baseline.flatMap {
      try Self.baseline($0, beside: record, catalogue, schemas: schemas)
    }
    if let named = header.baseline, baseline == nil {
      Terminal.error(
        "conform: \(record): the baseline '\(named.file)' of its run is not here, or is another today: what the record "
          + "says of it is taken on trust\n")
    }
    self.init(catalogue, baseline: baseline)
  }

  /// The baseline with the digest in the record. It is searched at its path in the run and beside the record.
  private static func baseline(
    _ named: RunRecord.Header.FileDigest, beside record: String, _ catalogue: Catalogue, schemas: CatalogueFolder
  ) throws -> Baseline? {
    let folder = record.lastIndex(of: "/").map { String(record[...$0]) } ?? ""
    let name = named.file.split(separator: "/").last.map(String.init) ?? named.file
    for path in [named.file, folder + named.file, folder + name] {
      guard let bytes = try? InputFile.contents(of: path, atMost: Bounds.fileBytes) else { continue }
      let file = try? BaselineFile(bytes, file: path, schemas: schemas, catalogue)
      if let file, file.digest == named.digest { return file.baseline }
    }
    return nil
  }
}

extension RunRecord {
  /// Reads a record that was made with this catalogue, and refuses any other.
  init(readingFrom path: String, of catalogue: Catalogue, schemas: CatalogueFolder) throws {
    try self.init(RunRecordReader(path), at: path, of: catalogue, schemas: schemas)
  }

  /// Reads the rest of a record that was made with this catalogue. The record may be a pipe, which cannot be read
  /// twice.
  init(
    _ reader: consuming RunRecordReader, at path: String, of catalogue: Catalogue, schemas: CatalogueFolder
  ) throws {
    var audit = try RecordAudit(of: reader.header, at: path, catalogue, schemas: schemas)
    try self.init(reader) { (line) throws(JSONField.Problem) in try audit.take(line) }
  }
}
