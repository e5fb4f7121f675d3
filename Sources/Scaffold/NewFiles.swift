import CommandInterface
import FoundationEssentials
import TextKit

/// New files for a folder. Existing files in the folder are never replaced.
package struct NewFiles {
  private var texts: [(path: String, bytes: Data)] = []

  package init() {}

  /// The paths in the folder, in the order in which they were added.
  package var paths: [String] { texts.map(\.path) }

  package mutating func add(_ path: String, _ text: String) { texts.append((path, Data(text.utf8))) }

  /// Adds a copy of a file, or of all files of a folder. `change` returns the new text for the text of each file.
  package mutating func copy(_ source: URL, to path: String, _ change: (String) -> String = { $0 }) throws {
    var isFolder = false
    _ = FileManager.default.fileExists(atPath: source.path, isDirectory: &isFolder)
    guard isFolder else { return add(path, change(String(decoding: try Data(contentsOf: source), as: UTF8.self))) }
    for name in try FileManager.default.contentsOfDirectory(atPath: source.path).sorted() where name.first != "." {
      try copy(source.appending(path: name), to: path.isEmpty ? name : "\(path)/\(name)", change)
    }
  }

  /// Writes all files to a folder. If one of them exists there already, nothing is written, and an error is thrown.
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
