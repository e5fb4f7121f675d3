import CLinux
import ConformanceModel
import FoundationEssentials
import Glibc
import JSONKit

/// A folder of catalogues: a root with `spec/` and `Fixtures/` in it, or the folder of one protocol. The only place that
/// touches the file system.
package struct CatalogueFolder: Sendable {
  /// How the files of protocols lie in it.
  private enum Layout: Hashable, Sendable {
    /// `spec/<protocol>` and `Fixtures/<protocol>`.
    case trees
    /// All files of the protocol of this name, and none of another.
    case pack(String)
  }

  private enum Storage: Sendable {
    case disk
    case memory([String: String])
  }

  /// The folder's path.
  package let root: String
  /// What stands before the paths of its files where people are told of them.
  private let prefix: String
  private let layout: Layout
  private let storage: Storage

  /// A root on disk. Its files are shown as they lie in it, or with `shownAs` as they lie in that.
  package init(root: String, shownAs folder: String = ".") {
    self.root = root
    prefix = Self.prefix(folder)
    layout = .trees
    storage = .disk
  }

  /// Texts in memory, by their paths from the root: a catalogue that was made, not read.
  package init(texts: [String: String]) {
    root = "."
    prefix = ""
    layout = .trees
    storage = .memory(texts)
  }

  /// A folder on disk that is one protocol, by the name that its `protocol.yaml` gives it. Throws what keeps the name
  /// from being read.
  package init(pack folder: String) throws(Diagnostic) {
    let files = CatalogueFolder(root: folder, shownAs: folder)
    let place = files.place(of: Self.definition)
    let document = try SpecDocument(file: place, bytes: try files.bytes(of: Self.definition))
    guard let name = document.value["protocol"]?.string else {
      let problem = JSONField.Problem(
        path: JSONPath([.key("protocol")]), expected: "the name of the protocol", found: "none")
      throw document.diagnostic(problem, rule: "schema")
    }
    root = folder
    prefix = Self.prefix(folder)
    layout = .pack(name)
    storage = .disk
  }

  private static let definition = "protocol.yaml"

  private static func prefix(_ folder: String) -> String {
    folder == "." ? "" : folder.hasSuffix("/") ? folder : folder + "/"
  }

  /// Whether a folder on disk is one protocol.
  package static func isPack(_ folder: String) -> Bool {
    FileManager.default.fileExists(atPath: "\(folder)/\(definition)")
  }

  /// Whether protocols get their names from the folders that they lie in.
  var namesProtocols: Bool { layout == .trees }

  /// The definition of a protocol.
  package func definition(of name: String) -> SpecFile {
    let path = layout == .trees ? "spec/\(name)/\(Self.definition)" : Self.definition
    return SpecFile(kind: .protocol, path: path, place: place(of: path))
  }

  /// What people are told that a file is called.
  func place(of path: String) -> String { prefix + path }

  /// The protocols that have a `protocol.yaml`, sorted.
  package func availableProtocols() -> [String] {
    if case .pack(let name) = layout { return [name] }
    switch storage {
    case .disk:
      let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(root)/spec")) ?? []
      return names.filter { FileManager.default.fileExists(atPath: "\(root)/spec/\($0)/protocol.yaml") }.sorted()
    case .memory(let texts):
      return texts.keys.compactMap { path in
        let parts = path.split(separator: "/")
        return parts.count == 3 && parts[0] == "spec" && parts[2] == "protocol.yaml" ? String(parts[1]) : nil
      }.sorted()
    }
  }

  /// The bytes of a file, its path counted from the root.
  package func bytes(of path: String) throws(Diagnostic) -> [UInt8] {
    let bytes: [UInt8]? =
      switch storage {
      case .disk: try contentsOnDisk(of: path)
      case .memory(let texts): texts[path].map { Array($0.utf8) }
      }
    guard let bytes else {
      throw Diagnostic(rule: "files", file: place(of: path), expected: "a file that can be read", found: "none")
    }
    return bytes
  }

  /// A pipe would keep the kit waiting for somebody to write into it.
  private func contentsOnDisk(of path: String) throws(Diagnostic) -> [UInt8]? {
    var status = stat()
    if stat("\(root)/\(path)", &status) == 0, let kind = Self.kindsWithoutText[status.st_mode & S_IFMT] {
      throw Diagnostic(rule: "files", file: place(of: path), expected: "a file", found: kind)
    }
    return try Self.contents(atPath: "\(root)/\(path)", shownAs: place(of: path))
  }

  private static let kindsWithoutText: [mode_t: String] = [
    S_IFDIR: "a folder", S_IFIFO: "a pipe", S_IFSOCK: "a socket", S_IFCHR: "a device", S_IFBLK: "a device",
  ]

  /// The bytes of a file on disk or of a pipe; nil where it cannot be read. One that has no end is not read to it, and
  /// at a pipe that nobody writes to not waited for ever.
  static func contents(atPath path: String, shownAs place: String? = nil) throws(Diagnostic) -> [UInt8]? {
    let descriptor = clinux_open_input(path)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    while bytes.count <= Bounds.fileBytes {
      var count = 0
      let piece = [UInt8](unsafeUninitializedCapacity: 1 << 18) { space, filled in
        count = clinux_read_input(descriptor, space.baseAddress, space.count, bytes.isEmpty)
        filled = max(0, count)
      }
      if count < 0, errno == ETIMEDOUT {
        throw Diagnostic(
          rule: "files", file: place ?? path, expected: "a file, or a pipe that somebody writes to",
          found: "a pipe that nobody wrote to for \(clinux_pipe_patience) s")
      }
      guard count >= 0 else { return nil }
      if count == 0 { return bytes }
      bytes += piece
    }
    throw Diagnostic(
      rule: "files", file: place ?? path, expected: "at most \(Bounds.fileBytes) bytes", found: "more",
      hint: "split the file")
  }

  /// Throws where a protocol has more files, or longer ones, than anybody writes.
  package func refuseExcess(of name: String) throws(CatalogueError) {
    let files = files(of: name).known
    let bytes = files.reduce(0) { sum, file in
      var status = stat()
      return stat("\(root)/\(file.path)", &status) == 0 ? sum + Int(status.st_size) : sum
    }
    for (most, found, noun) in [(Bounds.packFiles, files.count, "files"), (Bounds.packBytes, bytes, "bytes")]
    where found > most {
      throw CatalogueError([
        Diagnostic(
          rule: "files", file: place(of: definition(of: name).path), expected: "a protocol of at most \(most) \(noun)",
          found: "\(found)")
      ])
    }
  }

  /// The files that are there, by their names, with their bytes.
  func contents(of paths: [String]) -> [(name: String, bytes: [UInt8])] {
    paths.compactMap { path in (try? bytes(of: path)).map { (path, $0) } }
  }

  /// Puts a text in the place of a file on disk, whole or not at all.
  package func write(_ text: String, to path: String) throws(Diagnostic) {
    do {
      try Data(text.utf8).write(to: URL(filePath: "\(root)/\(path)"), options: .atomic)
    } catch {
      throw Diagnostic(rule: "files", file: place(of: path), expected: "a file that can be written", found: "\(error)")
    }
  }

  /// The files of a protocol in the order of their paths, and those that nobody would read.
  package func files(of name: String) -> (known: [SpecFile], stray: [String]) {
    var known: [SpecFile] = []
    var stray: [String] = []
    func sort(_ path: String, as kind: SpecFileKind?, isStray: Bool) {
      if let kind { return known.append(SpecFile(kind: kind, path: path, place: place(of: path))) }
      // A page beside the data is for people.
      if isStray, !path.hasSuffix(".md") { stray.append(place(of: path)) }
    }
    guard layout == .trees else {
      for path in packPaths().sorted() where !path.isHidden {
        let kind = SpecTree.allCases.lazy.compactMap { SpecFileKind(path: path, tree: $0) }.first
        sort(path, as: kind, isStray: path.contains("/") || Self.isMisspelt(path))
      }
      return (known, stray)
    }
    for tree in SpecTree.allCases {
      let folder = "\(tree.rawValue)/\(name)"
      for path in subpaths(of: folder).sorted() where !path.isHidden {
        let isOfTree = tree == .spec || SpecFileKind.folders(of: tree).contains { path.hasPrefix($0 + "/") }
        sort("\(folder)/\(path)", as: SpecFileKind(path: path, tree: tree), isStray: isOfTree)
      }
    }
    return (known, stray)
  }

  /// What lies in the folder of one protocol: its own files, and those of its folders that hold data. All else, such as an
  /// adapter or a repository, is not looked into.
  private func packPaths() -> [String] {
    let top = (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
    let folders = SpecTree.allCases.flatMap(SpecFileKind.folders).filter(top.contains)
    return top.filter { !folders.contains($0) } + folders.flatMap { name in subpaths(of: name).map { "\(name)/\($0)" } }
  }

  /// Whether a file beside the data was meant to be some of it, by its name.
  private static func isMisspelt(_ path: String) -> Bool {
    path.hasSuffix(".yaml") && !Nearest.words(to: String(path.dropLast(".yaml".count)), in: SpecFileKind.names).isEmpty
  }

  /// Every file below a folder, by its path from there.
  private func subpaths(of folder: String) -> [String] {
    switch storage {
    case .disk:
      let base = "\(root)/\(folder)"
      let paths = (try? FileManager.default.subpathsOfDirectory(atPath: base)) ?? []
      // A link to a folder, or to nothing, is not followed, but whoever made it has to hear of it.
      return paths.filter { path in
        var status = stat()
        return lstat("\(base)/\(path)", &status) == 0 && status.st_mode & S_IFMT != S_IFDIR
      }
    case .memory(let texts):
      return texts.keys.filter { $0.hasPrefix(folder + "/") }.map { String($0.dropFirst(folder.count + 1)) }
    }
  }
}

extension String {
  /// Whether a part of the path begins with a dot.
  fileprivate var isHidden: Bool { split(separator: "/").contains { $0.first == "." } }
}
