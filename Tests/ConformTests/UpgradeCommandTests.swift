import Foundation
import JSONKit
import Testing

/// `conform upgrade` and `conform matrix --earlier-pack`: a pack and its next revision.
@Suite struct UpgradeCommandTests {
  private let toy: ToyCertifier

  init() async throws {
    toy = try await ToyCertifier()
    try FileManager.default.copyItem(
      atPath: toy.scratch.file(ToyCertifier.pack), toPath: toy.scratch.file("newer"))
  }

  /// Changes the first file of a folder of the newer pack in which a text occurs.
  private func change(_ folder: String, _ old: String, _ new: String) throws {
    for name in try toy.scratch.names(in: "newer/\(folder)") {
      let text = try toy.scratch.text("newer/\(folder)/\(name)")
      guard let range = text.firstRange(of: old) else { continue }
      return try toy.scratch.write("newer/\(folder)/\(name)", text.replacingCharacters(in: range, with: new))
    }
    Issue.record("no file of \(folder) contains \(old)")
  }

  private func upgrade(_ words: String...) async throws -> Command.Result {
    try await toy.conform.run(["upgrade", ToyCertifier.record, "--pack", "newer"] + words)
  }

  @Test func theSamePackChangesNothing() async throws {
    let result = try await upgrade()
    #expect(result.code == 0, "\(result)")
    #expect(result.output.contains(" recomputed: 0 worse, 0 other changes, "))
    #expect(result.output.contains("; 0 cases must run again\n"))
  }

  @Test func aWeakerRequirementAndAChangedCaseAreNamed() async throws {
    try change(
      "requirements", "id: CR-003, role: sdk, level: MUST, basis: stated",
      "id: CR-003, role: sdk, level: MUST, basis: observed")
    try change("cases", "title: The app", "title: Now the app")
    let result = try await upgrade()
    #expect(result.code == 3, "\(result)")
    #expect(result.output.contains("WEAKER REQUIREMENTS\n"), "\(result.output)")
    #expect(result.output.contains("MUST RUN AGAIN: its text has changed\n"), "\(result.output)")
    let json = try JSON(parsing: try await upgrade("--format", "json").output)
    #expect(json["requirements"]?.array?.contains { $0["kind"] == "weaker" } == true)
  }

  @Test func withoutEvidenceEachCaseMustRunAgain() async throws {
    let result = try await upgrade("--evidence", "nowhere")
    #expect(result.code == 3 && result.output.contains("MUST RUN AGAIN: its evidence is not here\n"))
  }

  @Test func theMatrixShowsTwoRevisions() async throws {
    try change("cases", "title: ", "title: Now ")
    let run = try await toy.conform.shell(
      "cd Examples/toy && conform run --quiet --pack ../../newer --sdk 'python3 cloakroom_adapter.py' --output next")
    try #require(run.code == 0, "\(run)")
    let words = ["matrix", ToyCertifier.record, "Examples/toy/next/run.jsonl", "--pack", "newer"]
    let alone = try await toy.conform.run(words)
    #expect(alone.code == 2 && alone.errors.contains("packDigest"), "\(alone)")
    let both = try await toy.conform.run(words + ["--earlier-pack", ToyCertifier.pack])
    #expect(both.code == 0, "\(both)")
    #expect(both.output.matches(of: /, pack [0-9a-f]{8}\)/).count >= 2, "\(both.output)")
  }
}
