import ConformanceModel
import ConformanceVerdict
import Foundation
import GRDB
import JSONKit
import Records
import Testing

@testable import ConformanceHistory

@Suite struct HistoryTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "conform-\(UUID())").path
  private var path: String { "\(folder)/history.sqlite" }

  init() throws { try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true) }

  private func history(_ records: [RunRecord]) throws -> History {
    let history = try History(path, mayCreate: true)
    _ = try history.add(records.map { HistoryEntry($0) })
    return history
  }

  private func records(of history: History, _ name: String = "parcel") throws -> [RunRecord] {
    var records: [RunRecord] = []
    try history.forEachRecord(of: name) { records.append($0) }
    return records
  }

  private static let violated = Verdict.Outcome.violates([HistoryRecord.finding])

  @Test func aRecordThatIsAddedTwiceIsOneEntry() throws {
    let record = HistoryRecord.make(outcomes: [Self.violated])
    let history = try history([record])
    #expect(try history.add([HistoryEntry(record)]) == .init(added: 0, known: 1))
    #expect(try History(path, mayCreate: true).add([HistoryEntry(record)]) == .init(added: 0, known: 1))
    #expect(try history.runs(of: "dart").count == 1)
  }

  /// Every way in which a record can differ: another digest, another entry.
  @Test(arguments: [
    HistoryRecord.make(day: 2), HistoryRecord.make(name: "kotlin"), HistoryRecord.make(version: "1.1"),
    HistoryRecord.make(pack: "77aa"), HistoryRecord.make(outcomes: [.notApplicable(reason: "no")]),
    HistoryRecord.make(outcomes: [.conforms, .conforms]),
  ])
  func anotherRecordIsAnotherEntry(record: RunRecord) throws {
    let history = try history([HistoryRecord.make()])
    #expect(try history.add([HistoryEntry(record)]) == .init(added: 1, known: 0))
  }

  @Test func nothingOfARecordIsLost() throws {
    var killed = HistoryRecord.make(
      day: 1, outcomes: [Self.violated, .conforms, .unjudged(reason: "it died"), .notApplicable(reason: "no ears")])
    killed.end = nil
    killed.subjects.append(killed.subjects[0])
    killed.rulings[0].leadsTo = ["PA-Q-002"]
    killed.rulings[0].looksLike = ["a small queue"]
    let doubtful = CaseInstance(id: "other", row: nil, dialect: "spec")
    killed.doubts[doubtful] = .init(instance: doubtful, reason: "too busy")
    let whole = HistoryRecord.make(day: 2, outcomes: [.conforms])
    #expect(try records(of: history([whole, killed])) == [killed, whole])
  }

  @Test func textsThatRecordsShareAreStoredOnce() throws {
    let history = try history((1...5).map { HistoryRecord.make(day: $0, outcomes: [.conforms, Self.violated]) })
    let texts = try history.rows("SELECT count(*) FROM text") { $0[0] as Int }
    let verdicts = try history.rows("SELECT count(*) FROM verdict") { $0[0] as Int }
    #expect(verdicts == [10])
    // A case, an instance, two requirements, a rule of both, two kinds of details.
    #expect(texts == [7])
  }

  @Test func subjectsHaveTheirRunsVersionsAndNewestVerdict() throws {
    let history = try history([
      HistoryRecord.make(day: 1, version: "1.0", outcomes: [Self.violated]), HistoryRecord.make(day: 3, version: "1.1"),
      HistoryRecord.make(day: 2, version: "1.0"), HistoryRecord.make(day: 2, name: "kotlin", outcomes: [Self.violated]),
      HistoryRecord.make(day: 1, protocolName: "letter"),
    ])
    let subjects = try history.subjects()
    #expect(subjects.map(\.name) == ["dart", "dart", "kotlin"])
    #expect(subjects.map(\.protocolName) == ["letter", "parcel", "parcel"])
    #expect(subjects[1].runs == 3 && subjects[1].versions == 2 && subjects[1].conclusion == "conformant")
    #expect(subjects[2].conclusion == "not-conformant")
    #expect(try history.protocols() == ["letter", "parcel"])
  }

  @Test func runsAreInTheOrderOfTheirStart() throws {
    let history = try history([
      HistoryRecord.make(day: 3, version: "1.1"), HistoryRecord.make(day: 1, outcomes: [Self.violated]),
    ])
    let lines = HistoryText.lines(try history.runs(of: "dart"))
    #expect(lines.count == 3)
    #expect(lines[0].hasSuffix("verdict         pass  fail"), "\(lines[0])")
    #expect(
      lines[1].hasPrefix("2026-11-01T10:00:00.000Z  sdk   1.0") && lines[1].hasSuffix("not-conformant     0     1"))
    #expect(lines[2].contains("1.1"))
  }

  /// The second of three runs, and the number of flaky verdicts.
  @Test(arguments: [
    (HistoryRecord.make(day: 2, outcomes: [.conforms]), 0), (HistoryRecord.make(day: 2, outcomes: [violated]), 1),
    (HistoryRecord.make(day: 2, outcomes: [.unjudged(reason: "it died")]), 1),
    (HistoryRecord.make(day: 2, version: "1.1", outcomes: [violated]), 0),
    (HistoryRecord.make(day: 2, name: "kotlin", outcomes: [violated]), 0),
    (HistoryRecord.make(day: 2, pack: "77aa", outcomes: [violated]), 0),
    (HistoryRecord.make(day: 2, protocolName: "letter", outcomes: [violated]), 0),
  ])
  func aVerdictIsFlakyIfNothingElseDiffers(second: RunRecord, count: Int) throws {
    let flaky = try history([HistoryRecord.make(day: 1), second, HistoryRecord.make(day: 3)]).flaky()
    #expect(flaky.count == count)
    guard let one = flaky.first else { return }
    #expect(one.requirement == "PA-Q-001" && one.instance == HistoryRecord.instance)
    #expect(one.outcomes["conforms"] == 2 && one.outcomes.count == 2)
    #expect(one.lastSeen == "2026-11-02T10:00:00.000Z")
    #expect(HistoryText.lines(flaky).count == 2)
  }

  @Test func theGateMakesNoVerdictFlaky() throws {
    var strict = HistoryRecord.make(day: 2, outcomes: [Self.violated])
    strict.header.gate = .strict
    strict.rulings[0].disposition = .advisory
    #expect(try history([HistoryRecord.make(outcomes: [Self.violated]), strict]).flaky().isEmpty)
  }

  /// A file, and the problem with it.
  @Test(arguments: ["a text\n", String(repeating: "SQLite format 3\u{0}", count: 600)])
  func aFileThatIsNoDatabaseIsRefusedAndKept(text: String) throws {
    try Data(text.utf8).write(to: URL(filePath: path))
    #expect(throws: HistoryProblem.damaged(path)) { try History(path, mayCreate: true) }
    #expect(try Data(contentsOf: URL(filePath: path)) == Data(text.utf8))
  }

  /// A file that lost its end or whose pages were overwritten is reported, wherever that is noticed.
  @Test(arguments: [0.3, 0.6, 0.9])
  func aDamagedHistoryIsRefused(part: Double) throws {
    let records = (1...9).map { HistoryRecord.make(day: $0, version: "\($0)", outcomes: [.conforms, Self.violated]) }
    try history(records).database.close()
    var bytes = try Data(contentsOf: URL(filePath: path))
    let from = Int(Double(bytes.count) * part)
    bytes.replaceSubrange(from..<bytes.count, with: Data(repeating: 0x5A, count: bytes.count - from))
    try bytes.write(to: URL(filePath: path))
    #expect(throws: HistoryProblem.damaged(path)) {
      let history = try History(path, mayCreate: false)
      _ = try history.subjects()
      _ = try history.flaky()
      _ = try self.records(of: history)
      _ = try history.runs(of: "dart")
    }
  }

  @Test func aDatabaseOfAnotherProgramIsRefusedAndKept() throws {
    let other = try DatabaseQueue(path: path)
    try other.write { try $0.execute(sql: "CREATE TABLE mine (id INTEGER)") }
    try other.close()
    let before = try Data(contentsOf: URL(filePath: path))
    #expect(throws: HistoryProblem.foreign(path)) { try History(path, mayCreate: true) }
    #expect(try Data(contentsOf: URL(filePath: path)) == before)
  }

  @Test func aNewerHistoryIsRefused() throws {
    let history = try history([HistoryRecord.make()])
    try history.database.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('2')") }
    try history.database.close()
    #expect(throws: HistoryProblem.newer(path)) { try History(path, mayCreate: false) }
  }

  @Test func aFolderAndAMissingFileAreRefused() throws {
    #expect(throws: HistoryProblem.folder(folder)) { try History(folder, mayCreate: true) }
    #expect(throws: HistoryProblem.missing(path)) { try History(path, mayCreate: false) }
    #expect(!FileManager.default.fileExists(atPath: path))
    let nowhere = "\(folder)/no/history.sqlite"
    #expect(throws: HistoryProblem.self) { try History(nowhere, mayCreate: true) }
  }

  @Test func theDatabaseHasAWriteAheadLogAndForeignKeys() throws {
    let history = try history([HistoryRecord.make()])
    let facts = try history.database.read { db in
      (try String.fetchOne(db, sql: "PRAGMA journal_mode"), try Int.fetchOne(db, sql: "PRAGMA foreign_keys"))
    }
    #expect(facts.0 == "wal" && facts.1 == 1)
    try history.database.write { try $0.execute(sql: "DELETE FROM run") }
    #expect(try history.rows("SELECT count(*) FROM verdict") { $0[0] as Int } == [0])
  }

  /// The states in which another process, or one that was killed, leaves a file that it makes.
  @Test(arguments: [
    [], ["PRAGMA application_id = 0x434E4648"],
    ["PRAGMA application_id = 0x434E4648", "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)"],
  ])
  func aHistoryThatIsBeingMadeIsUsed(steps: [String]) throws {
    let maker = try DatabaseQueue(path: path)
    try maker.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA journal_mode = wal")
      for step in steps { try db.execute(sql: step) }
    }
    #expect(try history([HistoryRecord.make()]).runs(of: "dart").count == 1)
    try maker.close()
  }

  /// Each adder opens the file by itself, so that some of them make it at once.
  @Test(arguments: 1...20)
  func manyMayAddAtOnce(round: Int) async throws {
    let added = try await withThrowingTaskGroup(of: Int.self, returning: Int.self) { group in
      for number in 1...9 {
        group.addTask { [path] in
          let entries = [HistoryRecord.make(day: number), HistoryRecord.make(day: 1)].map { HistoryEntry($0) }
          return try History(path, mayCreate: true).add(entries).added
        }
      }
      var added = 0
      for try await one in group { added += one }
      return added
    }
    #expect(added == 9)
    #expect(try History(path, mayCreate: false).runs(of: "dart").count == 9)
  }

  @Test func aShardIsNotAdded() throws {
    var record = HistoryRecord.make()
    record.header.shard = .init(number: 1, count: 4, whole: 4)
    let file = "\(folder)/run.jsonl"
    let writer = try RunRecordWriter(file, header: record.header)
    for line in record.lines.dropFirst().dropLast() { try writer.write(line) }
    #expect {
      try HistoryEntry(readingFrom: file)
    } throws: {
      "\($0)".contains("it is shard 1 of 4: merge the shards with 'conform merge'")
    }
  }

  @Test(arguments: ["\u{1B}[2J\u{202E}\r\nFORGED", "'; DROP TABLE run; --", "a\u{0}b"])
  func aNameIsShownAndFound(name: String) throws {
    let history = try history([HistoryRecord.make(name: name, version: name)])
    let shown = try #require(try history.subjects().first).name
    let text = HistoryText.lines(try history.subjects()) + HistoryText.lines(try history.runs(of: shown))
    #expect(text.count == 4)
    #expect(text.joined().unicodeScalars.allSatisfy { !$0.isObeyed })
    #expect(try records(of: history)[0].subjects[0].subject.name == name)
  }
}
