import Synchronization

/// A file opened for writing, emptied first: each write reaches the system before it returns, none is torn by another.
///
/// What was written survives the death of the process; it is not forced to the disk.
package final class OutputFile: Sendable {
  package let path: String
  /// nil once closed.
  private let descriptor: Mutex<Int32?>

  /// Opens exactly this file, creating it when it is not there; its folder must be.
  package init(_ path: String) throws(FileProblem) {
    let opened = SystemCall.openForWriting(path)
    guard opened >= 0 else { throw FileProblem(.write, path, reason: SystemCall.errorText) }
    self.path = path
    descriptor = Mutex(opened)
  }

  deinit {
    descriptor.withLock { descriptor in
      if let open = descriptor.take() { _ = SystemCall.closeDescriptor(open) }
    }
  }

  /// Writes all of the bytes.
  package func write(_ bytes: UnsafeRawBufferPointer) throws(FileProblem) {
    if let reason = failure(writing: bytes) { throw FileProblem(.write, path, reason: reason) }
  }

  /// Writes all of the bytes.
  package func write(_ bytes: [UInt8]) throws(FileProblem) {
    let reason = bytes.withUnsafeBytes { failure(writing: $0) }
    if let reason { throw FileProblem(.write, path, reason: reason) }
  }

  /// Writes all of the text.
  package func write(_ text: String) throws(FileProblem) { try write(Array(text.utf8)) }

  private func failure(writing bytes: UnsafeRawBufferPointer) -> String? {
    descriptor.withLock { descriptor in
      guard let descriptor else { return "it is closed already" }
      return SystemCall.writeAll(bytes, to: descriptor) ? nil : SystemCall.errorText
    }
  }

  /// Ends the writing. Some file systems report only here that there was no room.
  package func finish() throws(FileProblem) {
    let problem = descriptor.withLock { descriptor -> String? in
      guard let open = descriptor.take() else { return nil }
      return SystemCall.closeDescriptor(open) ? nil : SystemCall.errorText
    }
    if let problem { throw FileProblem(.write, path, reason: problem) }
  }
}
