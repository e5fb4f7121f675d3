import ArgumentParser
import Audit
import Certification
import CommandInterface
import ConformanceModel
import ConformanceSpec
import Files
import FoundationEssentials
import JSONKit
import Processes
import TextKit

/// `conform certify`: creates the bundle of a run's certificate.
struct CertifyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "certify",
    abstract: "Certifies a whole run in one file, which contains the record, the evidence and a signed statement.",
    discussion: """
      With --sdk, the command first runs the whole suite that the tier needs. The seed of this run follows from a new \
      challenge, or from the challenge of --challenge. With --record, the command certifies an earlier run.

      The tiers are in 'certification' of protocol.yaml. The command rejects a record that is incomplete or does not \
      meet the conditions of the tier, and prints each reason. It verifies the bundle before it keeps the file.

      With --unsigned, the bundle has no signature yet. The command writes the bytes to sign into the files \
      OUTPUT.certificate.pae and OUTPUT.test-result.pae. 'conform sign' adds the signatures to the bundle.

      Examples:
        conform certify --tier community --sdk ./adapter --repo my-sdk \\
          --key certifier.pem --output sdk.conformance.tar
        conform certify --tier community --record conform-report/run.jsonl \\
          --key certifier.pem --artifact my-sdk-1.2.0.tgz --repo my-sdk \\
          --attest package="https://example.org/my-sdk" --output sdk.conformance.tar
      """)

  @Option(help: ArgumentHelp("The tier of the certificate.", valueName: "name"))
  var tier: String

  @Option(
    help: ArgumentHelp(
      "The command that starts the adapter of the SDK. With this option the suite runs now.", valueName: "command"))
  var sdk: String?

  @Option(
    help: ArgumentHelp(
      "The command that starts the same adapter around an SDK that is broken on purpose.", valueName: "command"))
  var sdkBroken: String?

  @Option(
    help: ArgumentHelp(
      "The folder for the record and the evidence of the run with --sdk. The default is OUTPUT.report.",
      valueName: "folder"))
  var report: String?

  @Option(help: ArgumentHelp("The record of an earlier run. The evidence must be beside this file.", valueName: "file"))
  var record: String?

  @Option(
    help: ArgumentHelp("The challenge that the run answers. The bundle contains this challenge.", valueName: "file"))
  var challenge: String?

  @Option(help: ArgumentHelp("The file with the issuer's private key, from 'conform key new'.", valueName: "file"))
  var key: String?

  @OptionGroup var passphraseOptions: PassphraseOptions

  @Flag(help: "Do not sign the bundle. Write the bytes that another tool has to sign.")
  var unsigned = false

  @Option(help: ArgumentHelp("The file of the new bundle. The command replaces no existing file.", valueName: "file"))
  var output: String

  @Option(
    help: ArgumentHelp(
      "A file or folder of the SDK or server that was run. The certificate contains the digest of each file.",
      valueName: "path"))
  var artifact: [String] = []

  @Option(help: ArgumentHelp("The name of the issuer, in your words.", valueName: "text"))
  var issuer: String?

  @Option(
    help: ArgumentHelp(
      """
      A checkout of the SDK's repository to search for submission requirements. The command executes no file in it.
      """, valueName: "folder"))
  var repo: String?

  @Option(
    help: ArgumentHelp(
      "Attests that the project meets a submission requirement that --repo does not confirm. Give its id and a reason.",
      valueName: "id=text"))
  var attest: [String] = []

  @OptionGroup var catalogueOptions: CatalogueOptions

  private var sourceOptions: SourceOptions { catalogueOptions.sourceOptions }

  func validate() throws {
    guard (sdk == nil) != (record == nil) else {
      throw ValidationError("give the SDK to run with --sdk, or the record of a run with --record")
    }
    guard sdkBroken == nil || sdk != nil else {
      throw ValidationError("--sdk-broken is the adapter of --sdk around a broken SDK: give --sdk too")
    }
    guard report == nil || sdk != nil else { throw ValidationError("--report is the folder of a run: give --sdk too") }
    guard (key == nil) == unsigned else {
      throw ValidationError("give the private key of the issuer with --key, or --unsigned without a key")
    }
  }

  func run() async throws {
    if sdk != nil { ForkServer.prepare() }
    let key = try key.map { try passphraseOptions.signingKey($0) }
    let source = try catalogueOptions.source(ofRecord: record)
    let definition = try await source.catalogue().definition
    guard let tier = definition.tier(tier) else {
      let known = definition.certification.map(\.name)
      throw BadInput(
        "unknown tier '\(tier)': \(definition.name) has \(known.isEmpty ? "none" : known.joined(separator: ", "))")
    }
    var request = CertificateRequest(
      tier: tier, record: record ?? "", artifacts: try CertificateRequest.artifacts(at: artifact), issuer: issuer,
      findings: try findings(for: tier),
      challenge: try challenge.map { try ChallengeFile($0) })
    tell(request.findings)
    if sdk != nil { try await runSuite(for: &request, of: source, key) }
    let facts = try RecordFacts(readingFrom: request.record, of: source, definition)
    try refuse(
      request.shortcomings(of: facts, in: definition) + changes(since: request.artifacts) + strangers(in: facts))
    let bundle = try request.bundle(of: facts, in: definition, from: source, signedBy: key)
    try bundle.write(to: output)
    do {
      let account = try await verified(signedBy: key)
      if key == nil { try writeUnsigned(bundle) }
      Terminal.output("certified: \(account?.title ?? "")\n")
      if let note = account?.note { Terminal.output("\(note)\n") }
      Terminal.output("wrote \(output), \(key.map { "signed by \($0.publicKey.id)" } ?? "not signed yet")\n")
    } catch {
      Disk.removeRegular(output)
      throw error
    }
  }

  /// Runs the whole suite under the conditions of the tier. The seed of the run is computed from a challenge.
  private func runSuite(
    for request: inout CertificateRequest, of source: ProtocolSource, _ key: SigningKey?
  ) async throws {
    // A run takes long, so everything that a run does not change is checked first.
    try refuse(request.tier.shortcomings(of: request.findings))
    guard !FileManager.default.fileExists(atPath: output) else {
      throw BadInput("'\(output)' exists: name another file with --output")
    }
    let folder = report ?? output + ".report"
    var run = try await RunCommand.asyncParse(
      source.words + ["--sdk", sdk ?? "", "--gate", request.tier.gate.rawValue, "--output", folder]
        + request.tier.dialects.flatMap { ["--dialect", $0.rawValue] }
        + request.tier.profiles.flatMap { ["--profile", $0] }
        + (request.tier.clock.map { ["--clock", $0.rawValue] } ?? [])
        + (sdkBroken.map { ["--sdk-broken", $0] } ?? []))
    let challenge =
      try request.challenge ?? ChallengeFile(issued: .now, validMinutes: 60, signedBy: key)
    do { try await run.runOnce(answering: challenge) } catch let finished as Finished where finished.code != .badInput {
    }
    request.challenge = challenge
    request.record = "\(folder)/\(ReportFiles.recordName)"
  }

  /// Verifies the written bundle, and throws if it is not valid. Returns a description of its certificate.
  private func verified(signedBy key: SigningKey?) async throws -> CertificateAccount? {
    let own = key.map { [BundleVerification.Key(file: self.key ?? "", key: $0.publicKey)] } ?? []
    let verification = BundleVerification(path: output, keys: own, now: .now, sourceOptions: sourceOptions)
    let result = try await verification.result(of: OpenBundle(output))
    try refuse(result.reasons)
    return result.facts.map { CertificateAccount(result, $0, own) }
  }

  /// Writes two files beside the bundle. They contain the bytes that another tool must sign.
  private func writeUnsigned(_ bundle: NewBundle) throws {
    let names = ["\(output).certificate.pae", "\(output).test-result.pae"]
    try NewFile.write(bundle.certificate.signedBytes, to: names[0], mode: 0o644)
    do { try NewFile.write(bundle.testResult.signedBytes, to: names[1], mode: 0o644) } catch {
      Disk.removeRegular(names[0])
      throw error
    }
    Terminal.output("sign the bytes of \(names[0]) and \(names[1]), then run 'conform sign'\n")
  }

  /// Prints all reasons against a certificate, and throws if there are any.
  private func refuse(_ reasons: [String]) throws {
    for reason in reasons { Terminal.output("not certified: \(reason)\n") }
    if !reasons.isEmpty { throw Finished(code: .violations) }
  }

  /// The findings about the submission requirements of the tier, from the folder of `--repo` and from `--attest`. An
  /// attestation counts only if the folder does not contain what the requirement demands. The attestation then replaces
  /// the finding from the folder.
  private func findings(for tier: CertificationTier) throws -> [SubmissionFinding] {
    let attested = try attestations
    guard let repo else { return attested }
    let inspection = try RepositoryFolder(folder: repo).inspection()
    let found = tier.submission.map { inspection.finding(of: $0) }
    let settled = Set(found.filter { $0.result == .found }.map(\.id))
    let needed = attested.filter { !settled.contains($0.id) }
    return found.filter { one in !needed.contains { $0.id == one.id } } + needed
  }

  /// One sentence for each file of `--artifact` that was changed, added or removed while the suite ran.
  private func changes(since earlier: [Certificate.Artifact]) throws -> [String] {
    let changed = Set(earlier).symmetricDifference(try CertificateRequest.artifacts(at: artifact)).map(\.name)
    return Set(changed).sorted().map { "the file '\($0)' of --artifact changed while the suite ran" }
  }

  /// One sentence for each file that an SDK's adapter named as part of the SDK, but that is missing or different in the
  /// folder of `--repo`.
  private func strangers(in facts: RecordFacts) -> [String] {
    guard let repo else { return [] }
    return facts.participants.flatMap { RepositoryFolder(folder: repo).differences(from: $0.build) }
  }

  private func tell(_ findings: [SubmissionFinding]) {
    for finding in findings { Terminal.output("\(finding.summary)\n") }
  }

  private var attestations: [SubmissionFinding] {
    get throws {
      try attest.map { word in
        guard let equals = word.firstIndex(of: "="), word.index(after: equals) < word.endIndex else {
          throw BadInput(
            "--attest expects ID=TEXT, such as releases=\"1.0, 1.1 and 1.2 are published\", found '\(word)'")
        }
        let text = String(word[word.index(after: equals)...])
        return SubmissionFinding(id: String(word[..<equals]), result: .attested, text: text)
      }
    }
  }
}
