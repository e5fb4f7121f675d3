/// The part of a checkout of an SDK's repository that an inspection reads. The inspection executes none of its files.
package struct Repository: Sendable {
  /// The paths of the files. They are sorted by the number of their folders (fewest first), then alphabetically.
  package let paths: [String]
  private let read: @Sendable (String) -> [String]

  /// - Parameter lines: returns the lines of a file, or an empty array if the file cannot be read as text.
  package init(paths: [String], lines: @escaping @Sendable (String) -> [String]) {
    self.paths = paths.map { (depth: $0.count { $0 == "/" }, path: $0) }
      .sorted { ($0.depth, $0.path) < ($1.depth, $1.path) }.map(\.path)
    read = lines
  }

  /// The lines of a file, with line numbers from 1.
  func lines(of path: String) -> [(number: Int, text: String)] {
    read(path).enumerated().map { (number: $0.offset + 1, text: $0.element) }
  }

  /// The names of the folders in the path of a file, in lower case.
  static func folders(of path: String) -> [String] {
    path.split(separator: "/").dropLast().map { $0.lowercased() }
  }

  /// The last part of a path.
  static func name(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
  }
}
