import ArgumentParser
import Audit
import Certification
import CommandInterface
import Concurrency
import ConformanceRunner
import ConformanceSpec
import FoundationEssentials
import Processes
import Templates
import TextKit

/// `conform verify`: checks a certificate. The command needs no network. It needs the SDK only for `--spot`.
package struct VerifyCommand: AsyncParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Verifies the bundle of a certificate offline: the signatures, digests, times, tier and verdicts.",
    discussion: """
      Examples:
        conform verify sdk.conformance.tar --key certifier.pub
        conform verify sdk.conformance.tar --key certifier.pub --against ./my-sdk
        conform verify sdk.conformance.tar --key certifier.pub \\
          --spot 20 --sdk ./adapter

      Each key of --key must have signed the bundle. Exit codes: 0 valid, 1 not valid, 2 not a bundle or not a key, 5 \
      expired, revoked or relegated.
      """)

  package init() {}

  @Argument(help: ArgumentHelp("The bundle that 'conform certify' wrote.", valueName: "bundle"))
  var bundle: String

  @Option(help: ArgumentHelp("A public key (PEM). Repeat the option to demand several signatures.", valueName: "file"))
  var key: [String] = []

  @OptionGroup var moment: MomentOptions

  @Option(help: ArgumentHelp("The challenge from which the seed of the run must follow.", valueName: "file"))
  var challenge: String?

  @Option(
    help: ArgumentHelp(
      "A folder. It must contain all files that the certificate names, unchanged.", valueName: "folder"))
  var against: String?

  @Option(
    help: ArgumentHelp(
      "Draw this number of cases, run them on the SDK of --sdk, and compare the verdicts.", valueName: "number"))
  var spot: Int?

  @Option(help: ArgumentHelp("The command that starts the adapter of the SDK, for --spot.", valueName: "command"))
  var sdk: String?

  @Option(help: ArgumentHelp("A registry that may have revoked the certificate.", valueName: "folder"))
  var registry: String?

  @OptionGroup var sourceOptions: SourceOptions

  package func validate() throws {
    guard !key.isEmpty else { throw ValidationError("give the public key of the issuer with --key") }
    guard (spot == nil) == (sdk == nil) else {
      throw ValidationError("give --spot NUMBER together with --sdk COMMAND, or neither")
    }
    if let spot, !(1...10_000).contains(spot) {
      throw ValidationError("--spot expects 1 to 10000 cases, found \(spot)")
    }
  }

  package func run() async throws {
    // The fork server starts first, because a fork is cheap only while the process is small.
    if spot != nil { ForkServer.prepare() }
    let keys = try key.map { BundleVerification.Key(file: $0, key: try KeyFile.verification($0)) }
    guard Set(keys.map(\.key.id)).count == keys.count else {
      throw BadInput("--key: two files contain the same key: name each key once")
    }
    let now = moment.now
    let opened = try OpenBundle(bundle)
    var result = try await BundleVerification(path: bundle, keys: keys, now: now, sourceOptions: sourceOptions)
      .result(of: opened)
    if let challenge, let facts = result.facts {
      result.reasons += try ChallengeFile(challenge).challenge.problems(of: facts.header)
    }
    let checkout = try checkout(result)
    result.reasons += checkout?.differences ?? []
    let spotted = result.reasons.isEmpty ? try await spotted(opened) : nil
    result.reasons += spotted?.differences ?? []
    if let registry, result.reasons.isEmpty { try expectListed(opened, in: registry, at: now) }
    try tell(result, keys, checkout, spotted)
  }

  /// Ends the command if the registry has revoked or relegated the certificate.
  private func expectListed(_ opened: OpenBundle, in registry: String, at now: Timestamp) throws {
    guard let entry = try RegistryFolder(registry).entry(of: opened) else { return }
    if let revocation = entry.revocation {
      Terminal.output("revoked: on \(revocation.date.text.prefix(10)): \(revocation.reason)\n")
      throw Finished(code: .expired)
    }
    if let failing = entry.failing, entry.status(at: now) == .relegated {
      Terminal.output("relegated: \(failing.text)\n")
      throw Finished(code: .expired)
    }
  }

  private func tell(
    _ result: BundleVerification.Result, _ keys: [BundleVerification.Key], _ checkout: Checkout?,
    _ spotted: SpotCheck.Result?
  ) throws {
    for reason in result.reasons { Terminal.output("not valid: \(reason)\n") }
    guard result.reasons.isEmpty, let facts = result.facts else { throw Finished(code: .violations) }
    let account = CertificateAccount(result, facts, keys, answersChallenge: challenge != nil)
    if result.isExpired {
      Terminal.output("expired: \(account.title)\n")
    } else {
      Terminal.output("valid: \(account.title)\n")
      if let end = result.graceEnd {
        Terminal.output("expired: it still counts until \(end.text.prefix(10)): renew it\n")
      }
      let more = [checkout?.proven, spotted?.proven].compactMap(\.self)
      for line in account.proven + more { Terminal.output("proves: \(line)\n") }
      for line in account.claims { Terminal.output("issuer says: \(line)\n") }
      for line in account.unproven + [checkout?.unproven].compactMap(\.self) {
        Terminal.output("does not prove: \(line)\n")
      }
    }
    throw Finished(code: result.isExpired ? .expired : .conformant)
  }

  private func checkout(_ result: BundleVerification.Result) throws -> Checkout? {
    guard let against else { return nil }
    let named = result.certificate.artifacts + (result.facts?.participants.flatMap(\.build.artifacts) ?? [])
    guard !named.isEmpty else {
      throw BadInput(
        "--against: the certificate names no files, because it was issued without --artifact and the adapter named none:"
          + " leave out --against")
    }
    return Checkout(folder: against, tree: try SourceTree(against), artifacts: Array(Set(named)))
  }

  private func spotted(_ opened: OpenBundle) async throws -> SpotCheck.Result? {
    guard let spot, let sdk else { return nil }
    let recorded = try opened.verdicts()
    let challenge = Challenge(issued: .now, validMinutes: 60)
    var options = try await OptionLine<SubjectOptions>.options(["--sdk", sdk])
    options.seed = challenge.seed
    let check = SpotCheck(
      source: try await sourceOptions.source(of: recorded.header, in: opened), recorded: recorded, options: options,
      count: spot, challenge: challenge)
    let found = LockedValue<SpotCheck.Result?>(nil)
    let wasStopped = try await Interruption.watch(telling: "stopping; the spot check is given up") {
      let result = try await check.result()
      found.change { $0 = result }
    }
    await Subjects.leave()
    guard !wasStopped, let result = found.value else { throw Finished(code: .unjudged) }
    return result
  }
}

/// Compares the folder of `--against` with the files that a certificate names.
private struct Checkout {
  var folder: String
  var tree: SourceTree
  var artifacts: [Certificate.Artifact]

  var differences: [String] { tree.differences(from: artifacts, folder: folder) }

  var proven: String {
    "All files that the certificate names are in '\(folder)' with their digests: \("file".counted(artifacts.count))."
  }

  var unproven: String? {
    let count = tree.unnamed(by: artifacts)
    guard count > 0 else { return nil }
    return "The other files in '\(folder)' are as they were: the certificate does not name \("file".counted(count))."
  }
}

extension SpotCheck.Result {
  fileprivate var proven: String {
    "The SDK of --sdk behaves as the certificate says in \("case".counted(cases.count)) drawn now, in all of"
      + " \("verdict".counted(verdicts))."
  }
}
