import CLinux
import Glibc
import Synchronization
import SystemPackage

/// A file that was emptied and is open for writing. A write returns once the system has the bytes. The bytes of
/// simultaneous writes do not mix.
///
/// The data survives the end of the process, but not a failure of the machine, since it is not forced to the disk. If
/// the task is cancelled while the reader of a pipe does not read, writing fails, so that the kit can end.
package final class OutputFile: Sendable {
  package let path: String
  private struct State {
    /// nil once the file is closed.
    var descriptor: FileDescriptor?
    /// The number of bytes that were written.
    var length: Int64 = 0
    /// The identity of the open file; nil for a pipe. It shows later whether the path still leads to this file.
    var written: WrittenFile?
  }
  private let state: Mutex<State>

  /// Opens the file at this path and empties it, or creates it if it does not exist. The folder of the file must exist.
  package convenience init(_ path: String) throws(FileProblem) {
    try self.init(path) { (try? Self.open(path))?.rawValue ?? -1 }
  }

  /// Opens an empty file with the given function.
  ///
  /// - Parameter open: returns a descriptor, or sets errno and returns -1. It must use `O_NONBLOCK` if the file may be
  ///   a pipe.
  package init(_ path: String, opening open: () -> Int32) throws(FileProblem) {
    self.path = path
    let descriptor = try Self.descriptor(of: path, open)
    let written = WrittenFile(path, descriptor: descriptor.rawValue)
    state = Mutex(State(descriptor: descriptor, written: written))
  }

  private static func descriptor(of path: String, _ open: () -> Int32) throws(FileProblem) -> FileDescriptor {
    var attempt = 0
    while true {
      let file = open()
      if file >= 0 { return FileDescriptor(rawValue: file) }
      let code = errno
      guard attempt < patience(code) else {
        let reason = code == ENXIO ? FileProblem.unattended("reads") : "\(Errno(rawValue: code))"
        throw FileProblem(.write, path, reason: reason, code: code)
      }
      attempt += 1
      usleep(pause)
    }
  }

  /// The number of further attempts after opening a file has failed with this errno.
  private static func patience(_ code: Int32) -> Int {
    switch code {
    // If too many files are open, a later attempt may succeed: cases that end close their files.
    case EMFILE, ENFILE: 100
    // The reader of a pipe may open the pipe later.
    case ENXIO where !Task.isCancelled: Int(clinux_pipe_patience) * 1_000_000 / Int(pause)
    default: 0
    }
  }

  /// The pause between two attempts, in microseconds.
  private static let pause = UInt32(20_000)

  private static func open(_ path: String) throws -> FileDescriptor {
    try FileDescriptor.open(
      FilePath(path), .writeOnly, options: [.append, .create, .truncate, .closeOnExec, .nonBlocking],
      permissions: [.ownerReadWrite, .groupRead, .otherRead])
  }

  // Call `finish` to learn whether everything is written.
  deinit { state.withLock { try? $0.descriptor?.close() } }

  package func write(_ bytes: UnsafeRawBufferPointer) throws(FileProblem) {
    try FileProblem.wrap(.write, path) { try writeAll(bytes) }
  }

  package func write(_ bytes: [UInt8]) throws(FileProblem) {
    try FileProblem.wrap(.write, path) { try bytes.withUnsafeBytes(writeAll) }
  }

  package func write(_ text: String) throws(FileProblem) { try write(Array(text.utf8)) }

  private func writeAll(_ bytes: UnsafeRawBufferPointer) throws {
    try state.withLock { state in
      guard let descriptor = state.descriptor else { throw Errno.badFileDescriptor }
      do {
        try Self.write(bytes, to: descriptor)
        state.length += Int64(bytes.count)
      } catch {
        // A partly written record would corrupt the next record.
        if ftruncate(descriptor.rawValue, Int(state.length)) == 0 {
          _ = try? descriptor.seek(offset: state.length, from: .start)
        }
        throw error
      }
    }
  }

  private static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: FileDescriptor) throws {
    var rest = bytes[...]
    var futile = 0
    while !rest.isEmpty {
      do {
        rest = rest.dropFirst(try descriptor.write(UnsafeRawBufferPointer(rebasing: rest)))
      } catch Errno.resourceTemporarilyUnavailable {
        // The pipe is full. Its reader may take any time, unless the task is cancelled.
        if !clinux_takes_bytes(descriptor.rawValue, 100), Task.isCancelled { futile += 1 }
        if futile > 20 { throw Errno.timedOut }
      }
    }
  }

  /// The identity of the file and the number of written bytes; nil for a pipe. They show whether the path still leads
  /// to this file.
  package var written: WrittenFile? {
    state.withLock { state in
      var written = state.written
      written?.length = state.length
      return written
    }
  }

  /// The number of bytes that were written.
  package var length: Int64 { state.withLock(\.length) }

  /// Truncates the file to a length.
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

  /// Closes the file. Some file systems report a full disk only when a file is closed.
  package func finish() throws(FileProblem) {
    try FileProblem.wrap(.write, path) {
      try state.withLock { state in try state.descriptor.take()?.close() }
    }
  }
}
