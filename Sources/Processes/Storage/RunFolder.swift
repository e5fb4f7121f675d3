import CLinux
import Glibc
import Synchronization

/// The folder for everything that subjects store in one run. The kit locks it as long as the run lasts, so that the
/// next run recognises the folder of a run that was killed.
package final class RunFolder: Sendable {
  /// The error for a folder of temporary files that cannot be used.
  package struct Unusable: Error, CustomStringConvertible {
    package var description: String
  }

  private static let current = Mutex<RunFolder?>(nil)

  let path: String
  /// The descriptor of the locked folder.
  private let descriptor: Int32
  /// The descriptor of the parent folder.
  private let base: Int32
  private let name: String

  /// Removes the folders of runs that were killed. Returns a sentence about them, or nil if there were none. Must be
  /// called before a run begins.
  ///
  /// - Throws: ``Unusable`` if nothing can be stored.
  package static func clearRemains() throws(Unusable) -> String? {
    let place = try place()
    let base = open(place, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard base >= 0 else { throw unusable(place, errno) }
    defer { close(base) }
    var cleared = 0
    var kept: [String] = []
    for name in names(in: base) where StorageName.isOfRun(name) {
      guard let folder = abandoned(name, in: base) else { continue }
      defer { close(folder) }
      let code = clinux_remove(base, name)
      if code == 0 { cleared += 1 } else { kept.append("\(place)/\(name) (\(Self.reason(code)))") }
    }
    let runs = cleared == 1 ? "a run" : "\(cleared) runs"
    let sentences =
      (cleared > 0 ? ["removed from \(place) the files of \(runs) that did not finish"] : [])
      + (kept.isEmpty ? [] : ["cannot remove what an earlier run left: \(kept.joined(separator: ", "))"])
    return sentences.isEmpty ? nil : sentences.joined(separator: "; ")
  }

  /// Removes the folder of this run with its contents. Returns a sentence if that fails.
  ///
  /// A second caller waits until the folder is gone, since the process may end directly after this call.
  @discardableResult
  package static func removeOwn() -> String? {
    current.withLock { current in
      defer { current = nil }
      guard let run = current else { return nil }
      let code = run.remove()
      if code != 0 {
        return "cannot remove what was stored in this run: \(run.path) (\(reason(code)))"
      }
      return run.placeElsewhere.map { "a subject moved the folder of this run to \($0), where it is left empty" }
    }
  }

  /// Describes the errno that says why a folder was not removed.
  private static func reason(_ code: Int32) -> String {
    code == EBUSY || code == EXDEV ? "something is mounted in it" : String(cString: strerror(code))
  }

  /// Creates a folder for the storage of one app, and the folder of the run if that folder does not exist yet.
  static func makeStorage() throws -> (run: RunFolder, name: String) {
    try current.withLock { current throws -> (RunFolder, String) in
      if let run = current, let name = run.makeFolder() { return (run, name) }
      if current != nil, errno != ENOENT { throw Self.failure(errno, current?.path ?? "") }
      // There is no folder of the run yet, or a subject has removed it.
      let run = try RunFolder()
      current = run
      endsWithProcess
      guard let name = run.makeFolder() else { throw Self.failure(errno, run.path) }
      return (run, name)
    }
  }

  private static let endsWithProcess: Void = {
    atexit {
      ForkServer.close()
      RunFolder.removeOwn()
    }
  }()

  private init() throws {
    let place = try Self.place()
    base = open(place, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard base >= 0 else { throw Self.unusable(place, errno) }
    while true {
      let name = StorageName.ofRun()
      if mkdirat(base, name, 0o700) != 0 {
        if errno == EEXIST { continue }
        let code = errno
        close(base)
        throw Self.failure(code, place)
      }
      let folder = clinux_open_own_folder(base, name)
      // Another run may have removed the folder as abandoned before this run locked it.
      if folder >= 0, clinux_lock(folder) == 0, Self.isThere(name, folder, in: base) {
        (self.name, path, descriptor) = (name, "\(place)/\(name)", folder)
        break
      }
      if folder >= 0 { close(folder) }
    }
    writeOwner()
  }

  deinit {
    close(descriptor)
    close(base)
  }

  /// Writes a file that names the process that owns the folder. The file omits the arguments of the process, which may
  /// contain secrets.
  private func writeOwner() {
    let file = clinux_create_file(descriptor, "owner", O_WRONLY | O_EXCL, 0o600)
    guard file >= 0 else { return }
    let text = "process \(getpid()) of conform\n"
    _ = text.utf8.withContiguousStorageIfAvailable { write(file, $0.baseAddress, $0.count) }
    close(file)
  }

  private func makeFolder() -> String? {
    while true {
      let name = StorageName.ofApp()
      if mkdirat(descriptor, name, 0o700) == 0 { return name }
      if errno != EEXIST { return nil }
    }
  }

  /// The path to which a subject has moved the folder; nil if the folder is gone, as expected.
  private var placeElsewhere: String? {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_nlink > 0 else { return nil }
    var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/fd/\(descriptor)", &bytes, bytes.count)
    let place = String(decoding: bytes.prefix(max(0, count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return place.isEmpty || place.hasSuffix(" (deleted)") ? nil : place
  }

  /// Removes the contents of a folder. If the name belongs to something other than a folder, replaces it with a folder.
  fileprivate func emptyFolder(_ name: String) -> Int32 {
    let folder = clinux_open_own_folder(descriptor, name)
    if folder >= 0 {
      defer { close(folder) }
      return clinux_empty_folder(folder)
    }
    let code = clinux_remove(descriptor, name)
    return code != 0 ? code : mkdirat(descriptor, name, 0o700) == 0 ? 0 : errno
  }

  func empty(_ name: String) throws {
    let code = emptyFolder(name)
    if code != 0 { throw Self.failure(code, "\(path)/\(name)") }
  }

  func remove(_ name: String) { _ = clinux_remove(descriptor, name) }

  /// Removes the folder. Returns 0 or an errno. It is not an error if a subject has removed or moved the folder.
  private func remove() -> Int32 {
    let code = clinux_empty_folder(descriptor)
    let last = clinux_remove(base, name)
    return code != 0 ? code : last == ENOENT ? 0 : last
  }
}

extension RunFolder {
  /// The folder for the storage of runs: the folder that `TMPDIR` names, or otherwise a file system in memory if the
  /// system has one. On a disk, the speed of the disk would affect the verdicts on an SDK that forces each write to the
  /// disk.
  private static func place() throws(Unusable) -> String {
    if let named = getenv("TMPDIR").map({ String(cString: $0) }), !named.isEmpty {
      guard let resolved = realpath(named, nil) else {
        throw Unusable(description: "TMPDIR names '\(named)', which is not there: make that folder, or name another")
      }
      defer { free(resolved) }
      let path = String(cString: resolved)
      var status = stat()
      guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
        throw Unusable(description: "TMPDIR names '\(named)', which is not a folder: name one")
      }
      guard access(path, W_OK | X_OK) == 0 else {
        throw Unusable(description: "TMPDIR names '\(named)', which cannot be written to: name another folder")
      }
      return path
    }
    return access("/dev/shm", W_OK | X_OK) == 0 ? "/dev/shm" : "/tmp"
  }

  private static func unusable(_ place: String, _ code: Int32) -> Unusable {
    Unusable(
      description: "nothing can be stored in '\(place)' (\(String(cString: strerror(code)))): name a folder with TMPDIR"
    )
  }

  private static func failure(_ code: Int32, _ path: String) -> any Error {
    if let lack = MachineLack(errno: code) { return ProgramFailure(.machine, "storage at \(path): \(lack.text)") }
    return unusable(path, code)
  }

  /// Opens and locks a folder that its run has left behind. Returns the descriptor; nil if the name is not such a
  /// folder, or another process has locked it.
  private static func abandoned(_ name: String, in base: Int32) -> Int32? {
    var status = stat()
    guard fstatat(base, name, &status, AT_SYMLINK_NOFOLLOW) == 0, status.st_mode & S_IFMT == S_IFDIR,
      status.st_uid == geteuid()
    else { return nil }
    let folder = clinux_open_own_folder(base, name)
    guard folder >= 0 else { return nil }
    if clinux_lock(folder) == 0, isThere(name, folder, in: base) { return folder }
    close(folder)
    return nil
  }

  /// Whether a name still refers to the open folder.
  private static func isThere(_ name: String, _ folder: Int32, in base: Int32) -> Bool {
    var (named, open) = (stat(), stat())
    return fstatat(base, name, &named, AT_SYMLINK_NOFOLLOW) == 0 && fstat(folder, &open) == 0
      && named.st_ino == open.st_ino && named.st_dev == open.st_dev
  }

  /// The names of the entries of an open folder.
  static func names(in folder: Int32) -> [String] {
    let copy = dup(folder)
    guard copy >= 0, let stream = fdopendir(copy) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      names.append(String(cString: clinux_entry_name(entry)))
    }
    return names
  }
}
