import Glibc

/// A folder of its own for what one app stores, gone when the case is over.
struct StorageFolder: Sendable {
  let path: String
  private let name: String
  private let run: RunFolder

  /// Makes a fresh folder below that of the run.
  init() throws {
    (run, name) = try RunFolder.makeStorage()
    path = "\(run.path)/\(name)"
  }

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
  func empty() throws { try run.empty(name) }

  /// Removes it; what an app writes there that is still dying goes with the folder of the run.
  func remove() { run.remove(name) }
}
