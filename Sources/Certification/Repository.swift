/// A checkout of the repository of an SDK, as far as an inspection looks at it. Nothing of it is executed.
package struct Repository: Sendable {
  /// The paths of its files: those near the top first, then by name.
  package let paths: [String]
  private let read: @Sendable (String) -> [String]

  /// - Parameter lines: gives the lines of a file; none for what cannot be read as text.
  package init(paths: [String], lines: @escaping @Sendable (String) -> [String]) {
    self.paths = paths.map { (depth: $0.count { $0 == "/" }, path: $0) }
      .sorted { ($0.depth, $0.path) < ($1.depth, $1.path) }.map(\.path)
    read = lines
  }

  /// The lines of a file, the first of which is number 1.
  func lines(of path: String) -> [(number: Int, text: String)] {
    read(path).enumerated().map { (number: $0.offset + 1, text: $0.element) }
  }

  /// The folders that lead to a file, in lower case.
  static func folders(of path: String) -> [String] {
    path.split(separator: "/").dropLast().map { $0.lowercased() }
  }

  /// The last part of a path.
  static func name(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
  }
}
