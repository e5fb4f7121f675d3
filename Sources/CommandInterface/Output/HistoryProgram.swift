import Files
import FoundationEssentials
import Glibc
import TextKit

/// The program `conform-history`. It is in the same folder as this program, and is the only program of the kit that
/// links a database.
package enum HistoryProgram {
  private static let program = SiblingProgram(
    name: "conform-history", remedy: "in a checkout 'bin/conform history' builds it, and packages contain it")

  /// Replaces this process by `conform-history`. So the output and the exit code of this command are those of
  /// `conform-history`.
  package static func become(_ words: [String]) throws(BadInput) -> Never {
    let path = try program.path
    // The new program does not inherit the handler of a signal, but it would inherit that a signal is ignored.
    signal(SIGPIPE, SIG_DFL)
    let arguments = ([path] + words).map { strdup($0) } + [nil]
    execv(path, arguments)
    throw BadInput("'\(path)' cannot be started: \(String(cString: strerror(errno)))")
  }

  /// Exports the records of a history to a folder. The folder is deleted when the returned object is released.
  ///
  /// - Parameter protocolName: the protocol whose records are exported. It may be nil if the history contains only one
  ///   protocol.
  package static func records(of history: String, protocolName: String?) throws -> ExportedRecords {
    let folder = try ExportedRecords()
    let words = ["export", "--history", history, "--output", folder.path]
    let code = try run(words + (protocolName.map { ["--protocol", $0] } ?? []))
    // The program has reported the error itself.
    if code != 0 { throw Finished(code: .init(rawValue: code) ?? .badInput) }
    return folder
  }

  /// Runs `conform-history` and discards its stdout. Returns the exit code, or -1 if a signal ended the program.
  private static func run(_ words: [String]) throws(BadInput) -> Int32 {
    let path = try program.path
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    let arguments = ([path] + words).map { strdup($0) } + [nil]
    defer { for word in arguments { free(word) } }
    var (id, status) = (pid_t(0), Int32(0))
    let code = posix_spawn(&id, path, &actions, nil, arguments, environ)
    if code != 0 { throw BadInput("'\(path)' cannot be started: \(String(cString: strerror(code)))") }
    while waitpid(id, &status, 0) < 0, errno == EINTR {}
    return status & 0x7F == 0 ? status >> 8 & 0xFF : -1
  }
}

/// A folder with the records of a history. The folder is deleted with the object.
package final class ExportedRecords {
  let path: String

  fileprivate init() throws { path = try Disk.makeTemporaryFolder(named: "conform-history") }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The paths of the records, the oldest run first.
  package var files: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted().map { "\(path)/\($0)" }
  }
}
