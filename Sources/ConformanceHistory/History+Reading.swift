import ConformanceVerdict
import GRDB

extension History {
  /// One subject in one role, with a summary of its runs.
  package struct SubjectSummary: Hashable, Sendable {
    package var protocolName: String
    package var role: String
    package var name: String
    package var runs: Int
    package var versions: Int
    package var first: String
    package var last: String
    /// The conclusion of the newest run.
    package var conclusion: String
  }

  /// One run of a subject.
  package struct RunSummary: Hashable, Sendable {
    package var protocolName: String
    package var role: String
    package var version: String
    package var startedAt: String
    package var kit: String
    package var packDigest: String
    package var conclusion: String
    /// The number of verdicts with each disposition, as a JSON object.
    package var counts: String
  }

  /// Every subject, sorted by protocol, role and name.
  package func subjects() throws(HistoryProblem) -> [SubjectSummary] {
    try rows(
      """
      SELECT protocol, role, name, count(DISTINCT runId), count(DISTINCT version), min(startedAt), max(startedAt),
        (SELECT latest.conclusion FROM subject AS own JOIN run AS latest ON latest.id = own.runId
          WHERE own.name = subject.name AND own.role = subject.role AND latest.protocol = run.protocol
          ORDER BY latest.startedAt DESC, latest.id DESC LIMIT 1)
      FROM subject JOIN run ON run.id = runId GROUP BY protocol, role, name ORDER BY protocol, role, name
      """
    ) { row in
      SubjectSummary(
        protocolName: row[0], role: row[1], name: row[2], runs: row[3], versions: row[4], first: row[5], last: row[6],
        conclusion: row[7])
    }
  }

  /// The runs of a subject, the oldest first.
  package func runs(of name: String) throws(HistoryProblem) -> [RunSummary] {
    try rows(
      """
      SELECT DISTINCT protocol, role, version, startedAt, kit, packDigest, conclusion, counts
      FROM subject JOIN run ON run.id = runId WHERE name = ? ORDER BY protocol, role, startedAt, run.id
      """, [name]
    ) { row in
      RunSummary(
        protocolName: row[0], role: row[1], version: row[2], startedAt: row[3], kit: row[4], packDigest: row[5],
        conclusion: row[6], counts: row[7])
    }
  }

  /// The names of the protocols.
  package func protocols() throws(HistoryProblem) -> [String] {
    try rows("SELECT DISTINCT protocol FROM run ORDER BY protocol") { $0[0] }
  }

  /// Runs a query. Returns one value for each row.
  func rows<Value>(
    _ query: String, _ arguments: StatementArguments = [], _ value: (Row) throws -> Value
  ) throws(HistoryProblem) -> [Value] {
    try perform { database in
      try database.read { db in try Row.fetchAll(db, sql: query, arguments: arguments).map(value) }
    }
  }
}
