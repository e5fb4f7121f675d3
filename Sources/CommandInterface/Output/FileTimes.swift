import FoundationEssentials
import TextKit

/// The times at which the files below some paths were last changed. Hidden files, reports and build folders do not
/// count.
package struct FileTimes: Equatable {
  private static let ignored: Set = ["node_modules", "build", "target", "__pycache__", ReportFiles.defaultFolder]
  private var times: [String: Date] = [:]
  /// The absolute paths of the files and folders that a run itself writes. Changes of these files do not count.
  private let own: Set<String>

  /// Reads the times. Throws ``BadInput`` if a path does not exist.
  ///
  /// - Parameter own: the files and folders that a run itself writes.
  package init(below paths: [String], besides own: [String] = []) throws {
    self.own = Set(own.map(Self.absolute))
    for path in paths {
      guard FileManager.default.fileExists(atPath: path) else {
        throw BadInput("--watch: '\(path)' does not exist; expected a file or a folder")
      }
      add(path)
    }
  }

  /// The path without links, `.` and `..`, so that two names of a file are equal.
  private static func absolute(_ path: String) -> String {
    URL(filePath: path).standardizedFileURL.resolvingSymlinksInPath().path
  }

  private mutating func add(_ path: String) {
    guard own.isEmpty || !own.contains(Self.absolute(path)) else { return }
    // The file may have been deleted since its name was read.
    guard let attributes = try? FileManager.default.attributesOfItem(atPath: path) else { return }
    guard attributes[.type] as? FileAttributeType == .typeDirectory else {
      times[path] = attributes[.modificationDate] as? Date
      return
    }
    for name in (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    where !name.hasPrefix(".") && !Self.ignored.contains(name) { add("\(path)/\(name)") }
  }

  package static func == (left: FileTimes, right: FileTimes) -> Bool { left.times == right.times }

  /// The path, in quotes, of the first file that was created, deleted or changed after `other`; `nothing` if no file
  /// was.
  package func changed(since other: FileTimes) -> String {
    let names = Set(times.keys).union(other.times.keys)
    return names.filter { times[$0] != other.times[$0] }.min().map { "'\($0)'" } ?? "nothing"
  }
}
