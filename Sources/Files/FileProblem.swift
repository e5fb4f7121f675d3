import CLinux
import Glibc
import SystemPackage

/// A file that cannot be opened, read or written.
package struct FileProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// The attempted action.
  package enum Action: String, Sendable {
    case read, write
  }

  package var action: Action
  package var file: String
  /// The reason for the failure, mostly in the words of the system.
  package var reason: String
  /// The errno, if the system gave one.
  package var code: Int32?

  package init(_ action: Action, _ file: String, reason: String, code: Int32? = nil) {
    self.action = action
    self.file = file
    self.reason = reason
    self.code = code
  }

  /// Performs the work, and rethrows any error as a problem of this file.
  static func wrap<Value>(
    _ action: Action, _ file: String, _ work: () throws -> Value
  ) throws(FileProblem) -> Value {
    do { return try work() } catch {
      throw FileProblem(action, file, reason: "\(error)", code: (error as? Errno)?.rawValue)
    }
  }

  /// The problem that the last system call left in `errno`.
  static func last(_ action: Action, _ file: String, _ code: Int32 = errno) -> FileProblem {
    FileProblem(action, file, reason: "\(Errno(rawValue: code))", code: code)
  }

  /// The longest time to wait until another program opens the other end of a pipe, in seconds.
  package static var patience: Int { Int(clinux_pipe_patience) }

  /// The text of ``reason`` for a pipe whose other end no process has opened.
  static func unattended(_ does: String) -> String {
    "it is a pipe that no process \(does), after a wait of \(patience) s"
  }

  /// Whether the file is a pipe whose other end was not opened in time.
  package var isUnattended: Bool { code == Errno.timedOut.rawValue }

  /// Whether the file does not exist.
  package var isAbsence: Bool { code == Errno.noSuchFileOrDirectory.rawValue }

  package var description: String {
    let advice =
      switch action {
      case .read: "check the name and the rights"
      case .write: "its folder must exist, and the file must be yours to write"
      }
    return "cannot \(action.rawValue) '\(file)': \(reason); \(advice)"
  }
}
