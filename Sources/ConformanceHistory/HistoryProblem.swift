import GRDB
import TextKit

/// The reason why this kit cannot use a file as a history, with advice.
package enum HistoryProblem: Error, Hashable, Sendable, CustomStringConvertible {
  case folder(String)
  case missing(String)
  case damaged(String)
  case foreign(String)
  case newer(String)
  /// The file cannot be used for a reason that the system or the database reported.
  case unusable(String, reason: String)
  /// The record cannot be added to a history.
  case record(String, reason: String)

  package var description: String {
    switch self {
    case .folder(let path): "the history '\(path)' is a folder: name a file with --history"
    case .missing(let path):
      "the history '\(path)' does not exist: add a record first with 'conform history add', or name another file with --history"
    case .damaged(let path):
      "the history '\(path)' is damaged, or is not a database: restore it from a copy, or name another file with "
        + "--history and add the records again"
    case .foreign(let path): "'\(path)' is a database of another program: name another file with --history"
    case .newer(let path):
      "the history '\(path)' was written by a newer kit: use that kit, or name another file with --history"
    case .unusable(let path, let reason):
      "the history '\(path)' cannot be used: \(reason); its folder must exist, and file and folder must be yours to write"
    case .record(let path, let reason): "\(path): \(reason)"
    }
  }

  /// The problem that an error of the database at this path indicates.
  init(_ error: DatabaseError, at path: String) {
    switch error.resultCode {
    case .SQLITE_NOTADB, .SQLITE_CORRUPT: self = .damaged(path)
    default: self = .unusable(path, reason: error.message ?? "\(error.resultCode)")
    }
  }
}
