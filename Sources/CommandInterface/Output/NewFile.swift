import Glibc
import Records

/// A file that is made, and never replaced.
package enum NewFile {
  /// Writes all bytes to a file that does not exist; nothing is left behind after a problem.
  package static func write(_ bytes: [UInt8], to path: String, mode: mode_t) throws {
    try make(path, mode: mode) { write in try write(bytes) }
  }

  /// Makes a file that does not exist of what `body` writes; nothing is left behind after a problem.
  package static func make(
    _ path: String, mode: mode_t, _ body: (_ write: @escaping ([UInt8]) throws -> Void) throws -> Void
  )
    throws
  {
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode)
    guard file >= 0 else {
      if errno == EEXIST { throw BadInput("'\(path)' exists: name another file, or remove it") }
      throw problem(path)
    }
    defer { close(file) }
    do { try body { try write($0, to: file, path) } } catch {
      unlink(path)
      throw error
    }
  }

  private static func write(_ bytes: [UInt8], to file: Int32, _ path: String) throws(FileProblem) {
    var start = 0
    while start < bytes.count {
      let count = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress.map { $0 + start }, $0.count - start) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw problem(path) }
      start += count
    }
  }

  private static func problem(_ path: String) -> FileProblem {
    FileProblem(.write, path, reason: String(cString: strerror(errno)), code: errno)
  }
}
