import Foundation
import Testing

/// The page of a protocol for authors of adapters says what the data say, and what is committed is that page.
@Suite struct AdapterPageTests {
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
}
