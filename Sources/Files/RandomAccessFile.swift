import CLinux
import Glibc
import SystemPackage

/// A file that is open for reading at any position.
package final class RandomAccessFile: Sendable {
  private let path: String
  private let descriptor: FileDescriptor

  package init(_ path: String) throws(FileProblem) {
    self.path = path
    let file = clinux_open_input(path)
    guard file >= 0 else { throw FileProblem.last(.read, path) }
    descriptor = FileDescriptor(rawValue: file)
  }

  // A failure to close loses no data, since the file was only read.
  deinit { try? descriptor.close() }

  /// The bytes from a position of the file. Throws if the file has fewer bytes.
  package func bytes(at offset: Int, count: Int) throws(FileProblem) -> [UInt8] {
    var code: Int32?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { space, filled in
      while filled < count {
        let place = space.baseAddress?.advanced(by: filled)
        let read = pread(descriptor.rawValue, place, count - filled, off_t(offset + filled))
        if read < 0, errno == EINTR { continue }
        if read < 0 { code = errno }
        if read <= 0 { break }
        filled += read
      }
    }
    if let code { throw FileProblem(.read, path, reason: "\(Errno(rawValue: code))", code: code) }
    guard bytes.count == count else { throw FileProblem(.read, path, reason: "it was shortened while it was read") }
    return bytes
  }
}
