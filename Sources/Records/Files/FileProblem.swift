import CLinux
import JSONKit
import SystemPackage

/// A file that cannot be opened, read or written.
package struct FileProblem: Error, Hashable, Sendable, CustomStringConvertible {
  /// The attempted action.
  package enum Action: String, Sendable {
    case read, write
  }

  package var action: Action
  package var file: String
  /// The reason that the system gave.
  package var reason: String
  /// The errno, if the system gave one.
  package var code: Int32?

  package init(_ action: Action, _ file: String, reason: String, code: Int32? = nil) {
    self.action = action
    self.file = file
    self.reason = reason
    self.code = code
  }

  /// Does the work, and throws an error of the system as a problem of this file.
  static func wrap<Value>(
    _ action: Action, _ file: String, _ work: () throws -> Value
  ) throws(FileProblem) -> Value {
    do { return try work() } catch {
      throw FileProblem(action, file, reason: "\(error)", code: (error as? Errno)?.rawValue)
    }
  }

  /// The reason for a pipe whose other end is not open.
  static func unattended(_ does: String) -> String {
    "it is a pipe that no process \(does), after a wait of \(clinux_pipe_patience) s"
  }

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

/// A line of a JSON Lines file that violates the format: file, line, field, expected, found.
package struct LineProblem: Error, Hashable, Sendable, CustomStringConvertible {
  package var file: String
  /// Counted from 1.
  package var line: Int
  /// The field of the line; the root for the line as a whole.
  package var field: JSONPath
  package var expected: String
  package var found: String

  package init(file: String, line: Int, field: JSONPath = .root, expected: String, found: String) {
    self.file = file
    self.line = line
    self.field = field
    self.expected = expected
    self.found = found
  }

  package var description: String { "\(file):\(line): \(field): expected \(expected), found \(found)" }
}
