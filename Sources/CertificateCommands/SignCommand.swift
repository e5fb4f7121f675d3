import ArgumentParser
import Audit
import Certification
import CommandInterface
import Files
import FoundationEssentials
import HTTPValues
import Records
import TextKit

/// `conform sign`: adds a signature to a bundle.
package struct SignCommand: AsyncParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "sign",
    abstract: "Verifies the bundle of a certificate, and adds the signature of your key or of another tool.",
    discussion: """
      Each signer signs each of the two statements of a bundle once. The command signs only a valid bundle, and writes \
      the result into a new file.

      Examples:
        conform sign sdk.conformance.tar --key author.pem --output signed.tar

      With a key in another tool, which signs the bytes of 'certify --unsigned':
        openssl pkeyutl -sign -rawin -inkey certifier.pem \\
          -in sdk.conformance.tar.certificate.pae -out one.sig
        openssl pkeyutl -sign -rawin -inkey certifier.pem \\
          -in sdk.conformance.tar.test-result.pae -out two.sig
        conform sign sdk.conformance.tar --public-key certifier.pub \\
          --signature one.sig --signature two.sig --output signed.tar
      """)

  package init() {}

  @Argument(help: ArgumentHelp("The bundle that 'conform certify' wrote.", valueName: "bundle"))
  var bundle: String

  @Option(help: ArgumentHelp("The file with the private key that signs.", valueName: "file"))
  var key: String?

  @OptionGroup var passphraseOptions: PassphraseOptions

  @Option(help: ArgumentHelp("The public key for the signatures that another tool made.", valueName: "file"))
  var publicKey: String?

  @Option(
    help: ArgumentHelp(
      "A signature that another tool made, 64 bytes or their base64. Repeat the option for the other statement.",
      valueName: "file"))
  var signature: [String] = []

  @Option(help: ArgumentHelp("The file of the new bundle. The command replaces no existing file.", valueName: "file"))
  var output: String

  @OptionGroup var sourceOptions: SourceOptions

  package func validate() throws {
    guard (key == nil) != (publicKey == nil) else {
      throw ValidationError("give either --key, or --public-key with two --signature options")
    }
    guard signature.count == (key == nil ? 2 : 0) else {
      throw ValidationError("--public-key needs two --signature options, one for each statement; --key needs none")
    }
  }

  package func run() async throws {
    let signer = try signer()
    let opened = try OpenBundle(bundle)
    try await expectValid(opened)
    var signed = try NewBundle(opened)
    do throws(KeyProblem) {
      signed.certificate = try signer.sign(signed.certificate, BundleName.certificate)
      signed.testResult = try signer.sign(signed.testResult, BundleName.testResult)
    } catch {
      throw BadInput("\(error)")
    }
    try signed.write(to: output)
    Terminal.output("wrote \(output), signed by \(signer.publicKey.id)\n")
  }

  private func expectValid(_ opened: OpenBundle) async throws {
    let verification = BundleVerification(path: bundle, keys: [], now: .now, sourceOptions: sourceOptions)
    let result = try await verification.result(of: opened)
    let term = result.isExpired ? ["the certificate ended at \(result.certificate.expires.text)"] : []
    let reasons = result.reasons + term
    for reason in reasons { Terminal.output("not signed: \(reason)\n") }
    if !reasons.isEmpty { throw Finished(code: .violations) }
  }

  private func signer() throws -> Signer {
    if let key { return .key(try passphraseOptions.signingKey(key)) }
    let key = try KeyFile.verification(publicKey ?? "")
    return .other(key, try signature.map { try SignatureFile.bytes(of: $0) })
  }
}

/// Makes the signatures: a private key of the user, or another tool.
private enum Signer {
  case key(SigningKey)
  /// A key, and signatures that another tool has made with it: one for each statement in the bundle, in any order.
  case other(VerificationKey, [[UInt8]])

  var publicKey: VerificationKey {
    switch self {
    case .key(let key): key.publicKey
    case .other(let key, _): key
    }
  }

  /// Returns the envelope with one more signature, that of this signer. `name` is the envelope's file in the bundle.
  func sign(_ envelope: Envelope, _ name: String) throws(KeyProblem) -> Envelope {
    var envelope = envelope
    switch self {
    case .key(let key): try envelope.sign(with: key)
    case .other(let key, let signatures): try envelope.add(anyOf: signatures, by: key, named: name)
    }
    return envelope
  }
}

/// A file with a signature.
enum SignatureFile {
  /// The 64 bytes of a signature. The file contains either these bytes or their base64 text.
  static func bytes(of path: String) throws -> [UInt8] {
    let bytes = try InputFile.contents(of: path, atMost: 1 << 10)
    if bytes.count == SigningKey.signatureSize { return bytes }
    let text = String(decoding: bytes, as: UTF8.self).filter { !$0.isWhitespace }
    guard let decoded = Base64.bytes(of: text), decoded.count == SigningKey.signatureSize else {
      throw BadInput(
        "\(path): expected a signature of \(SigningKey.signatureSize) bytes, or its base64, found \(bytes.count) bytes")
    }
    return decoded
  }
}
