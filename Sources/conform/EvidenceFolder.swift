import ConformanceModel
import ConformanceReport
import ConformanceSpec
import FoundationEssentials

/// The folder with the evidence of a record.
struct EvidenceFolder {
  /// The record's file.
  let record: String

  /// The file of evidence that a record names; nil if there is none. A file beside the record comes first, so that a
  /// record that was moved is not compared with the evidence of another run.
  func path(of name: String) -> String? {
    let folder = record.lastIndex(of: "/").map { String(record[...$0]) } ?? ""
    let last = name.lastIndex(of: "/").map { String(name[name.index(after: $0)...]) } ?? name
    let candidates = ["\(folder)evidence/\(last)"] + (name.hasPrefix("/") ? [] : [folder + name]) + [name]
    return candidates.first { FileManager.default.fileExists(atPath: $0) }
  }

  /// The evidence of a run of a case; nil if it is missing, or does not have the recorded digest.
  func transcript(of run: RunRecord.CaseRun) -> Transcript? {
    guard let name = run.evidence, let path = path(of: name),
      let digest = try? Self.digest(of: path), digest == run.evidenceDigest
    else { return nil }
    return try? TranscriptFile(readingFrom: path).transcript
  }

  /// The digest of a file, read piece by piece.
  static func digest(of path: String) throws -> String {
    var file = try InputFile(path)
    var digest = Digest()
    while case let piece = try file.read(), !piece.isEmpty { digest.take(piece) }
    return digest.text
  }
}
