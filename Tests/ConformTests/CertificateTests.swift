import Certification
import ConformanceSpec
import Foundation
import JSONKit
import Testing

/// A certificate of the toy is issued and verified, and each known forgery is found, or is known not to be.
@Suite struct CertificateTests {
  private let toy: ToyCertifier

  init() async throws { toy = try await ToyCertifier() }

  @Test func aBundleIsWrittenOnceAndVerified() async throws {
    let result = try await toy.certify("--artifact", ToyCertifier.pack + "/protocol.yaml", "--issuer", "The counter")
    #expect(result.code == 0, "\(result.output)\(result.errors)")
    #expect(result.output.contains("certified: "))
    let verified = try await toy.verify()
    #expect(verified.code == 0, "\(verified.output)\(verified.errors)")
    #expect(verified.output.hasPrefix("valid: "))
    #expect(verified.output.contains("\nproves: The issuer names these files by their digests: protocol.yaml.\n"))
    #expect(verified.output.contains("\ndoes not prove: The transcripts are from a run"))
    let again = try await toy.certify()
    #expect(again.code == 2)
    #expect(again.errors.contains("'\(ToyCertifier.bundle)' exists"))
  }

  /// The files of a bundle stay in the archive, so an ended process leaves nothing behind.
  @Test func verificationWritesNoFile() async throws {
    try #require(try await toy.certify().code == 0)
    for words in [["--pack", ToyCertifier.pack], []] {
      let result = try await toy.conform.run(
        ["verify", ToyCertifier.bundle, "--key", "own.pub"] + words, environment: ["TMPDIR": "/nowhere"])
      #expect(result.code == 0, "\(result.output)\(result.errors)")
    }
  }

  @Test func theStatementHasItsSchema() async throws {
    try #require(try await toy.certify("--issuer", "The counter").code == 0)
    let schema = try JSONSchema.published("certificate")
    var bundle = try ForgedBundle(toy.scratch.file(ToyCertifier.bundle))
    let statement = try JSON(parsing: bundle.envelope(BundleName.certificate).payload)
    #expect(schema.validate(statement).map { "\($0)" } == [])
    bundle.files[BundleName.challenge] = try Self.challenge(after: 0)
    try bundle.sign(toy.ownKey) { $0.challengeDigest = "none" }
    let other = try JSON(parsing: bundle.envelope(BundleName.certificate).payload)
    #expect(schema.validate(other).map(\.path.description) == ["$.predicate.challenge"])
  }

  @Test func aKeyIsPrivateAndNeverReplaced() async throws {
    let mode = try FileManager.default.attributesOfItem(atPath: toy.scratch.file("own.pem"))[.posixPermissions] as? Int
    #expect(mode == 0o600)
    let before = try toy.scratch.text("own.pem")
    let again = try await toy.conform("key", "new", "own.pem")
    #expect(again.code == 2)
    #expect(try toy.scratch.text("own.pem") == before)
    let secret = before.split(separator: "\n")[1]
    for result in [try await toy.conform("key", "public", "own.pem"), try await toy.certify()] {
      #expect(result.code == 0)
      #expect(!(result.output + result.errors).contains(secret))
    }
  }

  @Test(arguments: [
    ("own.pub", "found a public key"), ("nothing.pem", "cannot read 'nothing.pem'"),
    (ToyCertifier.record, "expected a private key"),
  ])
  func certifyRefusesWhatIsNotAPrivateKey(file: String, says: String) async throws {
    let result = try await toy.certify("--key", file)
    #expect(result.code == 2)
    #expect(result.errors.contains(says), "\(result.errors)")
    #expect(!toy.scratch.exists(ToyCertifier.bundle))
  }

  @Test(arguments: [
    ("--gate strict", "the gate of the run is 'strict'; the tier 'conformant' needs 'stated'"),
    ("--case '*'", "the run was narrowed with --case: run the whole suite"),
    ("--shard 1/2", "the record is part 1 of 2 of a run: use 'conform merge'"),
  ])
  func certifyRefusesARunThatIsNotWhole(words: String, says: String) async throws {
    // The kit calls a shard alone incomplete and does not fail it.
    try #require([0, 3].contains(try await toy.run(words).code))
    let result = try await toy.certify()
    #expect(result.code == 1)
    #expect(result.output.contains("not certified: \(says)\n"), "\(result.output)\(result.errors)")
    #expect(!toy.scratch.exists(ToyCertifier.bundle))
  }

  /// Cases that need more than the place of the adapter can do are not judged.
  @Test func certifyRefusesARunWhoseAppCouldNotBeKilled() async throws {
    let run = try await toy.conform.shell(
      """
      cd Examples/toy
      python3 -S -E '\(CarrierTests.program)' listen whole python3 cloakroom_adapter.py >address &
      until [ -s address ]; do sleep 0.02; done
      conform run --quiet --pack cloakroom --sdk "$(cat address)"
      code=$?
      kill $!
      exit $code
      """)
    try #require(run.code == 0, "\(run.output)\(run.errors)")
    let result = try await toy.certify()
    #expect(result.code == 1)
    #expect(
      result.output.contains("not certified: 'cloakroom-python' ran where its process cannot be killed"),
      "\(result.output)")
  }

  @Test func certifyRefusesARecordWithoutAnEndAndAnUnknownTier() async throws {
    #expect(try await toy.certify("--tier", "best").errors.contains("unknown tier 'best': cloakroom has conformant"))
    let lines = try toy.scratch.text(ToyCertifier.record).split(separator: "\n")
    try toy.scratch.write(ToyCertifier.record, lines.dropLast().joined(separator: "\n") + "\n")
    let result = try await toy.certify()
    #expect(result.code == 1)
    #expect(result.output.contains("the record has no end: the run was killed"))
  }

  /// A change by a forger, and the message of the verifier; an empty message if the change is not found.
  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var says: String
    var code: Int32 = 1
    var change: @Sendable (inout ForgedBundle, SigningKey) throws -> Void
  }

  static let rows = [
    Row(testDescription: "edited record", says: "the record is not the one that the statement names") { bundle, _ in
      try bundle.editRecord { $0.replacing("\"jobs\":", with: "\"jobs\":1") }
    },
    Row(testDescription: "edited evidence", says: "is another than was recorded") { bundle, _ in
      try bundle.edit(bundle.evidence) { $0.replacing("\"at\":0", with: "\"at\": 0") }
    },
    Row(testDescription: "a bad answer behind a good verdict, all signed again", says: "recorded conforms, recomputed")
    {
      bundle, key in
      try bundle.edit(bundle.evidence) { $0.replacing(/"result":"[^"]*"/, with: "\"result\":\"nothing\"") }
      try bundle.editRecord()
      try bundle.sign(key)
    },
    Row(testDescription: "evidence of another SDK, all signed again", says: "is none of those that the record names") {
      bundle, key in
      try bundle.edit(bundle.evidence) {
        $0.replacing(/"name":"[^"]*","version"/, with: "\"name\":\"better\",\"version\"")
      }
      try bundle.editRecord()
      try bundle.sign(key)
    },
    Row(testDescription: "another SDK's name in record and evidence, all signed again", says: "valid: better", code: 0)
    {
      bundle, key in
      for name in [try bundle.evidence, BundleName.record] {
        try bundle.edit(name) { $0.replacing(/"name":"[^"]*","version"/, with: "\"name\":\"better\",\"version\"") }
      }
      try bundle.editRecord()
      try bundle.sign(key)
    },
    Row(testDescription: "another SDK's name, signed with another key", says: "has no signature by the key of") {
      bundle, _ in
      for name in [try bundle.evidence, BundleName.record] {
        try bundle.edit(name) { $0.replacing(/"name":"[^"]*","version"/, with: "\"name\":\"better\",\"version\"") }
      }
      try bundle.editRecord()
      try bundle.sign(SigningKey())
    },
    Row(testDescription: "cases cut, all signed again", says: "contradicts itself or the pack") { bundle, key in
      try bundle.editRecord { $0.replacing(/"planned":[0-9]+/, with: "\"planned\":0") }
      bundle.files[BundleName.record] = try cut(bundle)
      try bundle.editRecord()
      try bundle.sign(key)
    },
    Row(testDescription: "a selection that is hidden in the record", says: "the run was narrowed with --feature") {
      bundle, key in
      try bundle.editRecord { $0.replacing("\"selection\":[", with: "\"selection\":[\"--feature\",\"1\"") }
      try bundle.sign(key)
    },
    Row(testDescription: "a position switched off", says: "the run switched positions off: P-1") { bundle, key in
      try bundle.editRecord { $0.replacing("\"withoutPositions\":[", with: "\"withoutPositions\":[\"P-1\"") }
      try bundle.sign(key)
    },
    Row(testDescription: "an older kit", says: "valid: ", code: 0) { bundle, key in
      try bundle.editRecord { $0.replacing(/"kit":"conform [^"]*"/, with: "\"kit\":\"conform 0.0.1\"") }
      try bundle.sign(key)
    },
    Row(testDescription: "an adapter that does the work of the SDK", says: "answers without the SDK: CR-003") {
      bundle, key in
      let driving = "\"driving\":{\"result\":\"answers-without\",\"cases\":1,\"requirements\":[\"CR-003\"]}"
      try bundle.editRecord { $0.replacing(/"driving":\{[^}]*\}/, with: driving) }
      try bundle.sign(key)
    },
    Row(testDescription: "another pack of the same name", says: "the run used another pack of 'cloakroom'") {
      bundle, key in
      try bundle.editRecord { $0.replacing(/"packDigest":"[0-9a-f]+"/, with: "\"packDigest\":\"5f1d\"") }
      try bundle.sign(key)
    },
    Row(testDescription: "a longer term", says: "not 365 days after it was issued") { bundle, key in
      try bundle.sign(key) { $0.expires.milliseconds += 86_400_000 }
    },
    Row(testDescription: "issued before the run", says: "after the certificate was issued") { bundle, key in
      try bundle.sign(key) {
        $0.issued.milliseconds -= 86_400_000
        $0.expires.milliseconds -= 86_400_000
      }
    },
    Row(testDescription: "a tier that does not exist", says: "the protocol has no tier 'gold'") { bundle, key in
      try bundle.sign(key) { $0.tier = "gold" }
    },
    Row(testDescription: "better counts", says: "states something else than the record: $.predicate.cases") {
      bundle, key in
      let payload = String(decoding: try bundle.envelope(BundleName.certificate).payload, as: UTF8.self)
      let better = try JSON(parsing: payload.replacing(/"cases":[0-9]+/, with: "\"cases\":99"))
      try bundle.put(BundleName.certificate, better, [key])
    },
    Row(testDescription: "a statement of a later version", says: "a later version needs a later kit", code: 2) {
      bundle, key in
      let payload = String(decoding: try bundle.envelope(BundleName.certificate).payload, as: UTF8.self)
      try bundle.put(
        BundleName.certificate, JSON(parsing: payload.replacing("conformance/v1", with: "conformance/v2")), [key])
    },
    Row(testDescription: "no subject", says: "expected the record 'run.jsonl' as the first subject", code: 2) {
      bundle, key in
      let payload = String(decoding: try bundle.envelope(BundleName.certificate).payload, as: UTF8.self)
      try bundle.put(
        BundleName.certificate, JSON(parsing: payload.replacing(/"subject":\[.*?\]/, with: "\"subject\":[]")), [key])
    },
    Row(testDescription: "signature stripped", says: "'certificate.dsse.json' has no signature by the key of") {
      bundle, _ in
      try bundle.edit(BundleName.certificate) { $0.replacing(/"signatures":\[.*\]/, with: "\"signatures\":[]") }
    },
    Row(testDescription: "a member that no signature covers", says: "found other members, spaces", code: 2) {
      bundle, _ in
      try bundle.edit(BundleName.certificate) { $0.replacing("{\"payloadType\"", with: "{\"note\":1,\"payloadType\"") }
    },
    Row(testDescription: "a signature of no key", says: "expected an Ed25519 signature of 64 bytes", code: 2) {
      bundle, _ in
      try bundle.edit(BundleName.certificate) { $0.replacing("]}", with: ",{\"keyid\":\"x\",\"sig\":\"AAAA\"}]}") }
    },
    Row(testDescription: "a further participant", says: "has the role 'counter', which takes part in no case") {
      bundle, key in
      try bundle.editRecord { record in
        let lines = record.split(separator: "\n")
        let subject = lines.firstIndex { $0.contains("\"record\":\"subject\"") } ?? 0
        let third = lines[subject].replacing(/"role":"[a-z]+"/, with: "\"role\":\"counter\"")
        return (lines[...subject] + [third] + lines[(subject + 1)...]).joined(separator: "\n") + "\n"
      }
      try bundle.sign(key)
    },
    Row(testDescription: "issued during the run", says: "after the certificate was issued") { bundle, key in
      try bundle.editRecord { $0.replacing(/"duration":[0-9.]+/, with: "\"duration\":864000000") }
      try bundle.sign(key)
    },
    Row(testDescription: "signature of another statement", says: "'certificate.dsse.json' has no signature by") {
      bundle, _ in
      var envelope = try bundle.envelope(BundleName.certificate)
      envelope.signatures = try bundle.envelope(BundleName.testResult).signatures
      bundle.files[BundleName.certificate] = envelope.file
    },
    Row(testDescription: "extra evidence", says: "the record does not name the evidence 'extra.jsonl'") { bundle, _ in
      bundle.files["evidence/extra.jsonl"] = [0x7B, 0x7D]
    },
    Row(testDescription: "missing evidence", says: "the bundle lacks the evidence") { bundle, _ in
      bundle.files[try bundle.evidence] = nil
    },
    Row(testDescription: "another file of the protocol", says: "the files of the protocol are not those that the") {
      bundle, _ in
      try bundle.edit("pack/requirements/all.yaml") { $0.replacing("level: MUST", with: "level: MAY") }
    },
    Row(testDescription: "an extra file of the protocol", says: "the files of the protocol are not those that the") {
      bundle, _ in
      bundle.files["pack/cases/more.yaml"] = Array("kit: 2\ncases: []\n".utf8)
    },
    Row(testDescription: "findings that nobody signed", says: "the findings are not those that the statement names") {
      bundle, _ in
      bundle.files[BundleName.findings] = Array("{\"findings\":[]}".utf8)
    },
    Row(
      testDescription: "a challenge that the statement does not name", says: "the challenge is not the one that the"
    ) { bundle, _ in
      bundle.files[BundleName.challenge] = try challenge(after: 0)
    },
    Row(
      testDescription: "a challenge after the run, all signed again", says: "does not follow from the challenge"
    ) { bundle, key in
      let bytes = try challenge(after: 0)
      bundle.files[BundleName.challenge] = bytes
      try bundle.sign(key) { $0.challengeDigest = Digest.of(bytes) }
    },
    Row(testDescription: "no record", says: "the bundle does not contain 'run.jsonl'", code: 2) { bundle, _ in
      bundle.files[BundleName.record] = nil
    },
  ]

  /// A new challenge, some minutes from now.
  private static func challenge(after minutes: Int) throws -> [UInt8] {
    let begin = Date().addingTimeInterval(Double(minutes) * 60)
    let payload: JSON = [
      "challenge": 1, "nonce": .string(String(repeating: "5a", count: 32)),
      "issued": .string(begin.formatted(.iso8601)),
      "expires": .string(begin.addingTimeInterval(3600).formatted(.iso8601)),
    ]
    let envelope = Envelope(type: Challenge.payloadType, payload: Array(payload.compactText.utf8))
    return Array(envelope.representation.compactText.utf8)
  }

  /// A record without its cases and verdicts.
  private static func cut(_ bundle: ForgedBundle) throws -> [UInt8] {
    let lines = try bundle.text(BundleName.record).split(separator: "\n").filter {
      !$0.contains("\"record\":\"case\"") && !$0.contains("\"record\":\"verdict\"")
    }
    return Array((lines.joined(separator: "\n") + "\n").utf8)
  }

  @Test func eachForgeryIsFoundOrKnownNotToBe() async throws {
    try #require(try await toy.certify().code == 0)
    let original = try Data(contentsOf: URL(filePath: toy.scratch.file(ToyCertifier.bundle)))
    for row in Self.rows {
      try original.write(to: URL(filePath: toy.scratch.file(ToyCertifier.bundle)))
      var bundle = try ForgedBundle(toy.scratch.file(ToyCertifier.bundle))
      try row.change(&bundle, try toy.ownKey)
      try bundle.write(to: toy.scratch.file(ToyCertifier.bundle))
      let result = try await toy.verify()
      let text = result.output + result.errors
      #expect(result.code == row.code && text.contains(row.says), "\(row.testDescription): \(result.code) \(text)")
    }
  }

  /// The bundle contains a protocol that the kit does not have. A person who verifies sees where it comes from.
  @Test func aProtocolOutsideTheKitIsInTheBundle() async throws {
    try #require(try await toy.certify().code == 0)
    try FileManager.default.removeItem(atPath: toy.scratch.file(ToyCertifier.pack))
    let verified = try await toy.conform("verify", ToyCertifier.bundle, "--key", "own.pub")
    #expect(verified.code == 0, "\(verified.output)\(verified.errors)")
    #expect(
      verified.output.contains(
        "\ndoes not prove: The requirements are those of the document: this kit does not contain 'cloakroom'"))
    let python = "python3 -B '\(ToyCertifier.examples)/verify-python/verify.py' \(ToyCertifier.bundle) --key own.pub"
    #expect(try await toy.conform.shell(python).code == 0)
    var bundle = try ForgedBundle(toy.scratch.file(ToyCertifier.bundle))
    bundle.files["pack/protocol.yaml"] = Array("protocol: other\n".utf8)
    try bundle.write(to: toy.scratch.file(ToyCertifier.bundle))
    #expect(try await toy.conform.shell(python).code == 1)
    #expect(try await toy.conform("verify", ToyCertifier.bundle, "--key", "own.pub").code == 1)
  }

  /// Runs the suite by `certify` itself.
  private func certifyNow(
    _ words: String..., output: String = ToyCertifier.bundle
  ) async throws -> Command.Result {
    try await toy.conform.run(
      [
        "certify", "--pack", ToyCertifier.pack, "--sdk", ToyCertifier.adapter, "--tier", "conformant", "--key",
        "own.pem", "--output", output,
      ] + words)
  }

  @Test func certifyRunsTheWholeSuiteItself() async throws {
    let result = try await certifyNow()
    #expect(result.code == 0, "\(result.output)\(result.errors)")
    #expect(toy.scratch.exists(ToyCertifier.bundle + ".report/run.jsonl"))
    let verified = try await toy.verify()
    #expect(verified.code == 0, "\(verified.output)\(verified.errors)")
    #expect(verified.output.contains("proves: The seed follows from a challenge that sha256:"), "\(verified.output)")
    let python = "python3 -B '\(ToyCertifier.examples)/verify-python/verify.py' \(ToyCertifier.bundle) --key own.pub"
    #expect(try await toy.conform.shell(python).code == 0)
    #expect(try await certifyNow().errors.contains("'\(ToyCertifier.bundle)' exists"))
  }

  @Test func certifyAnswersAChallengeInItsTime() async throws {
    try #require(try await toy.conform("challenge", "new", "--output", "own.json").code == 0)
    let other = try await toy.certify("--challenge", "own.json")
    #expect(other.code == 1)
    #expect(other.output.contains("not certified: the seed of the run does not follow from the challenge"))
    let result = try await certifyNow("--challenge", "own.json")
    #expect(result.code == 0, "\(result.output)\(result.errors)")
    let verified = try await toy.verify()
    #expect(verified.output.contains("no key of --key signed the challenge in the bundle"), "\(verified.output)")
    let own = try await toy.verify("--challenge", "own.json")
    #expect(own.output.contains("proves: The seed follows from the challenge"), "\(own.output)")
    for (minutes, says) in [(-90, "the challenge expired at"), (90, "which is in the future")] {
      try toy.scratch.write("other.json", String(decoding: Self.challenge(after: minutes), as: UTF8.self))
      let refused = try await certifyNow("--challenge", "other.json", "--report", "other", output: "other.tar")
      #expect(refused.code == 2 && refused.errors.contains(says), "\(refused.output)\(refused.errors)")
      #expect(!toy.scratch.exists("other.tar") && !toy.scratch.exists("other"))
    }
  }

  @Test(arguments: [
    (["--record", ToyCertifier.record], "give the SDK to run with --sdk, or the record"),
    (["--tier", "best"], "unknown tier 'best'"),
  ])
  func certifyRefusesBeforeItRuns(words: [String], says: String) async throws {
    let result = try await toy.conform.run(
      ["certify", "--pack", ToyCertifier.pack, "--sdk", ToyCertifier.adapter]
        + (words.contains("--tier") ? [] : ["--tier", "conformant"])
        + ["--key", "own.pem", "--output", ToyCertifier.bundle] + words)
    #expect(result.code == 2 && result.errors.contains(says), "\(result.errors)")
    #expect(!toy.scratch.exists(ToyCertifier.bundle + ".report"))
  }

  @Test func timeAndKeysDecide() async throws {
    try #require(try await toy.certify().code == 0)
    #expect(try await toy.verify("--at", "2100-01-01T00:00:00Z").code == 5)
    #expect(try await toy.verify("--at", "2100-01-01T00:00:00Z").output.hasPrefix("expired: "))
    #expect(try await toy.verify("--at", "2020-01-01T00:00:00Z").code == 1)
    try #require(try await toy.conform("key", "new", "other.pem").code == 0)
    try #require(try await toy.conform("key", "public", "other.pem", "--output", "other.pub").code == 0)
    #expect(try await toy.verify("--key", "other.pub").code == 1)
    #expect(try await toy.verify("--key", "own.pem").code == 2)
    #expect(try await toy.conform("verify", "--pack", ToyCertifier.pack, ToyCertifier.bundle).code == 2)
    #expect(try await toy.verify(bundle: ToyCertifier.record).code == 2)
  }

  /// The format is described well enough for a program that shares no code with the kit.
  @Test func theVerifierInPythonAgrees() async throws {
    try #require(try await toy.certify().code == 0)
    let python = "python3 -B '\(ToyCertifier.examples)/verify-python/verify.py' \(ToyCertifier.bundle) --key own.pub"
    try #require(
      try await toy.conform.shell("python3 -c 'import cryptography'").code == 0,
      "bin/test installs PyPI's cryptography for the verifier in Python")
    #expect(try await toy.conform.shell(python).code == 0)
    #expect(try await toy.conform.shell(python + " --at 2100-01-01T00:00:00Z").code == 5)
    let original = try ForgedBundle(toy.scratch.file(ToyCertifier.bundle))
    // Forgeries that show only to a reader who judges, or who has the pack.
    let onlyByJudging: Set = [
      "a bad answer behind a good verdict, all signed again", "evidence of another SDK, all signed again",
      "another SDK's name in record and evidence, all signed again", "another pack of the same name", "a longer term",
      "a tier that does not exist", "better counts", "an adapter that does the work of the SDK",
      "a further participant",
    ]
    for row in Self.rows {
      var bundle = original
      try row.change(&bundle, try toy.ownKey)
      try bundle.write(to: toy.scratch.file(ToyCertifier.bundle))
      let code = try await toy.conform.shell(python).code
      #expect(code == (onlyByJudging.contains(row.testDescription) ? 0 : row.code), "\(row.testDescription): \(code)")
    }
  }
}

extension JSONSchema {
  /// A schema of `spec/schema`.
  static func published(_ name: String) throws -> JSONSchema {
    let path = "\(ToyCertifier.examples)/../spec/schema/\(name).schema.json"
    return try JSONSchema(JSON(parsing: Array(Data(contentsOf: URL(filePath: path)))))
  }
}
