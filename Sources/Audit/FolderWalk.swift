import CommandInterface
import FoundationEssentials
import TextKit

/// Finds the files below a folder. It does not follow links.
enum FolderWalk {
  /// The paths of the files, relative to the folder.
  ///
  /// - Parameters:
  ///   - skipped: the names of files and folders to leave out. A folder is left out with all its content.
  ///   - most: the largest number of files.
  ///   - other: called with the path of each link, device, pipe and socket.
  /// - Throws: ``BadInput`` if a folder cannot be read, or if there are more than `most` files.
  static func files(
    below folder: String, without skipped: Set<String>, most: Int, other: (String) throws -> Void = { _ in }
  ) throws -> [String] {
    var paths: [String] = []
    var pending = [""]
    while let inner = pending.popLast() {
      for name in try names(in: inner.isEmpty ? folder : "\(folder)/\(inner)") where !skipped.contains(name) {
        let path = inner.isEmpty ? name : "\(inner)/\(name)"
        switch try FileManager.default.attributesOfItem(atPath: "\(folder)/\(path)")[.type] as? FileAttributeType {
        case .typeDirectory: pending.append(path)
        case .typeRegular: paths.append(path)
        default: try other(path)
        }
        guard paths.count <= most else {
          throw BadInput("'\(folder)' has more than \(most) files: name a clean checkout")
        }
      }
    }
    return paths
  }

  private static func names(in folder: String) throws(BadInput) -> [String] {
    do { return try FileManager.default.contentsOfDirectory(atPath: folder) } catch {
      throw BadInput("cannot read the folder '\(folder)': check that it exists and that you may read it")
    }
  }
}
