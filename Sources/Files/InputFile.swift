import CLinux
import Glibc
import SystemPackage

/// A file or pipe that is open for reading.
///
/// A path that a user gives can lead to a pipe, a link or a device. A file name that comes from a run record is not
/// trusted: ``init(_:in:)`` opens it, and accepts regular files only.
package struct InputFile: ~Copyable {
  let path: String
  package let descriptor: FileDescriptor
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

  /// Opens the regular file with this name in a folder. The name is one part of a path. Neither the name nor the last
  /// part of the folder's path may be a link.
  package init(_ name: String, in folder: String) throws(FileProblem) {
    path = "\(folder)/\(name)"
    guard !name.isEmpty, !name.utf8.contains(UInt8(ascii: "/")), !name.utf8.contains(0) else {
      throw FileProblem(.read, path, reason: "'\(name)' is not the name of a file in a folder")
    }
    let file = clinux_open_regular(folder, name)
    guard file >= 0 else {
      let code = errno
      throw FileProblem(.read, path, reason: Self.refusal(code), code: code)
    }
    descriptor = FileDescriptor(rawValue: file)
  }

  private static func refusal(_ code: Int32) -> String {
    switch code {
    case ELOOP: "it is a link, and only a regular file is read"
    case EINVAL: "it is not a regular file"
    default: "\(Errno(rawValue: code))"
    }
  }

  // A failure to close loses no data, since the file was only read.
  deinit { try? descriptor.close() }

  /// The next bytes; empty at the end of the file.
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
    return try file.contents(atMost: limit)
  }

  /// The rest of the file. Throws if it is longer than the limit.
  package mutating func contents(atMost limit: Int) throws(FileProblem) -> [UInt8] {
    var bytes: [UInt8] = []
    while case let piece = try read(), !piece.isEmpty {
      guard bytes.count + piece.count <= limit else {
        throw FileProblem(.read, path, reason: "it is longer than \(limit) bytes")
      }
      bytes += piece
    }
    return bytes
  }
}
