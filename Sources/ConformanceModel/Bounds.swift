/// The limits of input. If input exceeds a limit, the kit rejects or truncates the input, and reports this. The limits
/// for a single message from the wire or from an adapter are not here, but in the code that reads the message.
package enum Bounds {
  /// The largest data file, in bytes: a hundred times the size of a file that a person writes.
  package static let fileBytes = 16 << 20
  /// The largest number of files in a pack, and their largest total size in bytes.
  package static let packFiles = 5_000
  package static let packBytes = 256 << 20
  /// The longest line of a record or a transcript, in bytes. A line can contain all evidence of a case in escaped form.
  package static let lineBytes = 64 << 20

  /// The longest text of a provisioning file, in bytes, after environment variables are filled in. It is a third of the
  /// longest argument that a program can have.
  package static let provisioningTextBytes = 40 << 10

  /// The limits for an adapter's reply to `hello`: the longest text in characters, and the largest number of
  /// capabilities, of dialects and of declared values.
  package static let helloText = 200
  package static let helloNames = 500

  /// The longest name of a subject in a record or a transcript, in characters. It may consist of several host names.
  package static let recordedName = 4_000

  /// The largest size of evidence in bytes: of one case, of all running cases (in memory), and of a run (on disk).
  package static let caseEvidenceBytes = 8 << 20
  package static let heldEvidenceBytes = 48 << 20
  package static let runEvidenceBytes = 2 << 30
  /// The largest file with a transcript, in bytes: the evidence of one case, in which each byte may need an escape.
  package static let transcriptBytes = 64 << 20
}
