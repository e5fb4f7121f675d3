import Foundation
import Testing

/// The pages that the command writes follow from the data, and the committed pages are the same.
@Suite struct WrittenPageTests {
  @Test(arguments: ["linkforty", "mobile-engage", "sentiance"])
  func theCommittedPageIsTheOneOfTheData(name: String) async throws {
    let folder = try Scratch()
    let page = try await Command(in: folder)("explain", "adapter", "--protocol", name)
    #expect(page.code == 0, "\(page.errors)")
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../spec/\(name)/ADAPTER.md")
    let committed = try String(contentsOf: file, encoding: .utf8)
    #expect(
      page.output == committed,
      "write it anew: conform explain adapter --protocol \(name) > spec/\(name)/ADAPTER.md")
  }

  @Test func theCommittedPageOfTheChecksIsTheOneOfTheCode() async throws {
    let page = try await Command(in: Scratch())("explain", "checks")
    #expect(page.code == 0, "\(page.errors)")
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../spec/kit/checks.md")
    let committed = try String(contentsOf: file, encoding: .utf8)
    #expect(page.output == committed, "write it anew: conform explain checks > spec/kit/checks.md")
  }

  /// Pages about the core use the example of the core. Only the decisions may name protocols, since they describe the
  /// history.
  @Test func thePagesOfTheCoreQuoteNoProtocolOfAPack() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
    func texts(in folder: String) throws -> [(file: String, text: String)] {
      let files = try FileManager.default.contentsOfDirectory(
        at: root.appending(path: folder), includingPropertiesForKeys: nil)
      return try files.filter { ["md", "yaml"].contains($0.pathExtension) }.map {
        ($0.lastPathComponent, try String(contentsOf: $0, encoding: .utf8))
      }
    }
    let packs = ["linkforty", "mobile-engage", "sentiance"]
    let ids = Set(
      try packs.flatMap { try texts(in: "spec/\($0)/requirements") }
        .flatMap { $0.text.matches(of: /- id: ([A-Z]+-[A-Z]+-\d+)/).map { String($0.1) } })
    #expect(ids.count > 500)
    let pages = try texts(in: "spec/kit").filter { $0.file.hasSuffix(".md") && $0.file != "decisions.md" }
    #expect(pages.count > 8)
    for page in pages {
      let quoted = page.text.matches(of: /\b[A-Z]+-[A-Z]+-\d+/).map { String($0.0) }.filter { ids.contains($0) }
      #expect(quoted.isEmpty, "\(page.file) quotes \(quoted): take a rule of Beacon")
      let named = packs.filter {
        page.text.contains("protocol: \($0)\n") || page.text.contains("\"protocol\":\"\($0)\"")
      }
      #expect(named.isEmpty, "\(page.file) shows a file of \(named): take one of Beacon")
    }
  }
}
