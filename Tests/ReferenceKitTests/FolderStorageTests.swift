import Foundation
import ReferenceKit
import Testing

/// Files of an app are there at its next launch, whole.
@Suite final class FolderStorageTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "storage-\(UUID().uuidString)")
  private let storage: FolderStorage

  init() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    storage = FolderStorage(path: folder.path)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  private var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()) ?? [] }

  @Test func aFileIsReplacedGrowsAndGoes() throws {
    #expect(storage.read("a") == nil)
    try storage.replace("a", with: [1, 2, 3])
    try storage.replace("a", with: [4])
    try storage.append([5, 6], to: "a")
    #expect(storage.read("a") == [4, 5, 6])
    #expect(names == ["a"])
    try storage.remove("a")
    try storage.remove("a")
    #expect(names.isEmpty)
  }

  @Test func appendingMakesAFileAndNothingIsSomething() throws {
    try storage.append([1], to: "a")
    try storage.replace("b", with: [])
    #expect(storage.read("a") == [1])
    #expect(storage.read("b") == [])
  }

  /// An app that was killed while it wrote leaves an unfinished file.
  @Test func anUnfinishedFileHarmsNothing() throws {
    try Data([9, 9, 9, 9]).write(to: folder.appending(path: "a.next"))
    #expect(storage.read("a") == nil)
    try storage.replace("a", with: [1])
    #expect(storage.read("a") == [1])
  }

  @Test func aBigFileComesBackAsItWas() throws {
    let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    try storage.replace("a", with: bytes)
    #expect(storage.read("a") == bytes)
  }

  @Test func whatCannotBeWrittenSaysWhere() throws {
    try FileManager.default.removeItem(at: folder)
    let error = #expect(throws: (any Error).self) { try storage.append([1], to: "a") }
    #expect(error.map { "\($0)" }?.hasPrefix(folder.appending(path: "a").path) == true)
    #expect(throws: (any Error).self) { try storage.replace("a", with: [1]) }
  }

  @Test func aFolderIsNoFile() throws {
    try FileManager.default.createDirectory(at: folder.appending(path: "a"), withIntermediateDirectories: true)
    #expect(storage.read("a") == nil)
  }
}
