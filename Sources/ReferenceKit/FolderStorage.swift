import FoundationEssentials

/// Files in a folder of the file system.
package final class FolderStorage: Storage {
  private let folder: URL

  /// `path` is a folder that exists.
  package init(path: String) { folder = URL(filePath: path, directoryHint: .isDirectory) }

  package func read(_ name: String) -> [UInt8]? {
    (try? Data(contentsOf: folder.appending(path: name))).map { Array($0) }
  }

  package func replace(_ name: String, with bytes: [UInt8]) throws {
    try Data(bytes).write(to: folder.appending(path: name), options: .atomic)
  }

  package func remove(_ name: String) throws {
    let file = folder.appending(path: name)
    if FileManager.default.fileExists(atPath: file.path) { try FileManager.default.removeItem(at: file) }
  }
}
