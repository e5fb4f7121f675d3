import Files
import Synchronization
import Templates
import TextKit

/// The folder of a run's report. A marker shows that the folder is a report of the kit. A run locks the folder while it
/// writes the report, and follows no links in the folder.
final class ReportFolder: Sendable {
  /// The file that marks a folder as a report of the kit. It contains the id of the process that writes the report.
  static let marker = ".conform-report"
  /// A file that reserves disk space. The run releases the space before it writes the end of the record and the JUnit
  /// file, because the disk may be full.
  private static let reserve = (name: ".conform-reserve", size: 256 << 10)

  /// The names of the record and of the files that the kit makes from it.
  private static let results = ["run.jsonl", "junit.xml", page]
  /// The name of the HTML page.
  static let page = "report.html"

  let path: String
  private struct State {
    /// The open folders of the report and of its evidence; nil until the run begins.
    var folder: OpenFolder?
    var evidence: OpenFolder?
    var marker: LockFile?
  }
  private let state = Mutex(State())

  /// Checks that the folder can be written. It changes nothing.
  ///
  /// - Parameter isForced: whether to accept a folder that contains files but is not a report of the kit.
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

  /// Throws if the folder contains files but is not a report of the kit, unless `isForced` is true.
  private func expectOwn(_ isForced: Bool) throws(BadInput) {
    guard !isForced, let names = OpenFolder.names(in: path), !names.contains(Self.marker) else { return }
    // A `.gitignore` keeps a report out of a repository. It does not show that the folder has another purpose.
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
  /// Prepares the folder for this run: writes the marker, deletes the results of the previous run, and deletes the
  /// evidence that this run writes again.
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

  /// Writes the id of this process into the marker.
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

  /// Releases the reserved disk space.
  func releaseReserve() { try? state.withLock(\.folder)?.remove(Self.reserve.name) }

  /// Creates an empty file of the report.
  func file(_ name: String) throws(FileProblem) -> OutputFile {
    try Self.file(name, in: state.withLock(\.folder), path)
  }

  /// Creates an empty file for evidence.
  func evidenceFile(_ name: String) throws(FileProblem) -> OutputFile {
    try Self.file(name, in: state.withLock(\.evidence), "\(path)/evidence")
  }

  private static func file(_ name: String, in folder: OpenFolder?, _ path: String) throws(FileProblem) -> OutputFile {
    guard let folder else { throw FileProblem(.write, "\(path)/\(name)", reason: "the run has not begun") }
    return try folder.file(name)
  }

  /// The suffix that the results of an earlier run get, if a later run cannot begin.
  static let stale = ".stale"

  /// Renames the results of an earlier run. This run could not begin, so people might mistake the old results for its
  /// results. Does nothing while another run writes the report.
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
