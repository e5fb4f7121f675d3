import ArgumentParser
import Audit
import Certification
import CommandInterface
import Files
import Templates

/// `conform challenge`: creates the file from which a run must take its seed.
package struct ChallengeCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "challenge",
    abstract: "Makes a challenge, which proves that a run began after the challenge was made.",
    discussion: """
      Examples:
        conform challenge new --output challenge.json --key certifier.pem
        conform run --sdk ./adapter --challenge challenge.json
        conform verify sdk.conformance.tar --key certifier.pub \\
          --challenge challenge.json
      """,
    subcommands: [New.self])

  package init() {}

  /// `conform challenge new`.
  struct New: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Writes a new challenge.")

    @Option(help: ArgumentHelp("The file of the challenge. The command replaces no existing file.", valueName: "file"))
    var output: String

    @Option(help: ArgumentHelp("The file with the private key that signs the challenge.", valueName: "file"))
    var key: String?

    @OptionGroup var passphraseOptions: PassphraseOptions

    @Option(help: ArgumentHelp("The number of minutes within which a run may begin.", valueName: "minutes"))
    var valid = 10_080

    func validate() throws {
      guard (1...525_600).contains(valid) else {
        throw ValidationError("--valid expects 1 to 525600 minutes, found \(valid)")
      }
    }

    func run() throws {
      let signer = try key.map { try passphraseOptions.signingKey($0) }
      let file = try ChallengeFile(issued: .now, validMinutes: valid, signedBy: signer)
      try NewFile.write(file.bytes, to: output, mode: 0o644)
      Terminal.output("wrote \(output): a run may begin until \(file.challenge.expires.text)\n")
    }
  }
}
