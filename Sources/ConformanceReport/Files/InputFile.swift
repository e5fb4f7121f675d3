import CLinux
import Glibc
import SystemPackage

/// A file opened for reading, or a pipe.
package struct InputFile: ~Copyable {
  let path: String
  let descriptor: FileDescriptor
  /// Whether nothing has been read yet.
  private var isFresh = true

  package init(_ path: String) throws(FileProblem) {
    self.path = path
    descriptor = try FileProblem.wrap(.read, path) {
      let file = clinux_open_input(path)
      guard file >= 0 else { throw Errno(rawValue: errno) }
      return FileDescriptor(rawValue: file)
    }
  }

  // A failure to close loses no data, since the file was only read.
  deinit { try? descriptor.close() }

  /// Reads the next bytes; empty at the end of the file.
  package mutating func read(atMost limit: Int = 1 << 16) throws(FileProblem) -> [UInt8] {
    var code: Int32?
    let bytes = [UInt8](unsafeUninitializedCapacity: limit) { space, count in
      let result = clinux_read_input(descriptor.rawValue, space.baseAddress, limit, isFresh)
      if result < 0 { code = errno }
      count = max(0, result)
    }
    isFresh = false
    guard let code else { return bytes }
    let reason = code == ETIMEDOUT ? FileProblem.unattended("writes to") : "\(Errno(rawValue: code))"
    throw FileProblem(.read, path, reason: reason, code: code)
  }

  /// All bytes of a file up to a limit. A longer file is refused before the rest is read.
  package static func contents(of path: String, atMost limit: Int) throws(FileProblem) -> [UInt8] {
    var file = try InputFile(path)
    var bytes: [UInt8] = []
    while true {
      let piece = try file.read()
      if piece.isEmpty { return bytes }
      guard bytes.count + piece.count <= limit else {
        throw FileProblem(.read, path, reason: "it is longer than \(limit) bytes")
      }
      bytes += piece
    }
  }
}
