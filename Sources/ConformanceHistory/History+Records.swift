import ConformanceModel
import ConformanceVerdict
import GRDB

extension History {
  /// Calls `body` with each record of a protocol, the oldest run first. Throws ``HistoryProblem``, or what `body` throws.
  package func forEachRecord(of protocolName: String, _ body: (RunRecord) throws -> Void) throws {
    let runs: [Int64] = try rows(
      "SELECT id FROM run WHERE protocol = ? ORDER BY startedAt, id", [protocolName]
    ) { $0[0] }
    var texts = SharedTexts()
    for run in runs {
      let entry = try perform { database in try database.read { try HistoryEntry($0, run: run, &texts) } }
      let record: RunRecord
      do { record = try entry.record() } catch { throw HistoryProblem.damaged(path) }
      try body(record)
    }
  }
}

/// Keeps the short texts that were read so far, so that each of them is read only once. The key is the number of the
/// text in the database.
private struct SharedTexts {
  /// The longest text that is kept, in bytes. Longer texts are step-by-step accounts, which few records share.
  private static let longest = 1000
  private var texts: [Int64: String] = [:]

  mutating func text(_ number: Int64, _ statement: Statement) throws -> String {
    if let text = texts[number] { return text }
    let text = try String.fetchOne(statement, arguments: [number]) ?? ""
    if text.utf8.count <= Self.longest { texts[number] = text }
    return text
  }
}

extension HistoryEntry {
  fileprivate init(_ db: Database, run id: Int64, _ texts: inout SharedTexts) throws {
    let statement = try db.cachedStatement(sql: "SELECT value FROM text WHERE id = ?")
    guard let run = try Row.fetchOne(db, sql: "SELECT * FROM run WHERE id = ?", arguments: [id]) else {
      throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a run is not there")
    }
    (protocolName, packDigest, kit) = (run["protocol"], run["packDigest"], run["kit"])
    (startedAt, conclusion, counts) = (run["startedAt"], run["conclusion"], run["counts"])
    (header, end) = (run["header"], run["ending"])
    func rows(_ table: String) throws -> [Row] {
      try Row.fetchAll(db, sql: "SELECT * FROM \(table) WHERE runId = ? ORDER BY position", arguments: [id])
    }
    doubts = try rows("doubt").map { $0["line"] }
    subjects = try rows("subject").map {
      SubjectRow(role: $0["role"], name: $0["name"], version: $0["version"], line: $0["line"])
    }
    cases = try rows("caseRun").map {
      CaseRow(
        shared: try texts.text($0["sharedId"], statement), duration: $0["duration"], ownDuration: $0["ownDuration"],
        evidence: $0["evidence"], evidenceDigest: $0["evidenceDigest"])
    }
    verdicts = try rows("verdict").map {
      VerdictRow(
        requirement: try texts.text($0["requirementId"], statement),
        instance: try texts.text($0["instanceId"], statement), outcome: $0["outcome"],
        rule: try texts.text($0["ruleId"], statement), details: try texts.text($0["detailsId"], statement))
    }
  }
}
