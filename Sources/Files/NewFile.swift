import Glibc
import SystemPackage

/// A file that is made, and never replaced.
package enum NewFile {
  /// The file exists.
  package struct Exists: Error, CustomStringConvertible {
    package var path: String
    package var description: String { "'\(path)' exists: name another file, or remove it" }
  }

  /// Writes all bytes to a file that does not exist; after a problem it removes the file.
  package static func write(_ bytes: [UInt8], to path: String, mode: mode_t) throws {
    try make(path, mode: mode) { write in try write(bytes) }
  }

  /// Makes a file that does not exist of what `body` writes; nothing is left behind after a problem.
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
