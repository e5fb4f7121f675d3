import Foundation
import Testing

@testable import Processes

/// A search finds texts in files and in their names, in any spelling, and reports no others.
@Suite struct StorageSearchTests {
  private let storage: StorageFolder

  init() throws { storage = try StorageFolder() }

  private func store(_ bytes: Data, at path: String) throws {
    let file = URL(filePath: storage.path + "/" + path)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try bytes.write(to: file)
  }

  private func finds(_ texts: String...) throws -> [StorageSearch.Find] {
    try StorageSearch.finds(of: texts, in: storage.path)
  }

  @Test(arguments: [
    String.Encoding.utf8, .utf16LittleEndian, .utf16BigEndian,
  ])
  func textIsFoundHoweverItIsWritten(encoding: String.Encoding) throws {
    defer { storage.remove() }
    for text in ["user-7F3a", "Straße-41"] {
      let bytes = try #require("\u{1}\(text.replacing("F", with: "f"))\u{2}".data(using: encoding))
      try store(bytes, at: "deep/er/state.bin")
      #expect(try finds(text, "user-7f3b") == [.init(text: text, file: "deep/er/state.bin")])
    }
  }

  @Test func namesAreSearchedAndFindsAreInOrder() throws {
    defer { storage.remove() }
    try store(Data("two texts: abcd and efgh".utf8), at: "b")
    try store(Data("efgh".utf8), at: "abcd.json")
    #expect(
      try finds("efgh", "abcd", "ijkl") == [
        .init(text: "abcd", file: "abcd.json"), .init(text: "abcd", file: "b"), .init(text: "efgh", file: "abcd.json"),
        .init(text: "efgh", file: "b"),
      ])
  }

  @Test func textIsFoundWhereverItStandsInALargeFile() throws {
    defer { storage.remove() }
    // Matches across the boundaries of reads.
    for place in [0, 65_533, 131_070, 1_000_000] {
      try store(Data(repeating: 0x2E, count: place) + Data("needle".utf8), at: "large")
      #expect(try finds("needle", "needles") == [.init(text: "needle", file: "large")])
    }
  }

  @Test func whatIsNoFileIsPassedOver() throws {
    defer { storage.remove() }
    let outside = try StorageFolder()
    defer { outside.remove() }
    try Data("secret".utf8).write(to: URL(filePath: outside.path + "/there"))
    try FileManager.default.createSymbolicLink(atPath: storage.path + "/out", withDestinationPath: outside.path)
    try FileManager.default.createSymbolicLink(
      atPath: storage.path + "/file", withDestinationPath: outside.path + "/there")
    #expect(mkfifo(storage.path + "/pipe", 0o600) == 0)
    #expect(try finds("secret").isEmpty)
  }

  @Test func tooMuchIsRefusedAndNotHalfSearched() throws {
    defer { storage.remove() }
    try store(Data(count: (64 << 20) + 1), at: "flood")
    #expect(throws: StorageSearch.Refusal.self) { try finds("secret") }
    storage.remove()
    let deep = try StorageFolder()
    defer { deep.remove() }
    let path = deep.path + String(repeating: "/d", count: 40)
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    #expect(throws: StorageSearch.Refusal.self) { try StorageSearch.finds(of: ["secret"], in: deep.path) }
  }

  /// A file in place of the storage folder cannot be searched, so the search fails.
  @Test func whatCannotBeReadIsRefused() throws {
    defer { storage.remove() }
    try store(Data("secret".utf8), at: "file")
    #expect(throws: StorageSearch.Refusal.self) {
      try StorageSearch.finds(of: ["secret"], in: storage.path + "/file")
    }
  }

  @Test func missingFolderHoldsNothing() throws {
    storage.remove()
    #expect(try finds("secret").isEmpty)
  }
}
