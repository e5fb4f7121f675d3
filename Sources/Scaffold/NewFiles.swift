import CommandInterface
import FoundationEssentials
import TextKit

/// Collects new files and writes them to a folder. It never replaces an existing file in the folder.
package struct NewFiles {
  private var texts: [(path: String, bytes: Data)] = []

  package init() {}

  /// The paths of the new files in the folder, in the order in which the files were added.
  package var paths: [String] { texts.map(\.path) }

  package mutating func add(_ path: String, _ text: String) { texts.append((path, Data(text.utf8))) }

  /// Adds a copy of a file, or of all files of a folder. `change` gets the text of each file and returns the text of
  /// its copy.
  package mutating func copy(_ source: URL, to path: String, _ change: (String) -> String = { $0 }) throws {
    var isFolder = false
    _ = FileManager.default.fileExists(atPath: source.path, isDirectory: &isFolder)
    guard isFolder else { return add(path, change(String(decoding: try Data(contentsOf: source), as: UTF8.self))) }
    for name in try FileManager.default.contentsOfDirectory(atPath: source.path).sorted() where name.first != "." {
      try copy(source.appending(path: name), to: path.isEmpty ? name : "\(path)/\(name)", change)
    }
  }

  /// Writes all files to a folder. If the folder already contains a file at one of the paths, nothing is written, and
  /// an error is thrown.
  package func write(to folder: String) throws {
    if let obstacle = paths.first(where: { FileManager.default.fileExists(atPath: "\(folder)/\($0)") }) {
      throw BadInput("'\(folder)/\(obstacle)' already exists: name another folder, or remove it")
    }
    for (path, bytes) in texts {
      let file = URL(filePath: folder).appending(path: path)
      do {
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try bytes.write(to: file)
      } catch {
        throw BadInput("'\(folder)/\(path)' cannot be written: \(error); name another folder")
      }
    }
  }
}
