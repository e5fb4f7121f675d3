import FoundationEssentials

/// The folder of a project in CI: engines want the paths of files relative to it.
package struct ProjectFolder: Sendable {
  private let root: [Substring]
  /// The folder that relative paths begin in.
  private let current: String

  /// - Parameters:
  ///   - root: the folder of the project; nil if it is the current one.
  ///   - current: the folder that relative paths begin in, an absolute path.
  package init(root: String?, current: String) {
    self.current = current
    self.root = Self.parts(root ?? current, in: current)
  }

  /// The path of a file relative to the project; nil if the file is outside of it.
  package func path(of file: String) -> String? {
    let parts = Self.parts(file, in: current)
    guard parts.count > root.count, parts.starts(with: root) else { return nil }
    return parts.dropFirst(root.count).joined(separator: "/")
  }

  /// The parts of the absolute path without links, `.` and `..`.
  private static func parts(_ path: String, in folder: String) -> [Substring] {
    let absolute = path.hasPrefix("/") ? path : "\(folder)/\(path)"
    let resolved = URL(filePath: absolute).resolvingSymlinksInPath().path
    return resolved.split(separator: "/").reduce(into: []) { parts, part in
      if part == ".." { _ = parts.popLast() } else if part != "." { parts.append(part) }
    }
  }
}
