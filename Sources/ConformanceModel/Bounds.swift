/// How much is taken from outside: every figure at which something that others sent or wrote is refused or cut, with a
/// sentence that says so. What one message of the wire or of an adapter may hold stands with its reader.
package enum Bounds {
  /// The largest file of data, in bytes: a hundred times what a person writes.
  package static let fileBytes = 16 << 20
  /// How many files a pack has, and how many bytes together.
  package static let packFiles = 5_000
  package static let packBytes = 256 << 20
  /// The longest line of a record or a transcript, in bytes: one that holds all evidence of a case, escaped.
  package static let lineBytes = 64 << 20

  /// The longest text of a provisioning file once the environment is put in, in bytes: a third of what a program takes as
  /// an argument.
  package static let provisioningTextBytes = 40 << 10

  /// The longest text in `hello`, and how many capabilities, dialects and declared values it names.
  package static let helloText = 200
  package static let helloNames = 500

  /// What the evidence of one case keeps, in bytes; that of the cases under way together, which lies in memory; and that
  /// of a run, which lies on the disk.
  package static let caseEvidenceBytes = 8 << 20
  package static let heldEvidenceBytes = 48 << 20
  package static let runEvidenceBytes = 2 << 30
}
