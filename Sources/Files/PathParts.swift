/// A path, split at the last `/` into the folder and the name in the folder.
package struct PathParts {
  /// `.` for a name without a folder, `/` for a name in the root.
  package var folder: String
  package var name: String

  package init(_ path: String) {
    guard let slash = path.lastIndex(of: "/") else {
      (folder, name) = (".", path)
      return
    }
    folder = slash == path.startIndex ? "/" : String(path[..<slash])
    name = String(path[path.index(after: slash)...])
  }
}
