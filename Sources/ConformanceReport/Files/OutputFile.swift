import CLinux
import Glibc
import Synchronization
import SystemPackage

/// A file opened for writing, emptied first: each write reaches the system before it returns, none is torn by another.
///
/// What was written survives the death of the process; it is not forced to the disk. At a pipe that nobody reads the
/// work goes on once its task is cancelled: who asked for an end must not wait for a reader.
package final class OutputFile: Sendable {
  package let path: String
  private struct State {
    /// nil once closed.
    var descriptor: FileDescriptor?
    /// How many bytes were written.
    var length: Int64 = 0
    /// What the path has to lead to from now on; nil for a pipe.
    var written: WrittenFile?
  }
  private let state: Mutex<State>

  /// Opens exactly this file, creating it when it is not there; its folder must be.
  package convenience init(_ path: String) throws(FileProblem) {
    try self.init(path) { (try? Self.open(path))?.rawValue ?? -1 }
  }

  /// Takes a file that is opened in another way, and is empty.
  ///
  /// - Parameter open: gives a descriptor, or -1 with errno; with `O_NONBLOCK`, where the file may be a pipe.
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

  /// How often it is tried again to open a file.
  private static func patience(_ code: Int32) -> Int {
    switch code {
    // Where too many files are open, one that is closed meanwhile makes room: cases end all the time.
    case EMFILE, ENFILE: 100
    // Whoever reads a pipe may come later.
    case ENXIO where !Task.isCancelled: Int(clinux_pipe_patience) * 1_000_000 / Int(pause)
    default: 0
    }
  }

  /// How long is waited before it is tried again, in microseconds.
  private static let pause = UInt32(20_000)

  private static func open(_ path: String) throws -> FileDescriptor {
    try FileDescriptor.open(
      FilePath(path), .writeOnly, options: [.append, .create, .truncate, .closeOnExec, .nonBlocking],
      permissions: [.ownerReadWrite, .groupRead, .otherRead])
  }

  // Who wants to know whether all of it is written calls `finish`.
  deinit { state.withLock { try? $0.descriptor?.close() } }

  /// Writes all of the bytes.
  package func write(_ bytes: UnsafeRawBufferPointer) throws(FileProblem) {
    try FileProblem.wrap(.write, path) { try writeAll(bytes) }
  }

  /// Writes all of the bytes.
  package func write(_ bytes: [UInt8]) throws(FileProblem) {
    try FileProblem.wrap(.write, path) { try bytes.withUnsafeBytes(writeAll) }
  }

  /// Writes all of the text.
  package func write(_ text: String) throws(FileProblem) { try write(Array(text.utf8)) }

  private func writeAll(_ bytes: UnsafeRawBufferPointer) throws {
    try state.withLock { state in
      guard let descriptor = state.descriptor else { throw Errno.badFileDescriptor }
      do {
        try Self.write(bytes, to: descriptor)
        state.length += Int64(bytes.count)
      } catch {
        // What was written for want of room in part only would stand in the way of what is written next.
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
        // A pipe that is full. Whoever reads it may take the time it takes, unless an end was asked for.
        if !clinux_takes_bytes(descriptor.rawValue, 100), Task.isCancelled { futile += 1 }
        if futile > 20 { throw Errno.timedOut }
      }
    }
  }

  /// What was written so far, to be compared with what is there; nil for a pipe.
  package var written: WrittenFile? {
    state.withLock { state in
      var written = state.written
      written?.length = state.length
      return written
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
