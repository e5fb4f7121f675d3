#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Reads and writes files by system calls, without Foundation. With Foundation, the first file that a process opens
/// takes half a millisecond, and each restart of an app starts a new process of the adapter.
enum FileBytes {
  /// The reason why a file could not be written.
  struct Failure: Error, CustomStringConvertible {
    var path: String
    var code: Int32

    var description: String { "\(path): \(String(cString: strerror(code)))" }
  }

  /// Whether the file exists and is readable.
  static func canBeRead(_ path: String) -> Bool { access(path, R_OK) == 0 }

  /// The content of a file; nil if it cannot be read.
  static func read(_ path: String) -> [UInt8]? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    // A special file may end before the size it reports, or never.
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return read(file, count: Int(status.st_size))
  }

  /// Replaces the content of a file.
  static func write(_ bytes: [UInt8], to path: String) throws(Failure) {
    try write(bytes, to: path, O_TRUNC)
  }

  static func append(_ bytes: [UInt8], to path: String) throws(Failure) {
    try write(bytes, to: path, O_APPEND)
  }

  /// Renames a file. If another file already has the new name, it is replaced.
  static func move(_ path: String, to other: String) throws(Failure) {
    if rename(path, other) != 0 { throw Failure(path: other, code: errno) }
  }

  /// Removes a file, if there is one.
  static func remove(_ path: String) throws(Failure) {
    if unlink(path) != 0, errno != ENOENT { throw Failure(path: path, code: errno) }
  }

  /// The target of a symbolic link; nil if the path is not a symbolic link.
  static func destination(ofLink path: String) -> String? {
    var room = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &room, room.count)
    return count < 0 ? nil : String(decoding: room[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private static func read(_ file: Int32, count: Int) -> [UInt8]? {
    var isWhole = true
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let piece = readBytes(file, UnsafeMutableRawBufferPointer(buffer)[filled...])
        if piece < 0, errno == EINTR { continue }
        isWhole = piece >= 0
        if piece <= 0 { return }
        filled += piece
      }
    }
    return isWhole ? bytes : nil
  }

  private static func write(_ bytes: [UInt8], to path: String, _ mode: Int32) throws(Failure) {
    let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | mode, 0o666)
    guard file >= 0 else { throw Failure(path: path, code: errno) }
    defer { close(file) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { writeBytes(file, $0) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw Failure(path: path, code: errno) }
      rest = rest.dropFirst(count)
    }
  }
}

private func readBytes(_ descriptor: Int32, _ room: Slice<UnsafeMutableRawBufferPointer>) -> Int {
  read(descriptor, UnsafeMutableRawBufferPointer(rebasing: room).baseAddress, room.count)
}

private func writeBytes(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}
