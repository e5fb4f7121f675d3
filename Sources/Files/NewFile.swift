import Glibc
import SystemPackage

/// Creates files, and never replaces an existing file.
package enum NewFile {
  /// The error if the file exists already.
  package struct Exists: Error, CustomStringConvertible {
    package var path: String
    package var description: String { "'\(path)' exists: name another file, or remove it" }
  }

  /// Creates a file with these bytes. Throws ``Exists`` if the file exists. After any other failure, no file is left
  /// behind.
  package static func write(_ bytes: [UInt8], to path: String, mode: mode_t) throws {
    try make(path, mode: mode) { write in try write(bytes) }
  }

  /// Creates a file with the bytes that `body` writes. Throws ``Exists`` if the file exists. After any other failure,
  /// no file is left behind.
  package static func make(
    _ path: String, mode: mode_t, _ body: (_ write: @escaping ([UInt8]) throws -> Void) throws -> Void
  ) throws {
    let file = try open(path, mode: mode)
    defer { try? file.close() }
    do {
      try body { bytes in try FileProblem.wrap(.write, path) { _ = try file.writeAll(bytes) } }
    } catch {
      unlink(path)
      throw error
    }
  }

  private static func open(_ path: String, mode: mode_t) throws -> FileDescriptor {
    do {
      return try FileDescriptor.open(
        FilePath(path), .writeOnly, options: [.create, .exclusiveCreate, .noFollow, .closeOnExec],
        permissions: FilePermissions(rawValue: mode))
    } catch Errno.fileExists {
      throw Exists(path: path)
    } catch let error as Errno {
      throw FileProblem.last(.write, path, error.rawValue)
    }
  }
}
