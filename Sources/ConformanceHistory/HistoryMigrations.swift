import GRDB

/// The schemas of the database so far. A released schema is never changed. To change the schema, add a migration from
/// the last released schema.
enum HistoryMigrations {
  /// The number that marks a database as a history: `CNFH` in ASCII, in the header of the file.
  private static let applicationID: Int32 = 0x434E_4648

  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("1") { try $0.execute(sql: first) }
    return migrator
  }

  static func isMarked(_ db: Database) throws -> Bool {
    try Int32.fetchOne(db, sql: "PRAGMA application_id") == applicationID
  }

  static func mark(_ db: Database) throws { try db.execute(sql: "PRAGMA application_id = \(applicationID)") }

  private static let first = """
    -- Texts that rows share: rules, instances, details.
    CREATE TABLE text (
      id INTEGER PRIMARY KEY, digest BLOB NOT NULL UNIQUE, value TEXT NOT NULL
    ) STRICT;
    CREATE TABLE run (
      id INTEGER PRIMARY KEY, digest TEXT NOT NULL UNIQUE, protocol TEXT NOT NULL, packDigest TEXT NOT NULL,
      kit TEXT NOT NULL, startedAt TEXT NOT NULL, subjects TEXT NOT NULL, conclusion TEXT NOT NULL,
      counts TEXT NOT NULL, header TEXT NOT NULL, ending TEXT
    ) STRICT;
    CREATE INDEX runOfSubjects ON run (protocol, subjects, packDigest);
    CREATE TABLE doubt (
      runId INTEGER NOT NULL REFERENCES run ON DELETE CASCADE, position INTEGER NOT NULL, line TEXT NOT NULL,
      PRIMARY KEY (runId, position)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE subject (
      runId INTEGER NOT NULL REFERENCES run ON DELETE CASCADE, position INTEGER NOT NULL, role TEXT NOT NULL,
      name TEXT NOT NULL, version TEXT NOT NULL, line TEXT NOT NULL, PRIMARY KEY (runId, position)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX subjectByName ON subject (name);
    CREATE TABLE caseRun (
      runId INTEGER NOT NULL REFERENCES run ON DELETE CASCADE, position INTEGER NOT NULL,
      sharedId INTEGER NOT NULL REFERENCES text, duration REAL NOT NULL, ownDuration REAL NOT NULL, evidence TEXT,
      evidenceDigest TEXT, PRIMARY KEY (runId, position)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE verdict (
      runId INTEGER NOT NULL REFERENCES run ON DELETE CASCADE, position INTEGER NOT NULL,
      requirementId INTEGER NOT NULL REFERENCES text, instanceId INTEGER NOT NULL REFERENCES text,
      outcome TEXT NOT NULL, ruleId INTEGER NOT NULL REFERENCES text, detailsId INTEGER NOT NULL REFERENCES text,
      PRIMARY KEY (runId, position)
    ) STRICT, WITHOUT ROWID;
    """
}
