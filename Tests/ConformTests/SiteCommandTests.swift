import Foundation
import Testing

/// `conform site`: the files that it writes into a folder, and those that it leaves alone.
@Suite struct SiteCommandTests {
  private let toy: ToyCertifier

  init() async throws { toy = try await ToyCertifier() }

  private func site(into output: String) async throws -> Command.Result {
    try await toy.conform("site", "--pack", ToyCertifier.pack, ToyCertifier.record, "--output", output)
  }

  private func makeFolder(_ name: String, with file: String) throws {
    try FileManager.default.createDirectory(atPath: toy.scratch.file(name), withIntermediateDirectories: false)
    try toy.scratch.write("\(name)/\(file)", "kept")
  }

  @Test func theNextSiteReplacesTheFilesOfTheOneBefore() async throws {
    for _ in 0..<2 {
      let result = try await site(into: "public")
      #expect(result.code == 0, "\(result.errors)")
    }
    #expect(["index.html", "index.json", "subjects", "badges"].allSatisfy { toy.scratch.exists("public/\($0)") })
  }

  @Test func aFolderOfOthersStaysAsItIs() async throws {
    try makeFolder("mine", with: "notes.txt")
    let result = try await site(into: "mine")
    #expect(result.code == 2 && result.errors.contains("is not a site of the kit"), "\(result.errors)")
    #expect(!toy.scratch.exists("mine/index.html"))
  }

  /// A link in the folder must not decide which files are replaced.
  @Test(arguments: [("subjects", "elsewhere"), ("index.html", "elsewhere/kept.html")])
  func noLinkIsFollowed(name: String, target: String) async throws {
    try #require(try await site(into: "public").code == 0)
    try makeFolder("elsewhere", with: "kept.html")
    try FileManager.default.removeItem(atPath: toy.scratch.file("public/\(name)"))
    try FileManager.default.createSymbolicLink(
      atPath: toy.scratch.file("public/\(name)"), withDestinationPath: toy.scratch.file(target))
    let result = try await site(into: "public")
    #expect(result.code == 2, "\(result.output)\(result.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: toy.scratch.file("elsewhere")) == ["kept.html"])
    #expect(try toy.scratch.text("elsewhere/kept.html") == "kept")
  }
}
