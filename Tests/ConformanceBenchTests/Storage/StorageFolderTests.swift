import Foundation
import Testing

@testable import Processes

/// Storage is emptied and removed whatever an app has put there, and nothing else is.
@Suite struct StorageFolderTests {
  private let storage: StorageFolder

  init() throws { storage = try StorageFolder() }

  private var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: storage.path) }
  }

  /// Folders in folders, deeper than any path may be long.
  private func nest(_ count: Int) throws {
    var here = open(storage.path, O_RDONLY)
    for _ in 0..<count {
      try #require(mkdirat(here, "d", 0o700) == 0)
      // There is no call to open below a descriptor, but below its entry in /proc there is.
      let below = open("/proc/self/fd/\(here)/d", O_RDONLY)
      close(here)
      here = below
    }
    close(here)
  }

  @Test func foldersGoHoweverDeepTheyAre() throws {
    try nest(10_000)
    try storage.empty()
    #expect(try names.isEmpty)
    try nest(3_000)
    storage.remove()
    #expect(!FileManager.default.fileExists(atPath: storage.path))
  }

  @Test func modesKeepNothingBack() throws {
    try FileManager.default.createDirectory(atPath: storage.path + "/a/b/c", withIntermediateDirectories: true)
    for path in ["/a/b", "/a", ""] { #expect(chmod(storage.path + path, 0) == 0) }
    try storage.empty()
    #expect(try names.isEmpty)
    storage.remove()
  }

  @Test func whatALinkLeadsToStays() throws {
    let outside = try StorageFolder()
    defer { outside.remove() }
    let precious = outside.path + "/precious"
    try Data("kept".utf8).write(to: URL(filePath: precious))
    try FileManager.default.createSymbolicLink(atPath: storage.path + "/out", withDestinationPath: outside.path)
    try storage.empty()
    #expect(try names.isEmpty)
    // The folder itself may be replaced by a link.
    #expect(rmdir(storage.path) == 0)
    try FileManager.default.createSymbolicLink(atPath: storage.path, withDestinationPath: outside.path)
    try storage.empty()
    #expect(try names.isEmpty)
    storage.remove()
    #expect(try String(contentsOfFile: precious, encoding: .utf8) == "kept")
  }
}
