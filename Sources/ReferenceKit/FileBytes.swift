#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Files as bytes, by the system's own calls: the first file that Foundation reads costs a program half a millisecond,
/// and an adapter begins anew at each restart of its app.
enum FileBytes {
  /// Why a file could not be written.
  struct Failure: Error, CustomStringConvertible {
    var path: String
    var code: Int32

    var description: String { "\(path): \(String(cString: strerror(code)))" }
  }

  /// Whether there is such a file that may be read.
  static func canBeRead(_ path: String) -> Bool { access(path, R_OK) == 0 }

  /// What is in a file; nil where it cannot be read.
  static func read(_ path: String) -> [UInt8]? {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var status = stat()
    // One that is no file may end before as much has come as it says, or never.
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return read(file, count: Int(status.st_size))
  }

  /// Puts the bytes in the place of what is there.
  static func write(_ bytes: [UInt8], to path: String) throws(Failure) {
    try write(bytes, to: path, O_TRUNC)
  }

  /// Puts the bytes behind what is there.
  static func append(_ bytes: [UInt8], to path: String) throws(Failure) {
    try write(bytes, to: path, O_APPEND)
  }

  /// Gives a file the name of another, which is no more.
  static func move(_ path: String, to other: String) throws(Failure) {
    if rename(path, other) != 0 { throw Failure(path: other, code: errno) }
  }

  /// Removes a file, if there is one.
  static func remove(_ path: String) throws(Failure) {
    if unlink(path) != 0, errno != ENOENT { throw Failure(path: path, code: errno) }
  }

  /// Where a symbolic link leads; nil where there is none.
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
