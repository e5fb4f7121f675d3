import ConformanceModel
import Files
import FoundationEssentials
import JSONKit
import SpecDocuments

/// A folder with the catalogues of protocols: either a root that contains `spec/` and `Fixtures/`, or the folder of one
/// protocol. Catalogue files are read and written only through this type.
package struct CatalogueFolder: Sendable {
  /// The layout of the files of protocols.
  private enum Layout: Hashable, Sendable {
    /// The folders `spec/<protocol>` and `Fixtures/<protocol>` of several protocols.
    case trees
    /// One folder with all files of the protocol with this name.
    case pack(String)
  }

  private enum Storage: Sendable {
    case disk
    case memory([String: String])
  }

  /// The path of the folder.
  package let root: String
  /// The text that messages contain before the path of a file.
  private let prefix: String
  private let layout: Layout
  private let storage: Storage
  /// If this is the folder of one protocol, the root that contains the packs which the protocol may include. If this is
  /// a root, empty, because a root contains these packs itself.
  private var includable: [CatalogueFolder] = []

  /// A root on disk. In messages, paths of files begin with `folder`.
  package init(root: String, shownAs folder: String = ".") {
    self.root = root
    prefix = Self.prefix(folder)
    layout = .trees
    storage = .disk
  }

  /// A root in memory. `texts` maps the path of each file from the root to its text.
  package init(texts: [String: String]) {
    root = "."
    prefix = ""
    layout = .trees
    storage = .memory(texts)
  }

  /// A folder on disk with one protocol, whose name is in `protocol.yaml`. Throws if the name cannot be read.
  package init(pack folder: String) throws(Diagnostic) {
    try self.init(pack: CatalogueFolder(root: folder, shownAs: folder))
  }

  /// A folder of one protocol that contains the same files as `files`. The name of the protocol is in `protocol.yaml`.
  /// Throws if the name cannot be read.
  package init(pack files: CatalogueFolder) throws(Diagnostic) {
    let place = files.place(of: Self.definition)
    let document = try SpecDocument(file: place, bytes: try files.bytes(of: Self.definition))
    guard let name = document.value["protocol"]?.string else {
      let problem = JSONField.Problem(
        path: JSONPath([.key("protocol")]), expected: "the name of the protocol", found: "none")
      throw document.diagnostic(problem, rule: "schema")
    }
    root = files.root
    prefix = files.prefix
    layout = .pack(name)
    storage = files.storage
  }

  /// A copy of this folder whose protocol may include packs from `root`.
  package func including(from root: CatalogueFolder) -> CatalogueFolder {
    var folder = self
    if !namesProtocols { folder.includable = [root] }
    return folder
  }

  private static let definition = "protocol.yaml"

  private static func prefix(_ folder: String) -> String {
    folder == "." ? "" : folder.hasSuffix("/") ? folder : folder + "/"
  }

  /// Whether a folder on disk contains one protocol.
  package static func isPack(_ folder: String) -> Bool {
    FileManager.default.fileExists(atPath: "\(folder)/\(definition)")
  }

  /// Whether this is a root, in which each protocol has a folder with the protocol's name.
  var namesProtocols: Bool { layout == .trees }

  /// The file with the definition of a protocol.
  package func definition(of name: String) -> SpecFile {
    let path = layout == .trees ? "spec/\(name)/\(Self.definition)" : Self.definition
    return SpecFile(kind: .protocol, path: path, place: place(of: path))
  }

  /// The path by which messages name a file.
  func place(of path: String) -> String { prefix + path }

  /// The names of the protocols with a `protocol.yaml`, sorted.
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

  /// Whether the file is in this folder, and not in an included pack of a different folder.
  package func owns(_ file: SpecFile) -> Bool { namesProtocols || file.pack == nil }

  /// The content of a file. The path is relative to the root.
  package func bytes(of path: String) throws(Diagnostic) -> [UInt8] {
    if path.hasPrefix("spec/"), let root = includable.first { return try root.bytes(of: path) }
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

  /// The content of a file on disk. Throws for a pipe or a device, since a read from a pipe would wait for a writer.
  private func contentsOnDisk(of path: String) throws(Diagnostic) -> [UInt8]? {
    if let kind = FileStatus("\(root)/\(path)")?.kind, kind != .file {
      throw Diagnostic(rule: "files", file: place(of: path), expected: "a file", found: "a \(kind)")
    }
    return try Self.contents(atPath: "\(root)/\(path)", shownAs: place(of: path))
  }

  /// The content of a file on disk or of a pipe; nil if it cannot be read. Throws for more than ``Bounds/fileBytes``
  /// bytes, and for a pipe to which no process writes in time.
  static func contents(atPath path: String, shownAs place: String? = nil) throws(Diagnostic) -> [UInt8]? {
    var bytes: [UInt8] = []
    do throws(FileProblem) {
      var file = try InputFile(path)
      while bytes.count <= Bounds.fileBytes {
        let piece = try file.read(atMost: 1 << 18)
        if piece.isEmpty { return bytes }
        bytes += piece
      }
    } catch {
      guard error.isUnattended else { return nil }
      throw Diagnostic(
        rule: "files", file: place ?? path, expected: "a file, or a pipe that a process writes to",
        found: "a pipe that no process wrote to for \(FileProblem.patience) s")
    }
    throw Diagnostic(
      rule: "files", file: place ?? path, expected: "at most \(Bounds.fileBytes) bytes", found: "more",
      hint: "split the file")
  }

  /// Throws if a protocol has more files or bytes than ``Bounds`` allows.
  package func refuseExcess(of name: String) throws(CatalogueError) {
    let files = files(of: name).known
    let bytes = files.reduce(0) { $0 + size(of: $1.path) }
    for (most, found, noun) in [(Bounds.packFiles, files.count, "files"), (Bounds.packBytes, bytes, "bytes")]
    where found > most {
      throw CatalogueError([
        Diagnostic(
          rule: "files", file: place(of: definition(of: name).path), expected: "a protocol of at most \(most) \(noun)",
          found: "\(found)")
      ])
    }
  }

  /// The number of bytes of a file; 0 for a file that does not exist.
  private func size(of path: String) -> Int {
    switch storage {
    case .disk: FileStatus("\(root)/\(path)")?.size ?? 0
    case .memory(let texts): texts[path]?.utf8.count ?? 0
    }
  }

  /// The files at these paths that exist, with their content.
  func contents(of paths: [String]) -> [(name: String, bytes: [UInt8])] {
    paths.compactMap { path in (try? bytes(of: path)).map { (path, $0) } }
  }

  /// Replaces the content of a file on disk by a text, in one step.
  package func write(_ text: String, to path: String) throws(Diagnostic) {
    do {
      try Data(text.utf8).write(to: URL(filePath: "\(root)/\(path)"), options: .atomic)
    } catch {
      throw Diagnostic(rule: "files", file: place(of: path), expected: "a file that can be written", found: "\(error)")
    }
  }

  /// The files of a protocol, sorted by path, and then the files of included packs. `stray` contains the paths of files
  /// in the protocol's folders that no part of the kit reads.
  package func files(of name: String) -> (known: [SpecFile], stray: [String]) {
    var known: [SpecFile] = []
    var stray: [String] = []
    func sort(_ path: String, as kind: SpecFileKind?, isStray: Bool) {
      if let kind { return known.append(SpecFile(kind: kind, path: path, place: place(of: path))) }
      // Markdown files beside the data are for people, so they are not reported.
      if isStray, !path.hasSuffix(".md") { stray.append(place(of: path)) }
    }
    if layout == .trees {
      for tree in SpecTree.allCases {
        let folder = "\(tree.rawValue)/\(name)"
        for path in subpaths(of: folder).sorted() where !path.isHidden {
          let isOfTree = tree == .spec || SpecFileKind.folders(of: tree).contains { path.hasPrefix($0 + "/") }
          sort("\(folder)/\(path)", as: SpecFileKind(path: path, tree: tree), isStray: isOfTree)
        }
      }
    } else {
      for path in packPaths().sorted() where !path.isHidden {
        let kind = SpecTree.allCases.lazy.compactMap { SpecFileKind(path: path, tree: $0) }.first
        sort(path, as: kind, isStray: path.contains("/") || Self.isMisspelt(path))
      }
    }
    return (known + included(by: name), stray)
  }

  /// The files of the packs that a protocol includes: requirements, claims about requests, defects.
  private func included(by name: String) -> [SpecFile] {
    guard let bytes = try? bytes(of: definition(of: name).path),
      String(decoding: bytes, as: UTF8.self).contains("\nincludes:"),
      let list = try? SpecDocument(file: Self.definition, bytes: bytes).value["includes"]?.array
    else { return [] }
    let packs = Set(list.compactMap { $0["pack"]?.string }).filter { !$0.contains(/[^a-z0-9-]/) }
    return packs.sorted().flatMap { pack in
      subpaths(of: "spec/\(pack)").sorted().compactMap { path in
        guard let kind = SpecFileKind(path: path, tree: .spec), kind.isShared else { return nil }
        let path = "spec/\(pack)/\(path)"
        return SpecFile(kind: kind, path: path, place: namesProtocols ? place(of: path) : path, pack: pack)
      }
    }
  }

  /// The paths in the folder of one protocol: its own files, and the files in its data folders. The paths in other
  /// folders, such as those of an adapter or a repository, are left out.
  private func packPaths() -> [String] {
    let top =
      switch storage {
      case .disk: (try? FileManager.default.contentsOfDirectory(atPath: root)) ?? []
      case .memory(let texts): Set(texts.keys.map { String($0.prefix { $0 != "/" }) }).sorted()
      }
    let folders = SpecTree.allCases.flatMap(SpecFileKind.folders).filter(top.contains)
    return top.filter { !folders.contains($0) } + folders.flatMap { name in subpaths(of: name).map { "\(name)/\($0)" } }
  }

  /// Whether the name of a file resembles the name of a catalogue file.
  private static func isMisspelt(_ path: String) -> Bool {
    path.hasSuffix(".yaml") && !Nearest.words(to: String(path.dropLast(".yaml".count)), in: SpecFileKind.names).isEmpty
  }

  /// The paths of all files below a folder, relative to that folder.
  private func subpaths(of folder: String) -> [String] {
    if folder.hasPrefix("spec/"), let root = includable.first { return root.subpaths(of: folder) }
    switch storage {
    case .disk:
      let base = "\(root)/\(folder)"
      let paths = (try? FileManager.default.subpathsOfDirectory(atPath: base)) ?? []
      // A link to a folder, or to nothing, is not followed. Such a link is listed, so that it is reported.
      return paths.filter { FileStatus("\(base)/\($0)", followingLinks: false).map { $0.kind != .folder } ?? false }
    case .memory(let texts):
      return texts.keys.filter { $0.hasPrefix(folder + "/") }.map { String($0.dropFirst(folder.count + 1)) }
    }
  }
}

extension String {
  /// Whether a part of the path begins with a dot.
  fileprivate var isHidden: Bool { split(separator: "/").contains { $0.first == "." } }
}
