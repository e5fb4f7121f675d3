import Glibc

/// The folder for the storage of one app. It is removed at the end of the case.
package struct StorageFolder: Sendable {
  package let path: String
  private let name: String
  private let run: RunFolder

  /// Creates a new folder below the folder of the run.
  package init() throws {
    (run, name) = try RunFolder.makeStorage()
    path = "\(run.path)/\(name)"
  }

  /// Whether the disk is nearly full, so that a failed write is not evidence about the app.
  package var isFull: Bool {
    var status = statvfs()
    return statvfs(path, &status) == 0 && Self.isFull(status)
  }

  static func isFull(_ status: statvfs) -> Bool {
    let room = status.f_bavail * UInt(status.f_frsize)
    // A file system that makes inodes on demand reports 0 inodes in total.
    return room < leastRoom || status.f_files > 0 && status.f_favail == 0
  }

  /// The number of free bytes below which the disk counts as nearly full.
  private static let leastRoom: UInt = 64 << 10

  package func empty() throws { try run.empty(name) }

  /// Removes the folder. If an app that is ending still writes to it, the rest is removed with the folder of the run.
  package func remove() { run.remove(name) }
}
