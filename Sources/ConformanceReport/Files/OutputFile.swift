import Glibc
import Synchronization
import SystemPackage

/// A file opened for writing, emptied first: each write reaches the system before it returns, none is torn by another.
///
/// What was written survives the death of the process; it is not forced to the disk.
package final class OutputFile: Sendable {
  package let path: String
  /// nil once closed.
  private let descriptor: Mutex<FileDescriptor?>

  /// Opens exactly this file, creating it when it is not there; its folder must be.
  package init(_ path: String) throws(FileProblem) {
    self.path = path
    descriptor = Mutex(
      try FileProblem.wrap(.write, path) {
        // Where too many files are open, one that is closed meanwhile makes room: cases end all the time.
        for _ in 0..<Self.patience {
          do { return try Self.open(path) } catch Errno.tooManyOpenFiles { usleep(Self.pause) }
        }
        return try Self.open(path)
      })
  }

  /// How often room for one more open file is waited for, and how long each time in microseconds.
  private static let (patience, pause) = (100, UInt32(20_000))

  private static func open(_ path: String) throws -> FileDescriptor {
    try FileDescriptor.open(
      FilePath(path), .writeOnly, options: [.create, .truncate, .closeOnExec],
      permissions: [.ownerReadWrite, .groupRead, .otherRead])
  }

  // Who wants to know whether all of it is written calls `finish`.
  deinit { descriptor.withLock { try? $0?.close() } }

  /// Writes all of the bytes.
  package func write(_ bytes: UnsafeRawBufferPointer) throws(FileProblem) { try writeAll(bytes) }

  /// Writes all of the bytes.
  package func write(_ bytes: [UInt8]) throws(FileProblem) { try writeAll(bytes) }

  /// Writes all of the text.
  package func write(_ text: String) throws(FileProblem) { try writeAll(text.utf8) }

  private func writeAll(_ bytes: some Sequence<UInt8>) throws(FileProblem) {
    try FileProblem.wrap(.write, path) {
      try descriptor.withLock { descriptor in
        guard let descriptor else { throw Errno.badFileDescriptor }
        _ = try descriptor.writeAll(bytes)
      }
    }
  }

  /// Ends the writing. Some file systems report only here that there was no room.
  package func finish() throws(FileProblem) {
    try FileProblem.wrap(.write, path) {
      try descriptor.withLock { descriptor in try descriptor.take()?.close() }
    }
  }
}
