import CLinux
import Glibc
import Records
import Synchronization
import Templates

/// The folder of a run's report. It is marked as the kit's, locked while a run writes it, and written without following
/// links.
final class ReportFolder: Sendable {
  /// The file that marks a folder as a report of the kit, and names the process that writes it.
  static let marker = ".conform-report"
  /// Reserved room that is released when the disk is full, for the end of the record and a short JUnit file.
  private static let reserve = (name: ".conform-reserve", size: off_t(256 << 10))

  /// The results of a run, and the files rendered from them.
  private static let results = ["run.jsonl", "junit.xml", page]
  /// The name of the HTML page.
  static let page = "report.html"

  let path: String
  private struct State {
    /// The folder, once it belongs to this run.
    var folder = Int32(-1)
    var evidence = Int32(-1)
    var marker = Int32(-1)
  }
  private let state = Mutex(State())

  /// Checks that the folder can be written, without changing anything.
  ///
  /// - Parameter isForced: whether to accept a folder that is neither empty nor a report.
  package init(_ path: String, isForced: Bool) throws(BadInput) {
    self.path = path
    guard !path.isEmpty else { throw BadInput("--output wants a folder, found ''") }
    guard let resolved = realpath(path, nil) else { return }
    defer { free(resolved) }
    if strcmp(resolved, "/") == 0 {
      throw BadInput("--output names '\(path)', the root of the machine: name a folder of its own")
    }
    try expectOwn(isForced)
    try lockExisting()
  }

  deinit {
    state.withLock { state in
      for descriptor in [state.folder, state.evidence, state.marker] where descriptor >= 0 { close(descriptor) }
    }
  }

  /// Refuses a folder with contents unless it is a report.
  private func expectOwn(_ isForced: Bool) throws(BadInput) {
    guard !isForced, let stream = opendir(path) else { return }
    defer { closedir(stream) }
    var found: String?
    while let entry = readdir(stream) {
      let name = String(cString: clinux_entry_name(entry))
      if name == Self.marker { return }
      // A `.gitignore` keeps a report out of a repository. It does not show that the folder is used otherwise.
      if ![".", "..", ".gitignore"].contains(name) { found = min(found ?? name, name) }
    }
    guard let found else { return }
    throw BadInput(
      "the folder '\(path)' is not a report of the kit, and contains '\(found)': name another with --output, or use it with"
        + " --force")
  }

  /// Takes the lock of an existing report.
  private func lockExisting() throws(BadInput) {
    let marker = open("\(path)/\(Self.marker)", O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard marker >= 0 else { return }
    try lock(marker)
  }

  private func lock(_ marker: Int32) throws(BadInput) {
    // The marker must be a regular file with a single name. Otherwise a write to it would change another file or go to
    // a pipe.
    var status = stat()
    guard fstat(marker, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_nlink == 1 else {
      close(marker)
      throw BadInput(
        "'\(path)/\(Self.marker)' is not a file of the kit: remove it, or name another folder with --output")
    }
    guard clinux_lock(marker) == 0 else {
      var bytes = [UInt8](repeating: 0, count: 1 << 10)
      let count = pread(marker, &bytes, bytes.count, 0)
      let holder = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self).split(separator: "\n").last ?? ""
      close(marker)
      throw BadInput(
        "another run writes to '\(path)': \(holder.isEmpty ? "its process is unknown" : String(holder)); wait for its"
          + " end, or name another folder with --output")
    }
    state.withLock { $0.marker = marker }
  }
}

extension ReportFolder {
  /// Prepares the folder for this run: writes the marker, and removes the results of the run before and the evidence
  /// that this run makes again.
  func begin(evidence names: [String]) throws {
    try makeFolders()
    try mark()
    try state.withLock { state throws in
      for name in Self.results {
        for name in [name, name + Self.stale] { try Self.remove(name, in: state.folder, path) }
      }
      for name in names { try Self.remove(name, in: state.evidence, path) }
      try reserveRoom(in: state.folder)
    }
  }

  private func makeFolders() throws {
    var made = ""
    for part in path.split(separator: "/", omittingEmptySubsequences: false) {
      made += part + "/"
      if mkdir(made, 0o777) != 0, errno != EEXIST, errno != EISDIR { throw problem(made, errno) }
    }
    let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { throw problem(path, errno) }
    state.withLock { $0.folder = folder }
    _ = mkdirat(folder, "evidence", 0o777)
    let evidence = clinux_open_folder(folder, "evidence")
    guard evidence >= 0 else {
      throw BadInput(
        "'\(path)/evidence' is not a folder (\(String(cString: strerror(errno)))): remove it, or name another folder with"
          + " --output")
    }
    state.withLock { $0.evidence = evidence }
  }

  /// Writes the process that owns the folder into the marker; the lock ends with the process.
  private func mark() throws {
    let (folder, known) = state.withLock { ($0.folder, $0.marker) }
    if known < 0 {
      let marker = clinux_create_file(folder, Self.marker, O_RDWR, 0o666)
      guard marker >= 0 else { throw problem("\(path)/\(Self.marker)", errno) }
      try lock(marker)
    }
    // The arguments are omitted, since they may contain secrets.
    let text = "A report of conform.\nprocess \(getpid()) since \(Timestamp.now.text)\n"
    let marker = state.withLock(\.marker)
    ftruncate(marker, 0)
    var bytes = Array(text.utf8)
    guard pwrite(marker, &bytes, bytes.count, 0) == bytes.count else { throw problem("\(path)/\(Self.marker)", errno) }
  }

  private func reserveRoom(in folder: Int32) throws {
    let file = clinux_create_file(folder, Self.reserve.name, O_WRONLY, 0o600)
    guard file >= 0 else { throw problem("\(path)/\(Self.reserve.name)", errno) }
    defer { close(file) }
    let code = posix_fallocate(file, 0, Self.reserve.size)
    if code == ENOSPC || code == EDQUOT { throw problem("\(path)/\(Self.reserve.name)", code) }
  }

  /// Releases the reserved room.
  func releaseReserve() { state.withLock { _ = unlinkat($0.folder, Self.reserve.name, 0) } }

  /// An empty file of the report.
  func file(_ name: String) throws(FileProblem) -> OutputFile {
    let folder = state.withLock(\.folder)
    return try OutputFile("\(path)/\(name)") { clinux_create_file(folder, name, Self.writing, 0o666) }
  }

  /// An empty file of evidence.
  func evidenceFile(_ name: String) throws(FileProblem) -> OutputFile {
    let folder = state.withLock(\.evidence)
    return try OutputFile("\(path)/evidence/\(name)") { clinux_create_file(folder, name, Self.writing, 0o666) }
  }

  /// The flags of output files. They do not block, since a subject may have replaced a file by a pipe.
  private static let writing = O_WRONLY | O_APPEND | O_TRUNC | O_NONBLOCK

  /// The suffix of results that are older than a run that could not begin.
  static let stale = ".stale"

  /// Renames the existing results, so that they are not taken for those of a run that could not begin. Does nothing
  /// while another run writes the report.
  func markResultsAsStale() {
    guard state.withLock(\.marker) >= 0 else { return }
    for name in Self.results { rename("\(path)/\(name)", "\(path)/\(name)\(Self.stale)") }
  }

  private static func remove(_ name: String, in folder: Int32, _ path: String) throws(BadInput) {
    guard unlinkat(folder, name, 0) != 0, errno != ENOENT else { return }
    throw BadInput(
      "'\(name)' in '\(path)' cannot be replaced: \(String(cString: strerror(errno))); name another folder with"
        + " --output")
  }

  private func problem(_ file: String, _ code: Int32) -> any Error {
    FileProblem(.write, file, reason: String(cString: strerror(code)), code: code)
  }
}
