import ArgumentParser
import Certification
import ConformanceModel
import FoundationEssentials

/// `conform verify`: checks a certificate without a network and without the SDK or server.
struct VerifyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract:
      "Verifies the bundle of a certificate offline: signatures, digests, times, tier, and every verdict again.",
    discussion: """
      Examples:
        conform verify my-sdk.conformance.tar --key certifier.pub

      Each key that is given must have signed. Exit codes: 0 valid, 1 not valid, 2 not a bundle or not a key, 5 valid
      once and expired.
      """)

  @Argument(help: ArgumentHelp("The bundle that 'conform certify' wrote.", valueName: "bundle"))
  var bundle: String

  @Option(help: ArgumentHelp("A public key in PEM; repeat it to demand several signatures.", valueName: "file"))
  var key: [String] = []

  @Option(
    help: ArgumentHelp("The moment to verify for, such as 2026-12-24T00:00:00Z, instead of now.", valueName: "time"))
  var at: String?

  @Option(help: ArgumentHelp("The challenge that the run has to answer.", valueName: "file"))
  var challenge: String?

  @OptionGroup var sourceOptions: SourceOptions

  func validate() throws {
    guard !key.isEmpty else { throw ValidationError("give the public key of the issuer with --key") }
    if let at, Timestamp(at) == nil { throw ValidationError("--at wants a time such as 2026-12-24T00:00:00Z") }
  }

  func run() async throws {
    let keys = try key.map { BundleVerification.Key(file: $0, key: try KeyFile.verification($0)) }
    let now = at.flatMap { Timestamp($0) } ?? .now
    var result = try await BundleVerification(path: bundle, keys: keys, now: now, sourceOptions: sourceOptions).result()
    if let challenge, let facts = result.facts {
      result.reasons += try ChallengeFile(challenge).challenge.problems(of: facts.header)
    }
    for reason in result.reasons { Terminal.output("not valid: \(reason)\n") }
    guard result.reasons.isEmpty, let facts = result.facts else { throw Finished(code: .violations) }
    let account = CertificateAccount(result, facts, keys, answersChallenge: challenge != nil)
    if result.isExpired {
      Terminal.output("expired: \(account.title)\n")
    } else {
      Terminal.output("valid: \(account.title)\n")
      for line in account.proven { Terminal.output("proves: \(line)\n") }
      for line in account.unproven { Terminal.output("does not prove: \(line)\n") }
    }
    throw Finished(code: result.isExpired ? .expired : .conformant)
  }
}
