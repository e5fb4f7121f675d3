import ConformanceReport
import FoundationEssentials

/// The folder of a site: empty, not there yet, or one that a site was written to before.
struct SiteFolder {
  /// What marks a folder as a site of the kit; it lists the files that the next site replaces.
  private static let marker = ".conform-site"

  private let path: String
  /// The files of the site that is there.
  private let earlier: [String]

  /// Finds out whether a site can be written, and touches nothing.
  init(_ path: String) throws(BadInput) {
    self.path = path
    guard !path.isEmpty else { throw BadInput("--output wants a folder, found ''") }
    var isFolder = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      earlier = []
      return
    }
    guard isFolder else { throw BadInput("'\(path)' is a file: name a folder with --output") }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    let marker = FileManager.default.contents(atPath: "\(path)/\(Self.marker)")
    if marker == nil, let other = names.filter({ $0 != ".git" }).min() {
      throw BadInput(
        "the folder '\(path)' is no site of the kit, and holds '\(other)': name an empty one with --output")
    }
    earlier = String(decoding: marker ?? Data(), as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// Writes the files. The marker comes first, so that a site that was written in part can be written again; what only an
  /// earlier site had is removed last.
  func write(_ files: [Site.File]) throws {
    let names = files.map(\.path)
    for folder in Set(names.map { "\(path)/\($0)" }.map { $0.prefix(upTo: $0.lastIndex(of: "/") ?? $0.endIndex) }) {
      do {
        try FileManager.default.createDirectory(atPath: String(folder), withIntermediateDirectories: true)
      } catch {
        throw BadInput("the folder '\(folder)' cannot be made: name another with --output")
      }
    }
    let all = Set(names).union(earlier.filter(Self.isOwn)).sorted()
    try write(all.joined(separator: "\n") + "\n", to: Self.marker)
    for file in files { try write(file.text, to: file.path) }
    for name in earlier where !names.contains(name) && Self.isOwn(name) {
      try? FileManager.default.removeItem(atPath: "\(path)/\(name)")
    }
    try write(names.sorted().joined(separator: "\n") + "\n", to: Self.marker)
  }

  /// Whether a line of a marker can be a file of a site: whoever changed the marker must not have other files removed.
  private static func isOwn(_ name: String) -> Bool {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.allSatisfy({ !$0.isEmpty && !$0.hasPrefix(".") }) else { return false }
    return parts.count == 1 ? name.hasPrefix("index.") : parts.count == 2 && folders.contains(String(parts[0]))
  }

  private static let folders: Set<String> = ["subjects", "requirements", "badges"]

  private func write(_ text: String, to name: String) throws(FileProblem) {
    let file = try OutputFile("\(path)/\(name)")
    try file.write(text)
    try file.finish()
  }
}
