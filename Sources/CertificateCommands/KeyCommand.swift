import ArgumentParser
import Certification
import CommandInterface
import Files

/// `conform key`: creates the keys that sign certificates.
package struct KeyCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "key",
    abstract: "Makes a private key that signs certificates, or shows the public key for it.",
    discussion: """
      Examples:
        conform key new certifier.pem
        conform key new certifier.pem --passphrase
                                        the terminal asks for the passphrase
        conform key public certifier.pem --output certifier.pub
      """,
    subcommands: [New.self, Public.self])

  package init() {}

  /// `conform key new`.
  struct New: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Writes a new private key (Ed25519, PEM with PKCS#8) that only you can read.")

    @Argument(help: ArgumentHelp("The file of the new key. The command replaces no existing file.", valueName: "file"))
    var file: String

    @Flag(help: "Encrypt the key with a passphrase. The terminal asks for the passphrase.")
    var passphrase = false

    @OptionGroup var passphraseOptions: PassphraseOptions

    func run() throws {
      let chosen = passphrase ? try passphraseOptions.chosen() : try passphraseOptions.named()
      let key = try SigningKey()
      try NewFile.write(try chosen.map { try key.pem(lockedWith: $0) } ?? key.pem, to: file, mode: 0o600)
      Terminal.output("wrote the private key \(key.publicKey.id) to \(file)\n")
      Terminal.output("keep it secret; 'conform key public \(file.quotedForShell)' shows its public key\n")
    }
  }

  /// `conform key public`.
  struct Public: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Prints the public key for a private key, or writes the public key to a file.")

    @Argument(help: ArgumentHelp("The file of the private key.", valueName: "file"))
    var file: String

    @OptionGroup var passphraseOptions: PassphraseOptions

    @Option(help: ArgumentHelp("The file of the public key. The command replaces no existing file.", valueName: "file"))
    var output: String?

    func run() throws {
      let key = try passphraseOptions.signingKey(file).publicKey
      guard let output else { return Terminal.output(.lines(String(decoding: key.pem, as: UTF8.self))) }
      try NewFile.write(key.pem, to: output, mode: 0o644)
      Terminal.output("wrote the public key \(key.id) to \(output)\n")
    }
  }
}
