import Files
import Synchronization
import Templates
import TextKit

/// The folder of a run's report. It is marked as the kit's, locked while a run writes it, and written without following
/// links.
final class ReportFolder: Sendable {
  /// The file that marks a folder as a report of the kit, and names the process that writes it.
  static let marker = ".conform-report"
  /// Reserved room that is released when the disk is full, for the end of the record and a short JUnit file.
  private static let reserve = (name: ".conform-reserve", size: 256 << 10)

  /// The results of a run, and the files rendered from them.
  private static let results = ["run.jsonl", "junit.xml", page]
  /// The name of the HTML page.
  static let page = "report.html"

  let path: String
  private struct State {
    /// The folder and its evidence, once they belong to this run.
    var folder: OpenFolder?
    var evidence: OpenFolder?
    var marker: LockFile?
  }
  private let state = Mutex(State())

  /// Checks that the folder can be written, without changing anything.
  ///
  /// - Parameter isForced: whether to accept a folder that is neither empty nor a report.
  package init(_ path: String, isForced: Bool) throws(BadInput) {
    self.path = path
    guard !path.isEmpty else { throw BadInput("--output expects a folder, found ''") }
    guard let resolved = Disk.resolved(path) else { return }
    if resolved == "/" {
      throw BadInput("--output names '\(path)', the root of the file system: name another folder")
    }
    try expectOwn(isForced)
    do throws(LockFile.Refusal) {
      let marker = try LockFile(existing: "\(path)/\(Self.marker)")
      state.withLock { $0.marker = marker }
    } catch {
      throw refused(error)
    }
  }

  /// Refuses a folder with contents unless it is a report.
  private func expectOwn(_ isForced: Bool) throws(BadInput) {
    guard !isForced, let names = OpenFolder.names(in: path), !names.contains(Self.marker) else { return }
    // A `.gitignore` keeps a report out of a repository. It does not show that the folder is used otherwise.
    guard let found = names.filter({ $0 != ".gitignore" }).min() else { return }
    throw BadInput(
      "the folder '\(path)' is not a report of the kit, and contains '\(found)': name another with --output, or use it with"
        + " --force")
  }

  private func refused(_ refusal: LockFile.Refusal) -> BadInput {
    switch refusal {
    case .notRegular:
      BadInput("'\(path)/\(Self.marker)' is not a file of the kit: remove it, or name another folder with --output")
    case .held(let holder):
      BadInput(
        "another run writes to '\(path)': \(holder.isEmpty ? "its process is unknown" : holder); wait for its end, or"
          + " name another folder with --output")
    }
  }
}

extension ReportFolder {
  /// Prepares the folder for this run: writes the marker, and removes the results of the run before and the evidence
  /// that this run makes again.
  func begin(evidence names: [String]) throws {
    let folder = try makeFolders()
    try mark(folder)
    for name in Self.results {
      for name in [name, name + Self.stale] { try Self.remove(name, in: folder) }
    }
    if let evidence = state.withLock(\.evidence) {
      for name in names { try Self.remove(name, in: evidence) }
    }
    try folder.reserve(Self.reserve.size, as: Self.reserve.name)
  }

  private func makeFolders() throws -> OpenFolder {
    try Disk.makeFolders(path)
    let folder = try OpenFolder(path)
    state.withLock { $0.folder = folder }
    do throws(FileProblem) {
      let evidence = try folder.folder("evidence")
      state.withLock { $0.evidence = evidence }
    } catch {
      throw BadInput(
        "'\(path)/evidence' is not a folder (\(error.reason)): remove it, or name another folder with --output")
    }
    return folder
  }

  /// Writes the process that owns the folder into the marker.
  private func mark(_ folder: OpenFolder) throws {
    let marker: LockFile
    if let known = state.withLock(\.marker) {
      marker = known
    } else {
      do { marker = try LockFile(Self.marker, in: folder) } catch let refusal as LockFile.Refusal {
        throw refused(refusal)
      }
      state.withLock { $0.marker = marker }
    }
    // The arguments are omitted, since they may contain secrets.
    try marker.write("A report of conform.\nprocess \(Program.id) since \(Timestamp.now.text)\n")
  }

  /// Releases the reserved room.
  func releaseReserve() { try? state.withLock(\.folder)?.remove(Self.reserve.name) }

  /// An empty file of the report.
  func file(_ name: String) throws(FileProblem) -> OutputFile {
    try Self.file(name, in: state.withLock(\.folder), path)
  }

  /// An empty file of evidence.
  func evidenceFile(_ name: String) throws(FileProblem) -> OutputFile {
    try Self.file(name, in: state.withLock(\.evidence), "\(path)/evidence")
  }

  private static func file(_ name: String, in folder: OpenFolder?, _ path: String) throws(FileProblem) -> OutputFile {
    guard let folder else { throw FileProblem(.write, "\(path)/\(name)", reason: "the run has not begun") }
    return try folder.file(name)
  }

  /// The suffix of results that are older than a run that could not begin.
  static let stale = ".stale"

  /// Renames the existing results, so that they are not taken for those of a run that could not begin. Does nothing
  /// while another run writes the report.
  func markResultsAsStale() {
    guard state.withLock({ $0.marker != nil }) else { return }
    for name in Self.results { try? Disk.rename("\(path)/\(name)", to: "\(path)/\(name)\(Self.stale)") }
  }

  private static func remove(_ name: String, in folder: OpenFolder) throws(BadInput) {
    do { try folder.remove(name) } catch {
      throw BadInput(
        "'\(name)' in '\(folder.path)' cannot be replaced: \(error.reason); name another folder with --output")
    }
  }
}
