import Certification
import Files
import JSONKit
import Records
import Templates
import TextKit

/// A file with a challenge.
package struct ChallengeFile {
  /// The path of the file, for messages.
  let path: String
  package let challenge: Challenge
  let envelope: Envelope
  /// The content of the file.
  package let bytes: [UInt8]

  /// Reads a challenge. Throws ``BadInput`` if the file contains something else.
  package init(_ path: String) throws { try self.init(InputFile.contents(of: path, atMost: 1 << 16), at: path) }

  init(_ bytes: [UInt8], at path: String) throws(BadInput) {
    self.path = path
    self.bytes = bytes
    do {
      envelope = try Envelope(JSONField(JSON(parsing: bytes)), type: Challenge.payloadType)
      challenge = try Challenge(JSONField(JSON(parsing: envelope.payload)))
    } catch {
      throw BadInput("\(path): expected a challenge of 'conform challenge new': \(error)")
    }
  }

  /// A new challenge, signed if `key` is not nil.
  package init(issued: Timestamp, validMinutes: Int, signedBy key: SigningKey?) throws(KeyProblem) {
    path = BundleName.challenge
    challenge = Challenge(issued: issued, validMinutes: validMinutes)
    var envelope = Envelope(type: Challenge.payloadType, payload: Array(challenge.representation.compactText.utf8))
    if let key { try envelope.sign(with: key) }
    self.envelope = envelope
    bytes = envelope.file
  }

  /// The seed that the challenge gives to a run that begins now. Throws if the challenge has expired or is from the
  /// future.
  package func seed(at now: Timestamp) throws(BadInput) -> UInt64 {
    guard now.milliseconds < challenge.expires.milliseconds else {
      throw BadInput("\(path): the challenge expired at \(challenge.expires.text): ask the certifier for a new one")
    }
    guard now.milliseconds >= challenge.issued.milliseconds else {
      throw BadInput("\(path): the challenge is from \(challenge.issued.text), which is in the future: check the clock")
    }
    return challenge.seed
  }
}
