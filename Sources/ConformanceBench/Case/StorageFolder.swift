import FoundationEssentials

/// A folder of its own for what one app stores, gone when the case is over.
struct StorageFolder: Sendable {
  let path: String

  /// Makes a fresh folder below the one for storage.
  init() throws {
    let url = Self.base.appendingPathComponent("conform-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    path = url.path
  }

  /// Where storage lies: in memory where the system has a file system for that, since an SDK that forces each write to
  /// the disk would else be judged at the speed of the disk. `TMPDIR` goes before it.
  private static let base: URL = {
    let inMemory = "/dev/shm"
    let isAsked = ProcessInfo.processInfo.environment["TMPDIR"].map { !$0.isEmpty } ?? false
    guard !isAsked, FileManager.default.isWritableFile(atPath: inMemory) else {
      return FileManager.default.temporaryDirectory
    }
    return URL(filePath: inMemory, directoryHint: .isDirectory)
  }()

  /// Removes what is in it.
  func empty() throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: path) {
      try FileManager.default.removeItem(atPath: path + "/" + name)
    }
  }

  /// Removes it; what an app that is still dying writes is left to the system's own cleaning.
  func remove() { try? FileManager.default.removeItem(atPath: path) }
}
