import Certification
import Foundation
import Testing

/// A certificate is compared with files, and with an SDK that claims it.
@Suite struct SpotCheckTests {
  private let toy: ToyCertifier

  init() async throws { toy = try await ToyCertifier() }

  private static let adapter = "Examples/toy/cloakroom_adapter.py"

  @Test func theCertifiedSDKBehavesAsItsCertificateSays() async throws {
    try #require(try await toy.certify().code == 0)
    let result = try await toy.verify("--spot", "3", "--sdk", ToyCertifier.adapter)
    #expect(result.code == 0, "\(result.output)\(result.errors)")
    let proof = /proves: The SDK of --sdk behaves as the certificate says in [123] cases? drawn now, in all of/
    #expect(result.output.contains(proof))
  }

  @Test func anotherBuildIsFound() async throws {
    try #require(try await toy.certify().code == 0)
    let source = try toy.scratch.text(Self.adapter)
    let other = source.replacing(#/"version": "[^"]*"/#, with: #""version": "99""#)
    try #require(other != source)
    try toy.scratch.write(Self.adapter, other)
    let result = try await toy.verify("--spot", "1", "--sdk", ToyCertifier.adapter)
    #expect(result.code == 1, "\(result.output)\(result.errors)")
    #expect(result.output.contains("not valid: the SDK introduced itself as"), "\(result.output)")
  }

  /// Replaces a text in a file of the toy. Something must change.
  private func edit(_ file: String, _ old: String, _ new: String) throws {
    let text = try toy.scratch.text(file)
    try #require(text.contains(old))
    try toy.scratch.write(file, text.replacing(old, with: new))
  }

  /// Another build with the same name, version and capabilities as the certified one.
  @Test func anotherBehaviourWithTheSameIntroductionIsFound() async throws {
    try #require(try await toy.certify().code == 0)
    try edit("Examples/toy/cloakroom_sdk.py", "json.loads(body)[\"coat\"]", "\"a hat\"")
    let result = try await toy.verify("--spot", "5", "--sdk", ToyCertifier.adapter)
    #expect(result.code == 1, "\(result.output)\(result.errors)")
    #expect(
      result.output.contains("not valid: CR-003 app.fetch@any: the certificate has 'conforms', this run 'violates'"),
      "\(result.output)")
  }

  /// The issuer wrote the transcripts of an SDK that never ran. Everything is signed again, so only a run shows it.
  @Test func transcriptsWithoutARunAreFound() async throws {
    try #require(try await toy.certify().code == 0)
    var bundle = try ForgedBundle(toy.scratch.file(ToyCertifier.bundle))
    for name in [try bundle.evidence, BundleName.record] {
      try bundle.edit(name) { $0.replacing("\"name\":\"cloakroom-python\"", with: "\"name\":\"never-run\"") }
    }
    try bundle.editRecord()
    try bundle.sign(toy.ownKey)
    try bundle.write(to: toy.scratch.file(ToyCertifier.bundle))
    #expect(try await toy.verify().code == 0)
    try edit(Self.adapter, "\"name\": \"cloakroom-python\"", "\"name\": \"never-run\"")
    try edit("Examples/toy/cloakroom_sdk.py", "json.loads(body)[\"coat\"]", "None")
    let result = try await toy.verify("--spot", "5", "--sdk", ToyCertifier.adapter)
    #expect(result.code == 1, "\(result.output)\(result.errors)")
    let says = "not valid: CR-003 app.fetch@any: the certificate has 'conforms'"
    #expect(result.output.contains(says), "\(result.output)")
  }

  @Test(arguments: [
    (["--spot", "3"], "give --spot NUMBER together with --sdk"), (["--spot", "0", "--sdk", "x"], "1 to 10000 cases"),
    (["--against", "nowhere"], "the certificate names no file"),
  ])
  func refusesWhatCannotBeCompared(words: [String], says: String) async throws {
    try #require(try await toy.certify().code == 0)
    let result = try await toy.conform.run(
      ["verify", "--pack", ToyCertifier.pack, ToyCertifier.bundle, "--key", "own.pub"] + words)
    #expect(result.code == 2 && result.errors.contains(says), "\(result.code) \(result.output)\(result.errors)")
  }

  @Test func theFilesOfACheckoutAreComparedOneByOne() async throws {
    let folder = "Examples/python"
    try #require(try await toy.certify("--artifact", folder).code == 0)
    let same = try await toy.verify("--against", folder)
    #expect(same.code == 0 && same.output.contains("the certificate names are in '\(folder)'"), "\(same.output)")
    try toy.scratch.write("\(folder)/new.py", "")
    let more = try await toy.verify("--against", folder)
    #expect(more.code == 0 && more.output.contains("does not name 1 file."), "\(more.output)")
    let name = "linkforty_adapter.py"
    try toy.scratch.write("\(folder)/\(name)", try toy.scratch.text("\(folder)/\(name)") + "\n")
    let changed = try await toy.verify("--against", folder)
    #expect(changed.code == 1)
    #expect(changed.output.contains("'\(folder)/\(name)' is not the file that was certified\n"), "\(changed.output)")
    let other = try await toy.verify("--against", "Examples/toy")
    #expect(other.output.contains("not valid: '\(name)' is not in 'Examples/toy'\n"), "\(other.output)")
    try FileManager.default.createSymbolicLink(
      atPath: toy.scratch.file("\(folder)/link"), withDestinationPath: "/etc/passwd")
    let linked = try await toy.verify("--against", folder)
    #expect(linked.code == 2 && linked.errors.contains("is not a regular file"), "\(linked.errors)")
  }
}
