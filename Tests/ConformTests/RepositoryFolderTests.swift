import Foundation
import Testing

@testable import ConformanceBench

/// Submission requirements are looked for in a checkout, or attested.
@Suite struct RepositoryFolderTests {
  private let toy: ToyCertifier

  /// A toy whose tier has submission requirements, and a checkout that meets two of them.
  init() async throws {
    toy = try await ToyCertifier()
    let file = ToyCertifier.pack + "/protocol.yaml"
    let old = try toy.scratch.text(file)
    let new = old.replacing(
      "validDays: 365 }",
      with: """
        validDays: 365, submission: [{ id: package, place: manifest, text: A manifest. },
              { id: example, place: example, text: An example., flows: [{ flow: fetching, calls: [fetchCoat] }] },
              { id: releases, place: person, text: Releases. }] }
        """)
    try #require(old != new)
    try toy.scratch.write(file, new)
    let run = try await toy.run()
    try #require(run.code == 0, "\(run.output)\(run.errors)")
    for folder in ["repo/example", "repo/node_modules/x", "elsewhere"] {
      try FileManager.default.createDirectory(atPath: toy.scratch.file(folder), withIntermediateDirectories: true)
    }
    try toy.scratch.write("repo/package.json", "{\n  \"name\": \"coat\"\n}\n")
    try toy.scratch.write("repo/node_modules/x/package.json", "{\"name\": \"foreign\"}\n")
    try toy.scratch.write("repo/example/main.js", "const c = new Counter();\nc.fetchCoat(7);\n")
  }

  @Test func findsAndAttests() async throws {
    let refused = try await toy.certify("--repo", "repo")
    #expect(refused.code == 1, "\(refused.output)\(refused.errors)")
    #expect(refused.output.contains("found: package: the package is called 'coat' (package.json:2)\n"))
    #expect(refused.output.contains("found: example: shows fetching in example/main.js line 2 (example/main.js:2)\n"))
    #expect(refused.output.contains("not certified: the submission requirement 'releases' is not met"))
    let result = try await toy.certify("--repo", "repo", "--attest", "releases=1.0 and 1.1", "--attest", "package=no")
    #expect(result.code == 0, "\(result.output)\(result.errors)")
    #expect(result.output.contains("attested: releases: 1.0 and 1.1\n"))
    let verified = try await toy.verify()
    for line in [
      "issuer says: found: package: the package is called 'coat' (package.json:2)\n",
      "issuer says: found: example: shows fetching in example/main.js line 2 (example/main.js:2)\n",
      "issuer says: attested: releases: 1.0 and 1.1\n",
    ] { #expect(verified.output.contains(line), "\(verified.output)") }
    let says =
      "does not prove: The project meets its submission requirements: the issuer reports 2 submission requirements as"
      + " found in the repository, and 1 as attested."
    #expect(verified.code == 0 && verified.output.contains(says), "\(verified.output)\(verified.errors)")
  }

  @Test func followsNoLinks() async throws {
    try toy.scratch.write("elsewhere/main.js", "fetchCoat(1)\n")
    try FileManager.default.removeItem(atPath: toy.scratch.file("repo/example/main.js"))
    try FileManager.default.createSymbolicLink(
      atPath: toy.scratch.file("repo/example/main.js"), withDestinationPath: toy.scratch.file("elsewhere/main.js"))
    let result = try await toy.certify("--repo", "repo", "--attest", "releases=1.0")
    #expect(result.code == 1)
    #expect(result.output.contains("not found: example: no folder such as example"), "\(result.output)")
  }

  @Test func anSDKNamesItsOwnCalls() async throws {
    try toy.scratch.write("repo/example/main.js", "takeCoat(7)\n")
    let unknown = try await toy.certify("--repo", "repo", "--attest", "releases=1.0")
    let says = "do not show fetching (a call of fetchCoat) (example/main.js)"
    #expect(unknown.output.contains(says), "\(unknown.output)")
    try toy.scratch.write("repo/conformance.yaml", "flows:\n  fetching: [takeCoat]\n")
    #expect(try await toy.certify("--repo", "repo", "--attest", "releases=1.0").code == 0)
  }

  @Test(arguments: [
    ("flows: 1\n", "repo/conformance.yaml:1:1"), ("calls: {}\n", "expected the member 'flows' and no other"),
    ("flows: {\n", "repo/conformance.yaml"),
  ])
  func namesTheMistakeInConformanceYaml(text: String, says: String) async throws {
    try toy.scratch.write("repo/conformance.yaml", text)
    let result = try await toy.certify("--repo", "repo")
    #expect(result.code == 2 && result.errors.contains(says), "\(result.code) \(result.errors)")
    #expect(!toy.scratch.exists(ToyCertifier.bundle))
  }

  @Test func refusesAFolderThatIsNotThere() async throws {
    let result = try await toy.certify("--repo", "nowhere")
    #expect(result.code == 2 && result.errors.contains("cannot read the folder 'nowhere'"), "\(result.errors)")
  }
}
