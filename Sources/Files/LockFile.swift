import CLinux
import Glibc
import SystemPackage

/// A file that one process has locked. The lock ends with the process.
package final class LockFile: Sendable {
  package enum Refusal: Error {
    /// The path is not a regular file, or the file has a second name (a hard link). The kit does not write to such a
    /// file: the text could go to a pipe, or appear under the second name.
    case notRegular
    /// Another process has locked the file. `by` is the last line of the file, in which that process has described
    /// itself.
    case held(by: String)
  }

  private let path: String
  private let descriptor: FileDescriptor

  /// Locks a file that exists; nil if it cannot be opened.
  package init?(existing path: String) throws(Refusal) {
    let file = open(path, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else { return nil }
    self.path = path
    descriptor = try Self.locked(file)
  }

  /// Locks the file with this name in a folder, and creates it if it does not exist.
  package init(_ name: String, in folder: OpenFolder) throws {
    path = "\(folder.path)/\(name)"
    let file = clinux_create_file(folder.descriptor.rawValue, name, O_RDWR, 0o666)
    guard file >= 0 else { throw FileProblem.last(.write, path) }
    descriptor = try Self.locked(file)
  }

  deinit { try? descriptor.close() }

  private static func locked(_ file: Int32) throws(Refusal) -> FileDescriptor {
    let descriptor = FileDescriptor(rawValue: file)
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_nlink == 1 else {
      try? descriptor.close()
      throw .notRegular
    }
    guard clinux_lock(file) == 0 else {
      var bytes = [UInt8](repeating: 0, count: 1 << 10)
      let count = pread(file, &bytes, bytes.count, 0)
      try? descriptor.close()
      let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
      throw .held(by: text.split(separator: "\n").last.map(String.init) ?? "")
    }
    return descriptor
  }

  /// Replaces the contents of the file with a text.
  package func write(_ text: String) throws(FileProblem) {
    let bytes = Array(text.utf8)
    guard ftruncate(descriptor.rawValue, 0) == 0, pwrite(descriptor.rawValue, bytes, bytes.count, 0) == bytes.count
    else { throw FileProblem.last(.write, path) }
  }
}
