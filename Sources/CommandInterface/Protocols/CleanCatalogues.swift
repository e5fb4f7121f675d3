import Files
import FoundationEssentials

/// Remembers the digest of each catalogue in which this program has found no error. So a start of the program does not
/// validate the same files again.
///
/// For each digest, there is an empty file in the user's cache folder. If that folder cannot be written, every start
/// validates the catalogue again.
struct CleanCatalogues {
  private let folder: String?

  package init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    let cache =
      environment["XDG_CACHE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
      ?? environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 + "/.cache" : nil }
    folder = cache.flatMap { cache in FileStatus.program.map { "\(cache)/conform/clean/\($0)" } }
  }

  func contains(_ digest: String) -> Bool {
    folder.map { FileManager.default.fileExists(atPath: "\($0)/\(digest)") } ?? false
  }

  /// Remembers a catalogue. If this fails, the only effect is that the next start is slower.
  func add(_ digest: String) {
    guard let folder else { return }
    try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    _ = FileManager.default.createFile(atPath: "\(folder)/\(digest)", contents: nil)
  }
}
