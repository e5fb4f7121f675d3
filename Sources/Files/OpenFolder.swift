import CLinux
import Glibc
import SystemPackage

/// An open folder whose files are written and removed by name. Links are not followed.
package final class OpenFolder: Sendable {
  package let path: String
  let descriptor: FileDescriptor

  /// The flags for opening output files. They do not let the call block: another process may have replaced a file by a
  /// pipe, and opening a pipe would wait.
  private static let writing = O_WRONLY | O_APPEND | O_TRUNC | O_NONBLOCK

  /// Opens a folder that exists.
  package convenience init(_ path: String) throws(FileProblem) {
    try self.init(path, open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
  }

  private init(_ path: String, _ file: Int32) throws(FileProblem) {
    guard file >= 0 else { throw FileProblem.last(.write, path) }
    self.path = path
    descriptor = FileDescriptor(rawValue: file)
  }

  deinit { try? descriptor.close() }

  /// Locks the folder until this object is released. Waits at most 10 s, and returns false if another process still
  /// holds the lock then.
  package func lock() -> Bool {
    for attempt in 0..<100 {
      if attempt > 0 { usleep(100_000) }
      if clinux_lock(descriptor.rawValue) == 0 { return true }
    }
    return false
  }

  /// Opens the folder with this name in this folder, and creates it if it does not exist.
  package func folder(_ name: String) throws(FileProblem) -> OpenFolder {
    mkdirat(descriptor.rawValue, name, 0o777)
    return try OpenFolder("\(path)/\(name)", clinux_open_folder(descriptor.rawValue, name))
  }

  /// Opens the file with this name for writing, and empties it; creates it if it does not exist.
  package func file(_ name: String) throws(FileProblem) -> OutputFile {
    try OutputFile("\(path)/\(name)") { clinux_create_file(descriptor.rawValue, name, Self.writing, 0o666) }
  }

  /// Writes a text to the file with this name, and replaces its contents.
  package func write(_ text: String, to name: String) throws(FileProblem) {
    let file = try file(name)
    try file.write(text)
    try file.finish()
  }

  /// Removes a file. An absent file is not an error.
  package func remove(_ name: String) throws(FileProblem) {
    guard unlinkat(descriptor.rawValue, name, 0) != 0, errno != ENOENT else { return }
    throw FileProblem.last(.write, "\(path)/\(name)")
  }

  /// Creates a file for which `size` bytes of the disk are reserved. The file stays empty if the file system does not
  /// support reservations. Throws if the disk is full.
  package func reserve(_ size: Int, as name: String) throws(FileProblem) {
    let file = clinux_create_file(descriptor.rawValue, name, O_WRONLY, 0o600)
    guard file >= 0 else { throw FileProblem.last(.write, "\(path)/\(name)") }
    defer { close(file) }
    let code = posix_fallocate(file, 0, off_t(size))
    if code == ENOSPC || code == EDQUOT { throw FileProblem.last(.write, "\(path)/\(name)", code) }
  }

  /// The names of the entries of a folder, without `.` and `..`; nil if it cannot be read.
  package static func names(in path: String) -> [String]? {
    guard let stream = opendir(path) else { return nil }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) { names.append(String(cString: clinux_entry_name(entry))) }
    return names.filter { ![".", ".."].contains($0) }
  }
}
