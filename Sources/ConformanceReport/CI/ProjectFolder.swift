import FoundationEssentials

/// The folder of a project in CI. CI engines expect paths relative to this folder.
package struct ProjectFolder: Sendable {
  private let root: [Substring]
  /// The folder from which relative paths start.
  private let current: String

  /// - Parameters:
  ///  - root: the folder of the project; nil if it is the same as `current`.
  ///   - current: the absolute path of the folder from which relative paths start.
  package init(root: String?, current: String) {
    self.current = current
    self.root = Self.parts(root ?? current, in: current)
  }

  /// The path of a file relative to the project; nil if the file is outside of the project.
  package func path(of file: String) -> String? {
    let parts = Self.parts(file, in: current)
    guard parts.count > root.count, parts.starts(with: root) else { return nil }
    return parts.dropFirst(root.count).joined(separator: "/")
  }

  /// The parts of the absolute path after links, `.` and `..` are resolved. A relative path starts from `folder`.
  private static func parts(_ path: String, in folder: String) -> [Substring] {
    let absolute = path.hasPrefix("/") ? path : "\(folder)/\(path)"
    let resolved = URL(filePath: absolute).resolvingSymlinksInPath().path
    return resolved.split(separator: "/").reduce(into: []) { parts, part in
      if part == ".." { _ = parts.popLast() } else if part != "." { parts.append(part) }
    }
  }
}
