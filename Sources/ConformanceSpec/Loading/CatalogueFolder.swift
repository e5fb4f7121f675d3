import ConformanceModel
import FoundationEssentials

/// The root folder of catalogues, with `spec/` and `Fixtures/` in it: the only place that touches the file system.
package struct CatalogueFolder: Sendable {
  private enum Storage: Sendable {
    case disk
    case memory([String: String])
  }

  /// The folder's path; what diagnostics call it.
  package let root: String
  private let storage: Storage

  /// A folder on disk.
  package init(root: String) {
    self.root = root
    storage = .disk
  }

  /// Texts in memory, by their paths from the root: a catalogue that was made, not read.
  package init(texts: [String: String]) {
    root = "."
    storage = .memory(texts)
  }

  /// The protocols that have a `spec/<protocol>/protocol.yaml`, sorted.
  package func availableProtocols() -> [String] {
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
      case .disk: FileManager.default.contents(atPath: "\(root)/\(path)").map(Array.init)
      case .memory(let texts): texts[path].map { Array($0.utf8) }
      }
    guard let bytes else {
      throw Diagnostic(rule: "files", file: path, expected: "a file that can be read", found: "none")
    }
    return bytes
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
      throw Diagnostic(rule: "files", file: path, expected: "a file that can be written", found: "\(error)")
    }
  }

  /// The files of a protocol in the order of their paths, and those that nobody would read.
  func files(of name: String) -> (known: [SpecFile], stray: [String]) {
    var known: [SpecFile] = []
    var stray: [String] = []
    for tree in SpecTree.allCases {
      let folder = "\(tree.rawValue)/\(name)"
      for path in subpaths(of: folder).sorted() where !path.split(separator: "/").contains(where: { $0.first == "." }) {
        if let kind = SpecFileKind(path: path, tree: tree) {
          known.append(SpecFile(kind: kind, path: "\(folder)/\(path)"))
        } else if path.hasSuffix(".md") {
          // A page beside the data is for people.
          continue
        } else if tree == .spec || path.hasPrefix("exchanges/") || path.hasPrefix("models/") {
          stray.append("\(folder)/\(path)")
        }
      }
    }
    return (known, stray)
  }

  /// Every file below a folder, by its path from there.
  private func subpaths(of folder: String) -> [String] {
    switch storage {
    case .disk:
      let base = "\(root)/\(folder)"
      let paths = (try? FileManager.default.subpathsOfDirectory(atPath: base)) ?? []
      return paths.filter { path in
        var isFolder = false
        return FileManager.default.fileExists(atPath: "\(base)/\(path)", isDirectory: &isFolder) && !isFolder
      }
    case .memory(let texts):
      return texts.keys.filter { $0.hasPrefix(folder + "/") }.map { String($0.dropFirst(folder.count + 1)) }
    }
  }
}
