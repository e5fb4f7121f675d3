import ArgumentParser
import Certification
import CommandInterface
import Files
import JSONKit
import Records
import Templates
import TextKit

/// `conform challenge`: makes the file from which a run has to take its seed.
struct ChallengeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "challenge",
    abstract: "Makes a challenge, which proves that a run began after it.",
    discussion: """
      Examples:
        conform challenge new --output challenge.json --key certifier.pem
        conform run --sdk ./adapter --challenge challenge.json
        conform verify sdk.conformance.tar --key certifier.pub --challenge challenge.json
      """,
    subcommands: [New.self])

  /// `conform challenge new`.
  struct New: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Writes a new challenge.")

    @Option(help: ArgumentHelp("The file of the challenge; it must not exist.", valueName: "file"))
    var output: String

    @Option(help: ArgumentHelp("The private key that signs the challenge.", valueName: "file"))
    var key: String?

    @OptionGroup var passphraseOptions: PassphraseOptions

    @Option(help: ArgumentHelp("The minutes within which a run may begin.", valueName: "minutes"))
    var valid = 10_080

    func validate() throws {
      guard (1...525_600).contains(valid) else {
        throw ValidationError("--valid expects 1 to 525600 minutes, found \(valid)")
      }
    }

    func run() throws {
      let challenge = Challenge(issued: .now, validMinutes: valid)
      var envelope = Envelope(
        type: Challenge.payloadType, payload: Array(challenge.representation.compactText.utf8))
      if let key { try envelope.sign(with: passphraseOptions.signingKey(key)) }
      try NewFile.write(Array((envelope.representation.compactText + "\n").utf8), to: output, mode: 0o644)
      Terminal.output("wrote \(output): a run may begin until \(challenge.expires.text)\n")
    }
  }
}

/// A file with a challenge.
struct ChallengeFile {
  let path: String
  let challenge: Challenge
  let envelope: Envelope

  /// Reads a challenge. Throws ``BadInput`` for what is not one.
  init(_ path: String) throws {
    self.path = path
    let bytes = try InputFile.contents(of: path, atMost: 1 << 16)
    do {
      envelope = try Envelope(JSONField(JSON(parsing: bytes)), type: Challenge.payloadType)
      challenge = try Challenge(JSONField(JSON(parsing: envelope.payload)))
    } catch {
      throw BadInput("\(path): expected a challenge of 'conform challenge new': \(error)")
    }
  }

  /// The seed of a run that begins now.
  func seed(at now: Timestamp) throws(BadInput) -> UInt64 {
    guard now.milliseconds < challenge.expires.milliseconds else {
      throw BadInput("\(path): the challenge expired at \(challenge.expires.text): ask the certifier for a new one")
    }
    guard now.milliseconds >= challenge.issued.milliseconds else {
      throw BadInput("\(path): the challenge is from \(challenge.issued.text), which is in the future: check the clock")
    }
    return challenge.seed
  }
}
