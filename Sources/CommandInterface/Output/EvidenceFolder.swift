import ConformanceModel
import ConformanceSpec
import ConformanceTranscript
import ConformanceVerdict
import Files
import Records

/// The folder with the evidence of a record.
///
/// A record may come from anybody, so it does not decide which file is read. Of each path in it only the last part
/// counts, as the name of a regular file in this folder.
package struct EvidenceFolder {
  package let path: String

  /// The folder `evidence` beside the record's file. A record that was moved is thus not compared with the evidence of
  /// another run.
  package init(record: String) {
    path = (record.lastIndex(of: "/").map { String(record[...$0]) } ?? "") + "evidence"
  }

  package init(_ path: String) { self.path = path }

  /// The bytes of a transcript.
  package struct File {
    package var path: String
    package var bytes: [UInt8]

    package var digest: String { Digest.of(bytes) }

    package func transcript() throws -> TranscriptFile { try TranscriptFile(bytes, of: path) }
  }

  /// The file of evidence that a record names; nil if the folder has no such file. Throws ``FileProblem`` for a link, a
  /// pipe, a device and a file that is longer than a run writes.
  package func file(_ name: String) throws(FileProblem) -> File? {
    let last = String(name.split(separator: "/", omittingEmptySubsequences: false).last ?? "")
    do throws(FileProblem) {
      var file = try InputFile(last, in: path)
      return File(path: "\(path)/\(last)", bytes: try file.contents(atMost: Bounds.transcriptBytes))
    } catch {
      if error.isAbsence { return nil }
      throw error
    }
  }

  /// The evidence of a run of a case; nil if it is missing, or does not have the recorded digest.
  package func transcript(of run: RunRecord.CaseRun) -> Transcript? {
    guard let name = run.evidence, let file = try? file(name), file.digest == run.evidenceDigest else { return nil }
    return try? file.transcript().transcript
  }
}
