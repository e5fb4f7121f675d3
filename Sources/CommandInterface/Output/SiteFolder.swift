import Files
import FoundationEssentials
import ReportPages
import TextKit

/// The folder of a site. The folder is empty, does not exist yet, or contains an earlier site.
package struct SiteFolder {
  /// The file that marks a folder as a site of the kit. It lists the files of the site, which the next site replaces.
  private static let marker = ".conform-site"

  private let path: String
  /// The files of the earlier site.
  private let earlier: [String]

  /// Checks that a site can be written. It changes no file.
  package init(_ path: String) throws(BadInput) {
    self.path = path
    guard !path.isEmpty else { throw BadInput("--output expects a folder, found ''") }
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
        "the folder '\(path)' is not a site of the kit and contains '\(other)': name an empty one with --output")
    }
    earlier = String(decoding: marker ?? Data(), as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// A file of a site whose content is copied from another file.
  package struct Copy {
    /// The path in the site.
    var path: String
    var source: String

    package init(path: String, source: String) {
      self.path = path
      self.source = source
    }
  }

  /// Writes the files and the copies, and follows no link in the folder. The marker is written first, so that a
  /// half-written site can be written again. The files of the earlier site that are not part of the new site are
  /// deleted last.
  package func write(_ files: [Site.File], _ copies: [Copy] = []) throws {
    let names = files.map(\.path) + copies.map(\.path)
    let old = earlier.filter { Self.isOwn($0) && !names.contains($0) }
    let place = try Self.open(path)
    let parts = try Self.folders.filter { folder in (names + old).contains { $0.hasPrefix(folder + "/") } }.map {
      ($0, try Self.folder($0, in: place))
    }
    let folders = Dictionary(uniqueKeysWithValues: parts)
    func write(_ text: String, to name: String) throws {
      let parts = PathParts(name)
      try (folders[parts.folder] ?? place).write(text, to: parts.name)
    }
    func write(_ copy: Copy) throws {
      let parts = PathParts(copy.path)
      var source = try InputFile(copy.source)
      let file = try (folders[parts.folder] ?? place).file(parts.name)
      while case let piece = try source.read(atMost: 1 << 18), !piece.isEmpty { try file.write(piece) }
      try file.finish()
    }
    try write((names + old).sorted().joined(separator: "\n") + "\n", to: Self.marker)
    for file in files { try write(file.text, to: file.path) }
    for copy in copies { try write(copy) }
    for name in old {
      let parts = PathParts(name)
      try? (folders[parts.folder] ?? place).remove(parts.name)
    }
    try write(names.sorted().joined(separator: "\n") + "\n", to: Self.marker)
  }

  private static func open(_ path: String) throws -> OpenFolder {
    try? Disk.makeFolders(path)
    do { return try OpenFolder(path) } catch { throw unusable(error) }
  }

  private static func folder(_ name: String, in place: OpenFolder) throws -> OpenFolder {
    do { return try place.folder(name) } catch { throw unusable(error) }
  }

  private static func unusable(_ problem: FileProblem) -> BadInput {
    BadInput(
      "'\(problem.file)' cannot be opened as a folder (\(problem.reason)): remove it, or name another with --output")
  }

  /// Whether a line of a marker can be the name of a file that the kit wrote. If a person has changed the marker, the
  /// kit must not delete any other file.
  private static func isOwn(_ name: String) -> Bool {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.allSatisfy({ !$0.isEmpty && !$0.hasPrefix(".") }) else { return false }
    return parts.count == 1 ? pages.contains(name) : parts.count == 2 && folders.contains(String(parts[0]))
  }

  private static let pages: Set<String> = [
    "index.html", "index.json", "certificates.html", "certificates.json", "evidence.html",
  ]
  private static let folders: Set<String> = ["subjects", "requirements", "badges", "certificates", "reports", "keys"]
}
