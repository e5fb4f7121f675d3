import FoundationEssentials
import Glibc

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

  /// Whether hardly anything more can be stored, so that what an app could not store says nothing about it.
  var isFull: Bool {
    var status = statvfs()
    return statvfs(path, &status) == 0 && Self.isFull(status)
  }

  static func isFull(_ status: statvfs) -> Bool {
    let room = status.f_bavail * UInt(status.f_frsize)
    // A file system that makes inodes as it needs them counts none.
    return room < leastRoom || status.f_files > 0 && status.f_favail == 0
  }

  /// What an app may want to store at once, in bytes.
  private static let leastRoom: UInt = 64 << 10

  /// Removes what is in it.
  func empty() throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: path) {
      try FileManager.default.removeItem(atPath: path + "/" + name)
    }
  }

  /// Removes it; what an app that is still dying writes is left to the system's own cleaning.
  func remove() { try? FileManager.default.removeItem(atPath: path) }
}
