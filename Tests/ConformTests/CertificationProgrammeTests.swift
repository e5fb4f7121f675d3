import Certification
import Foundation
import JSONKit
import Testing

/// The rules of a programme that are data: disputes, partial results, grace and relegation.
@Suite struct CertificationProgrammeTests {
  private let toy: ToyCertifier

  init() async throws { toy = try await ToyCertifier() }

  /// Changes a file of the pack. Something must change.
  private func edit(_ file: String, _ old: String, _ new: String) throws {
    let path = "\(ToyCertifier.pack)/\(file)"
    let text = try toy.scratch.text(path)
    try #require(text.contains(old))
    try toy.scratch.write(path, text.replacing(old, with: new))
  }

  /// Adds a requirement to the pack, with a case of the same steps as `app.fetch`.
  private func add(_ id: String, rest: String = "", needs: String = "", result: String) throws {
    try edit(
      "requirements/all.yaml", "requirements:\n",
      """
      requirements:
        - { id: \(id), role: sdk, level: MUST, basis: stated, source: { section: "4 More", revision: "2026-01-01" },
            text: An SDK MUST be tried again.\(rest) }

      """)
    try edit(
      "cases/all.yaml", "cases:\n",
      """
      cases:
        - case: app.more
          title: The app gets the coat once more
          role: sdk\(needs)
          steps:
            - { answer: swap, response: default, with: { coat: "${unique}" } }
            - { call: fetch, with: { url: "${counter.url}", number: "1" }, as: coat, need: either }
          claims: [{ requirement: \(id), returns: { coat: \(result) } }]

      """)
  }

  /// The predicate of one of the two statements.
  private func predicate(_ name: String) throws -> JSON {
    let bundle = try ForgedBundle(toy.scratch.file(ToyCertifier.bundle))
    return try #require(try JSON(parsing: bundle.envelope(name).payload).object?["predicate"])
  }

  @Test func aDisputedRequirementCountsNeitherWay() async throws {
    try add("CR-005", result: "another coat")
    try #require(try await toy.run().code == 1)
    let refused = try await toy.certify()
    #expect(refused.code == 1 && refused.output.contains("the conclusion of the run is 'not-conformant'"))
    try edit(
      "protocol.yaml", "errorKinds:",
      "disputed: [{ requirement: CR-005, reason: Nobody knows which coat. }]\nerrorKinds:")
    try #require(try await toy.run().code == 1)
    let certified = try await toy.certify()
    #expect(certified.code == 0, "\(certified.output)\(certified.errors)")
    let note = "not scored: the requirements under dispute (CR-005). The report judges them too"
    #expect(certified.output.contains(note), "\(certified.output)")
    let verified = try await toy.verify()
    #expect(verified.code == 0)
    #expect(verified.output.contains("does not prove: The requirements under dispute hold: CR-005 count neither way."))
    #expect(try predicate(BundleName.certificate).object?["disputed"] == ["CR-005"])
    #expect(try predicate(BundleName.testResult).object?["failedTests"] == [])
    #expect(try predicate(BundleName.testResult).object?["warnedTests"] == ["CR-005"])
  }

  @Test func aRequirementThatDoesNotApplyMakesTheResultPartial() async throws {
    try #require(try await toy.certify().code == 0)
    #expect(try predicate(BundleName.certificate).object?["result"] == "pass")
    try FileManager.default.removeItem(atPath: toy.scratch.file(ToyCertifier.bundle))
    try edit(
      "protocol.yaml", "errorKinds:",
      "capabilities: [{ name: tips, role: sdk, required: false, text: Tips. }]\nerrorKinds:")
    try add("CR-006", rest: ", condition: tips", needs: "\n    needs: [tips]", result: "\"${unique}\"")
    let run = try await toy.run()
    try #require(run.code == 0, "\(run.output)\(run.errors)")
    let certified = try await toy.certify()
    #expect(certified.code == 0, "\(certified.output)\(certified.errors)")
    let statement = try predicate(BundleName.certificate).object
    #expect(statement?["result"] == "partial" && statement?["notApplied"] == ["CR-006"])
    let verified = try await toy.verify().output
    #expect(verified.contains("the result is partial, without 1 requirement (CR-006)."), "\(verified)")
    let lack = "'cloakroom-python' can do all that the protocol describes: it lacks tips."
    #expect(verified.contains(lack), "\(verified)")
  }

  @Test func aTierCanBeAboutAProfile() async throws {
    try edit(
      "protocol.yaml", "errorKinds:",
      "profiles: [{ name: fetching, text: Fetching., requirements: [CR-003] }]\nerrorKinds:")
    try edit("protocol.yaml", "dialects: [any], gate", "dialects: [any], profiles: [fetching], gate")
    try add("CR-005", result: "another coat")
    try #require(try await toy.run().code == 1)
    try #require(try await toy.certify().code == 1)
    try #require(try await toy.run("--profile fetching").code == 0)
    let certified = try await toy.certify()
    #expect(certified.code == 0, "\(certified.output)\(certified.errors)")
    #expect(try predicate(BundleName.certificate).object?["profiles"] == ["fetching"])
    let verified = try await toy.verify().output
    #expect(verified.contains("The run was whole for the profile 'fetching', without selection"), "\(verified)")
    #expect(verified.contains("does not prove: The requirements hold that do not count for the profile 'fetching'."))
    let python = try await toy.conform.shell(
      "python3 -B '\(ToyCertifier.examples)/verify-python/verify.py' \(ToyCertifier.bundle) --key own.pub")
    #expect(python.code == 0, "\(python.output)\(python.errors)")
  }

  /// The conditions of Conforma's policy for test results, `test_attestation`, as of August 2026.
  @Test func theTestResultMeetsThePublishedPolicyOfConforma() async throws {
    try toy.scratch.write("image.json", "{}")
    try #require(try await toy.certify("--artifact", "image.json").code == 0)
    let bundle = try ForgedBundle(toy.scratch.file(ToyCertifier.bundle))
    let statement = try JSON(parsing: bundle.envelope(BundleName.testResult).payload)
    let predicate = try #require(statement.object?["predicate"]?.object)
    #expect(statement.object?["predicateType"] == "https://in-toto.io/attestation/test-result/v0.1")
    #expect(["PASSED", "WARNED"].contains(predicate["result"]?.string ?? ""))
    #expect(predicate["failures"] == 0)
    #expect(predicate["timestamp"]?.string?.isEmpty == false)
    #expect(predicate["configuration"]?.array?.first?.object?["name"] == "conform/cloakroom/conformant")
    // The SHA-256 of `{}`.
    let image = "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a"
    let digests = statement.object?["subject"]?.array?.compactMap { $0.object?["digest"]?.object?["sha256"]?.string }
    #expect(digests?.contains(image) == true)
  }

  /// Adds days of grace and relegation to the tier, runs again, certifies, and lists the certificate in a registry.
  private func listed() async throws -> String {
    try edit("protocol.yaml", "validDays: 365 }", "validDays: 365, graceDays: 30, relegationDays: 28 }")
    try #require(try await toy.run().code == 0)
    try #require(try await toy.certify().code == 0)
    try #require(try await toy.conform("registry", "init", "reg", "--key", "own.pub").code == 0)
    let added = try await toy.conform("registry", "add", "reg", ToyCertifier.bundle, "--pack", ToyCertifier.pack)
    return String(try #require(added.output.firstMatch(of: /^added ([0-9a-f]{16})  valid/)).1)
  }

  private func day(_ days: Double) -> String { Date().addingTimeInterval(days * 86_400).formatted(.iso8601) }

  @Test func anExpiredCertificateCountsForTheDaysOfGrace() async throws {
    _ = try await listed()
    let grace = try await toy.verify("--at", day(380))
    #expect(grace.code == 0 && grace.output.contains("\nexpired: it still counts until 20"), "\(grace.output)")
    #expect(try await toy.verify("--at", day(400)).code == 5)
    #expect(try await toy.conform("registry", "list", "reg", "--at", day(380)).output.contains("  grace  "))
    #expect(try await toy.conform("registry", "list", "reg", "--at", day(400)).output.contains("  expired  "))
    let check = try await toy.conform("registry", "check", "reg", "--at", day(380), "--pack", ToyCertifier.pack)
    #expect(check.code == 0 && check.output.hasPrefix("renew: "), "\(check.output)")
  }

  private func note(_ id: String) async throws -> Command.Result {
    try await toy.conform(
      "registry", "result", "reg", id, "--record", ToyCertifier.record, "--pack", ToyCertifier.pack)
  }

  @Test func runsThatFailForTheDaysOfTheTierRelegateACertificate() async throws {
    let id = try await listed()
    let earlier = try await note(id)
    #expect(earlier.code == 2 && earlier.errors.contains("the run began before the certificate was issued"))
    let sdk = "Examples/toy/cloakroom_sdk.py"
    let honest = try toy.scratch.text(sdk)
    try toy.scratch.write(sdk, honest.replacing("json.loads(body)[\"coat\"]", with: "\"a hat\""))
    try #require(try await toy.run().code == 1)
    let failing = try await note(id)
    #expect(failing.code == 0 && failing.output.contains("  failing  "), "\(failing.output)\(failing.errors)")
    #expect(failing.output.contains(": violated: CR-003\n"), "\(failing.output)")
    #expect(try await toy.verify("--registry", "reg").code == 0)
    let relegated = try await toy.verify("--registry", "reg", "--at", day(29))
    #expect(
      relegated.code == 5 && relegated.output.hasPrefix("relegated: later runs fail since "), "\(relegated.output)")
    let schema = try JSONSchema.published("registry")
    for line in try toy.scratch.text("reg/index.jsonl").split(separator: "\n") {
      #expect(schema.validate(try JSON(parsing: String(line))).map { "\($0)" } == [])
    }
    let check = try await toy.conform("registry", "check", "reg", "--pack", ToyCertifier.pack)
    #expect(check.code == 0 && check.output.hasPrefix("later runs fail: "), "\(check.output)")
    #expect(try await note(id).errors.contains("is not later than the failed run of"))
    try toy.scratch.write(sdk, honest)
    try #require(try await toy.run().code == 0)
    #expect(try await note(id).output.contains("  valid  "))
    #expect(try await toy.verify("--registry", "reg", "--at", day(29)).code == 0)
  }

  @Test(arguments: [
    ("--case '*'", "the run was narrowed with --case"), ("--gate strict", "the gate of the run is 'strict'"),
  ])
  func aRunThatIsNotWholeIsNoResult(words: String, says: String) async throws {
    let id = try await listed()
    try #require([0, 3].contains(try await toy.run(words).code))
    let noted = try await note(id)
    #expect(noted.code == 2 && noted.errors.contains(says), "\(noted.errors)")
  }

  @Test func aRunInWhichTheSDKDiesIsNoResult() async throws {
    let id = try await listed()
    let sdk = "Examples/toy/cloakroom_sdk.py"
    try toy.scratch.write(
      sdk, toy.scratch.text(sdk).replacing("return json.loads(body)[\"coat\"]", with: "import os; os._exit(3)"))
    try #require(try await toy.run().code == 3)
    let noted = try await note(id)
    #expect(noted.code == 2 && noted.errors.contains("neither confirms nor refutes the certificate"), "\(noted.errors)")
    #expect(try await toy.conform("registry", "list", "reg").output.contains("  valid  "))
  }

  @Test func aRunOfAnotherSDKIsNoResult() async throws {
    let id = try await listed()
    let adapter = "Examples/toy/cloakroom_adapter.py"
    try toy.scratch.write(adapter, toy.scratch.text(adapter).replacing("cloakroom-python", with: "another"))
    try #require(try await toy.run().code == 0)
    let noted = try await note(id)
    #expect(noted.code == 2, "\(noted.output)")
    #expect(noted.errors.contains("the run is of 'another', and the certificate of 'cloakroom-python 1.0.0'"))
    #expect(try await note("0123").errors.contains("unknown certificate '0123'"))
  }
}
