import ArgumentParser
import Certification
import ConformanceModel
import ConformanceReport
import Glibc

/// `conform key`: makes the keys that sign certificates.
struct KeyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "key",
    abstract: "Makes a key that signs certificates, or shows its public half.",
    discussion: """
      Examples:
        conform key new certifier.pem
        conform key public certifier.pem --output certifier.pub
      """,
    subcommands: [New.self, Public.self])

  /// `conform key new`.
  struct New: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Writes a new private key (Ed25519, PEM with PKCS#8) that only you can read.")

    @Argument(help: ArgumentHelp("The file of the key; it must not exist.", valueName: "file"))
    var file: String

    func run() throws {
      let key = try SigningKey()
      try NewFile.write(key.pem, to: file, mode: 0o600)
      Terminal.output("wrote the private key \(key.publicKey.id) to \(file)\n")
      Terminal.output("keep it secret; 'conform key public \(file.quotedForShell)' shows its public half\n")
    }
  }

  /// `conform key public`.
  struct Public: ParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Prints the public half of a private key, or writes it to a file.")

    @Argument(help: ArgumentHelp("The file of the private key.", valueName: "file"))
    var file: String

    @Option(help: ArgumentHelp("The file of the public key; it must not exist.", valueName: "file"))
    var output: String?

    func run() throws {
      let key = try KeyFile.signing(file).publicKey
      guard let output else { return Terminal.output(.lines(String(decoding: key.pem, as: UTF8.self))) }
      try NewFile.write(key.pem, to: output, mode: 0o644)
      Terminal.output("wrote the public key \(key.id) to \(output)\n")
    }
  }
}

/// Files of keys.
enum KeyFile {
  /// The most bytes that a key takes.
  private static let limit = 1 << 14

  /// The private key of a file.
  static func signing(_ path: String) throws -> SigningKey {
    try key(path) { bytes throws(KeyProblem) in try SigningKey(pem: bytes) }
  }

  /// The public key of a file.
  static func verification(_ path: String) throws -> VerificationKey {
    try key(path) { bytes throws(KeyProblem) in try VerificationKey(pem: bytes) }
  }

  private static func key<Key>(_ path: String, _ read: ([UInt8]) throws(KeyProblem) -> Key) throws -> Key {
    let bytes = try InputFile.contents(of: path, atMost: limit)
    do throws(KeyProblem) { return try read(bytes) } catch { throw BadInput("\(path): \(error)") }
  }
}
