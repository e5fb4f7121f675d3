import ConformanceModel
import ConformanceSpec
import ConformanceTranscript
import ConformanceVerdict
import Files
import Records

/// The folder with the evidence of a record.
///
/// A record may come from an untrusted source, so its paths must not lead to files outside of this folder. The kit uses
/// only the last part of each path, as the name of a regular file in this folder.
package struct EvidenceFolder {
  package let path: String
  /// Reads the file with this name, and returns nil for an unknown name. If the evidence is in a folder on disk, the
  /// closure itself is nil.
  private let read: (@Sendable (String) throws(FileProblem) -> [UInt8]?)?

  /// Uses the folder `evidence` beside the record, and not the paths in the record. After the record was moved, those
  /// paths could lead to the evidence of another run.
  package init(record: String) {
    self.init((record.lastIndex(of: "/").map { String(record[...$0]) } ?? "") + "evidence")
  }

  package init(_ path: String) { (self.path, read) = (path, nil) }

  /// Creates evidence that is not in a folder on disk. Messages name it by `path`.
  package init(_ path: String, read: @escaping @Sendable (String) throws(FileProblem) -> [UInt8]?) {
    (self.path, self.read) = (path, read)
  }

  /// The content of a file of evidence.
  package struct File {
    package var path: String
    package var bytes: [UInt8]

    package var digest: String { Digest.of(bytes) }

    package func transcript() throws -> TranscriptFile { try TranscriptFile(bytes, of: path) }
  }

  /// The file of evidence with this name; nil if the folder does not contain it. Throws ``FileProblem`` for a link, a
  /// pipe, a device, or a file that is longer than any file of evidence that a run writes.
  package func file(_ name: String) throws(FileProblem) -> File? {
    let last = String(name.split(separator: "/", omittingEmptySubsequences: false).last ?? "")
    if let read { return try read(last).map { File(path: "\(path)/\(last)", bytes: $0) } }
    do throws(FileProblem) {
      var file = try InputFile(last, in: path)
      return File(path: "\(path)/\(last)", bytes: try file.contents(atMost: Bounds.transcriptBytes))
    } catch {
      if error.isAbsence { return nil }
      throw error
    }
  }

  /// The transcript of a run of a case; nil if its file is missing, is invalid, or does not have the recorded digest.
  package func transcript(of run: RunRecord.CaseRun) -> Transcript? {
    guard let name = run.evidence, let file = try? file(name), file.digest == run.evidenceDigest else { return nil }
    return try? file.transcript().transcript
  }
}
