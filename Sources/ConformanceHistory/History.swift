import ConformanceVerdict
import Foundation
import GRDB

/// The records of many runs in one SQLite file. Several processes may add records to it at once.
package final class History: Sendable {
  package let path: String
  let database: DatabaseQueue

  /// Opens the history at a path.
  ///
  /// - Parameter mayCreate: whether a missing file is created.
  /// - Throws: ``HistoryProblem``.
  package init(_ path: String, mayCreate: Bool) throws(HistoryProblem) {
    self.path = path
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    if isFolder.boolValue { throw .folder(path) }
    if !exists, !mayCreate { throw .missing(path) }
    database = try Self.opened(path)
  }

  /// Opens the file. Waits while other processes add records or create the file.
  private static func opened(_ path: String) throws(HistoryProblem) -> DatabaseQueue {
    var attempt = 0
    while true {
      do {
        return try openedOnce(path)
      } catch let problem as HistoryProblem {
        throw problem
      } catch let error as DatabaseError {
        let isDefect = [.SQLITE_NOTADB, .SQLITE_CORRUPT, .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_IOERR]
          .contains(error.resultCode)
        if isDefect || attempt == patience { throw HistoryProblem(error, at: path) }
      } catch {
        throw .unusable(path, reason: "\(error)")
      }
      attempt += 1
      usleep(pause)
    }
  }

  private static func openedOnce(_ path: String) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = true
    configuration.busyMode = .timeout(busySeconds)
    // A file that is not a history is not changed, not even to a different journal mode.
    let before = try DatabaseQueue(path: path, configuration: configuration)
    let isMarked = try before.read { try isHistory($0, at: path) }
    try before.close()
    configuration.journalMode = .wal
    let database = try DatabaseQueue(path: path, configuration: configuration)
    // The mark is written before the first table. So the kit does not refuse a file that another process is making, or
    // whose maker was killed.
    if !isMarked { try database.write { try HistoryMigrations.mark($0) } }
    try HistoryMigrations.migrator.migrate(database)
    return database
  }

  /// Whether the database has the number that marks it as a history. Returns false for an empty database without the
  /// mark. Throws if the database belongs to another program or to a newer kit.
  private static func isHistory(_ db: Database, at path: String) throws -> Bool {
    if try HistoryMigrations.isMarked(db) {
      if try HistoryMigrations.migrator.hasBeenSuperseded(db) { throw HistoryProblem.newer(path) }
      return true
    }
    let tables = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") ?? 0
    if tables > 0 { throw HistoryProblem.foreign(path) }
    return false
  }

  /// Runs `work` with the database. Turns each error of the database into a ``HistoryProblem`` with the path of this
  /// file.
  func perform<Value>(_ work: (DatabaseQueue) throws -> Value) throws(HistoryProblem) -> Value {
    do { return try work(database) } catch let problem as HistoryProblem { throw problem } catch let error
      as DatabaseError
    {
      throw HistoryProblem(error, at: path)
    } catch {
      // A stored text is not JSON, or not the JSON that was stored.
      throw .damaged(path)
    }
  }

  /// The longest time that a process waits while other processes add records.
  private static let busySeconds = 60.0
  /// The number of retries to open a file that another process is creating, and the pause before each retry in
  /// microseconds.
  private static let (patience, pause): (Int, UInt32) = (100, 50_000)
}
