import Digests
import Foundation
import GRDB

extension History {
  /// The number of entries that were added, and the number of entries that the history contained already.
  package struct Addition: Hashable, Sendable {
    package var added: Int
    package var known: Int
  }

  /// Adds all entries, or none if an error occurs. An entry that the history already contains is not added again.
  package func add(_ entries: [HistoryEntry]) throws(HistoryProblem) -> Addition {
    try perform { database in
      try database.writeWithoutTransaction { db in
        var result = Addition(added: 0, known: 0)
        try db.inTransaction(.immediate) {
          let writer = try EntryWriter(db)
          for entry in entries {
            if try writer.write(entry) { result.added += 1 } else { result.known += 1 }
          }
          return .commit
        }
        return result
      }
    }
  }
}

/// Writes entries into the tables. It reuses the prepared statements, and remembers under which number the database
/// stores each text.
private final class EntryWriter {
  private let db: Database
  private let run: Statement
  private let verdict: Statement
  private let caseRun: Statement
  private let newText: Statement
  private let knownText: Statement
  private var numbers: [String: Int64] = [:]

  init(_ db: Database) throws {
    self.db = db
    run = try db.makeStatement(
      sql: """
        INSERT INTO run (digest, protocol, packDigest, kit, startedAt, subjects, conclusion, counts, header, ending)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (digest) DO NOTHING
        """)
    verdict = try db.makeStatement(sql: "INSERT INTO verdict VALUES (?, ?, ?, ?, ?, ?, ?)")
    caseRun = try db.makeStatement(sql: "INSERT INTO caseRun VALUES (?, ?, ?, ?, ?, ?, ?)")
    newText = try db.makeStatement(
      sql: "INSERT INTO text (digest, value) VALUES (?, ?) ON CONFLICT (digest) DO NOTHING")
    knownText = try db.makeStatement(sql: "SELECT id FROM text WHERE digest = ?")
  }

  /// Writes an entry. Returns false if the history already contains it.
  func write(_ entry: HistoryEntry) throws -> Bool {
    try run.execute(arguments: [
      entry.digest, entry.protocolName, entry.packDigest, entry.kit, entry.startedAt, entry.subjectVersions,
      entry.conclusion, entry.counts, entry.header, entry.end,
    ])
    guard db.changesCount > 0 else { return false }
    let id = db.lastInsertedRowID
    try writeSmallParts(of: entry, id)
    for (position, row) in entry.cases.enumerated() {
      try caseRun.execute(arguments: [
        id, position, number(of: row.shared), row.duration, row.ownDuration, row.evidence, row.evidenceDigest,
      ])
    }
    for (position, row) in entry.verdicts.enumerated() {
      try verdict.execute(arguments: [
        id, position, number(of: row.requirement), number(of: row.instance), row.outcome, number(of: row.rule),
        number(of: row.details),
      ])
    }
    return true
  }

  private func writeSmallParts(of entry: HistoryEntry, _ id: Int64) throws {
    for (position, row) in entry.subjects.enumerated() {
      try db.execute(
        sql: "INSERT INTO subject VALUES (?, ?, ?, ?, ?, ?)",
        arguments: [id, position, row.role, row.name, row.version, row.line])
    }
    for (position, line) in entry.doubts.enumerated() {
      try db.execute(sql: "INSERT INTO doubt VALUES (?, ?, ?)", arguments: [id, position, line])
    }
  }

  /// The database identifies a text by this number of bytes at the beginning of the text's SHA-256. In practice, two
  /// different texts never have the same 20 bytes.
  private static let keyBytes = 20

  /// The number of a text in the database. A new text is stored first.
  private func number(of text: String) throws -> Int64 {
    if let number = numbers[text] { return number }
    let key = Data(SHA256.hash(text.utf8).prefix(Self.keyBytes))
    try newText.execute(arguments: [key, text])
    let isNew = db.changesCount > 0
    let number = isNew ? db.lastInsertedRowID : try Int64.fetchOne(knownText, arguments: [key]) ?? 0
    numbers[text] = number
    return number
  }
}
