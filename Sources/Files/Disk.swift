import Glibc

/// Operations on the file system by path.
package enum Disk {
  /// Removes a file. An absent file is not an error.
  package static func remove(_ path: String) throws(FileProblem) {
    guard unlink(path) != 0, errno != ENOENT else { return }
    throw FileProblem.last(.write, path)
  }

  /// Removes a regular file. Leaves a link, a pipe or a device in place.
  package static func removeRegular(_ path: String) {
    if FileStatus(path, followingLinks: false)?.kind == .file { unlink(path) }
  }

  /// Renames a file, and atomically replaces a file that has the new name.
  package static func rename(_ path: String, to other: String) throws(FileProblem) {
    guard Glibc.rename(path, other) != 0 else { return }
    throw FileProblem.last(.write, other)
  }

  /// Makes a folder and its missing parent folders.
  package static func makeFolders(_ path: String, mode: mode_t = 0o777) throws(FileProblem) {
    var made = ""
    for part in path.split(separator: "/", omittingEmptySubsequences: false) {
      made += part + "/"
      if mkdir(made, mode) != 0, errno != EEXIST, errno != EISDIR { throw FileProblem.last(.write, made) }
    }
  }

  /// Makes a new folder in the folder that `TMPDIR` names, and returns the path. Only this user can open the new
  /// folder.
  package static func makeTemporaryFolder(named name: String) throws(FileProblem) -> String {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var path = Array("\(parent)/\(name)-XXXXXX".utf8CString)
    guard mkdtemp(&path) != nil else { throw FileProblem.last(.write, parent) }
    return String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// The path with all links resolved; nil if the path does not exist.
  package static func resolved(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }
}
