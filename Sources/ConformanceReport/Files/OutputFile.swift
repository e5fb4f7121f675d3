import Glibc
import Synchronization
import SystemPackage

/// A file opened for writing, emptied first: each write reaches the system before it returns, none is torn by another.
///
/// What was written survives the death of the process; it is not forced to the disk.
package final class OutputFile: Sendable {
  package let path: String
  private struct State {
    /// nil once closed.
    var descriptor: FileDescriptor?
    /// How many bytes were written.
    var length: Int64 = 0
  }
  private let state: Mutex<State>

  /// Opens exactly this file, creating it when it is not there; its folder must be.
  package convenience init(_ path: String) throws(FileProblem) {
    try self.init(path) { (try? Self.open(path))?.rawValue ?? -1 }
  }

  /// Takes a file that is opened in another way, and is empty.
  ///
  /// - Parameter open: gives a descriptor, or -1 with errno.
  package init(_ path: String, opening open: () -> Int32) throws(FileProblem) {
    self.path = path
    let descriptor = try FileProblem.wrap(.write, path) {
      // Where too many files are open, one that is closed meanwhile makes room: cases end all the time.
      for _ in 0..<Self.patience {
        let file = open()
        if file >= 0 { return FileDescriptor(rawValue: file) }
        guard errno == EMFILE || errno == ENFILE else { break }
        usleep(Self.pause)
      }
      throw Errno(rawValue: errno)
    }
    state = Mutex(State(descriptor: descriptor))
  }

  /// How often room for one more open file is waited for, and how long each time in microseconds.
  private static let (patience, pause) = (100, UInt32(20_000))

  private static func open(_ path: String) throws -> FileDescriptor {
    try FileDescriptor.open(
      FilePath(path), .writeOnly, options: [.create, .truncate, .closeOnExec],
      permissions: [.ownerReadWrite, .groupRead, .otherRead])
  }

  // Who wants to know whether all of it is written calls `finish`.
  deinit { state.withLock { try? $0.descriptor?.close() } }

  /// Writes all of the bytes.
  package func write(_ bytes: UnsafeRawBufferPointer) throws(FileProblem) { try writeAll(bytes) }

  /// Writes all of the bytes.
  package func write(_ bytes: [UInt8]) throws(FileProblem) { try writeAll(bytes) }

  /// Writes all of the text.
  package func write(_ text: String) throws(FileProblem) { try writeAll(text.utf8) }

  private func writeAll(_ bytes: some Sequence<UInt8>) throws(FileProblem) {
    try FileProblem.wrap(.write, path) {
      try state.withLock { state in
        guard let descriptor = state.descriptor else { throw Errno.badFileDescriptor }
        do {
          state.length += Int64(try descriptor.writeAll(bytes))
        } catch {
          // What was written for want of room in part only would stand in the way of what is written next.
          if ftruncate(descriptor.rawValue, Int(state.length)) == 0 {
            _ = try? descriptor.seek(offset: state.length, from: .start)
          }
          throw error
        }
      }
    }
  }

  /// How many bytes were written.
  package var length: Int64 { state.withLock(\.length) }

  /// Takes back what was written behind so many bytes.
  package func cut(to length: Int64) throws(FileProblem) {
    try FileProblem.wrap(.write, path) {
      try state.withLock { state in
        guard let descriptor = state.descriptor else { throw Errno.badFileDescriptor }
        guard ftruncate(descriptor.rawValue, Int(length)) == 0 else { throw Errno(rawValue: errno) }
        try descriptor.seek(offset: length, from: .start)
        state.length = length
      }
    }
  }

  /// Ends the writing. Some file systems report only here that there was no room.
  package func finish() throws(FileProblem) {
    try FileProblem.wrap(.write, path) {
      try state.withLock { state in try state.descriptor.take()?.close() }
    }
  }
}
