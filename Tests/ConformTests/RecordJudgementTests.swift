import ConformanceVerdict
import Foundation
import JSONKit
import Testing

@testable import Records

/// A certifier judges a record again: with its evidence, without its subject, and without trusting it.
@Suite struct RecordJudgementTests {
  private let folder: Scratch
  private let conform: Command

  init() async throws {
    folder = try Scratch()
    conform = Command(in: folder)
    let result = try await conform(
      "run", "--case", "server.health.*", "--case", "server.event.minimal", "--dialect", "spec", "--defect",
      "health.needs-key", "--quiet")
    try #require(result.code == 1)
  }

  private static let record = "conform-report/run.jsonl"
  private static let status = "conform-report/evidence/server.health.status@spec.jsonl"

  private func judge(_ record: String = record) async throws -> Command.Result {
    try await conform("judge", "--record", record)
  }

  @Test func whatIsEqualSaysHowMuchWasCompared() async throws {
    let result = try await judge()
    #expect(result.code == 0, "\(result.output)")
    let record = try RunRecord(readingFrom: folder.file(Self.record))
    #expect(
      result.output == "compared \(record.rulings.count) verdicts in \(record.cases.count) cases: all equal\n")
    #expect(record.rulings.contains { $0.disposition == .fail })
  }

  @Test func aRecordIsJudgedWhereItWasCarried() async throws {
    try FileManager.default.moveItem(atPath: folder.file("conform-report"), toPath: folder.file("carried"))
    // Evidence of another run at the path in the record.
    #expect(try await conform("run", "--case", "server.health.*", "--dialect", "spec", "--quiet").code == 0)
    #expect(try await judge("carried/run.jsonl").code == 0)
  }

  /// A change of the record and the evidence, and the resulting message.
  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var says: String
    var code: Int32 = 1
    var change: @Sendable (Scratch) throws -> Void
  }

  private static func edit(_ file: String, _ folder: Scratch, _ body: (String) -> String) throws {
    let old = try folder.text(file)
    let new = body(old)
    try #require(old != new)
    try folder.write(file, file == record ? sealed(new) : new)
  }

  /// The lines of a record with a valid hash chain. A forger can do this, too, since the chain has no key.
  private static func sealed(_ record: String) -> String {
    String(decoding: RecordSeal.sealedAgain(Array(record.utf8)), as: UTF8.self)
  }

  /// Changes the lines of the record that contain a text. A consistent forgery needs several changes.
  private static func forge(_ folder: Scratch, _ old: String, _ new: String, where mark: String) throws {
    try edit(record, folder) { text in
      text.split(separator: "\n").map { $0.contains(mark) ? $0.replacing(old, with: new) : $0 }.joined(separator: "\n")
        + "\n"
    }
  }

  /// Changes what the record says, with its counts and its hash chain. A consistent forgery is written like that.
  private static func rewrite(_ folder: Scratch, _ change: (inout RunRecord) throws -> Void) throws {
    var lie = try RunRecord(readingFrom: folder.file(record))
    try change(&lie)
    let account = lie.account
    let notes = lie.end?.notes ?? []
    lie.end = .init(tally: account.tally, conclusion: account.conclusion(.end), notes: notes, duration: 1)
    try folder.write(record, sealed(lie.lines.map(\.representation.compactText).joined(separator: "\n") + "\n"))
  }

  /// Changes every failing verdict.
  private static func rewriteFailures(_ folder: Scratch, _ change: (inout RunRecord.Ruling) -> Void) throws {
    try rewrite(folder) { record in
      for index in record.rulings.indices where record.rulings[index].disposition == .fail {
        change(&record.rulings[index])
      }
    }
  }

  /// Puts something else in the place of a transcript.
  private static func replaceStatus(_ folder: Scratch, _ make: (String) throws -> Void) throws {
    let path = folder.file(status)
    try FileManager.default.removeItem(atPath: path)
    try make(path)
  }

  private static let rows = [
    Row(
      testDescription: "missing evidence",
      says:
        "server.health.status@spec: the evidence 'conform-report/evidence/server.health.status@spec.jsonl' is missing"
    ) {
      try FileManager.default.removeItem(atPath: $0.file(status))
    },
    Row(testDescription: "cut evidence", says: "is damaged: line") { folder in
      try edit(status, folder) { text in
        // The cut is in the middle of a line, since the lengths of the lines differ from run to run.
        let lines = text.split(separator: "\n")
        return lines.prefix(3).map { $0 + "\n" }.joined() + lines[3].prefix(lines[3].count / 2)
      }
    },
    Row(testDescription: "changed evidence", says: "is another than was recorded: digest ") { folder in
      try edit(status, folder) { $0.replacing("text/html", with: "text/plain").replacing("\"at\":", with: " \"at\":") }
    },
    Row(testDescription: "evidence that is no transcript", says: "the evidence cannot be read: ") { folder in
      try edit(status, folder) { "{}\n" + $0 }
    },
    Row(
      testDescription: "evidence of another case",
      says: "is of another run: its case is server.health.details@spec, that of the record server.health.status@spec"
    ) { folder in
      try folder.write(status, try folder.text("conform-report/evidence/server.health.details@spec.jsonl"))
    },
    Row(testDescription: "no digest", says: "the record has no digest of the evidence") { folder in
      try edit(record, folder) { $0.replacing(/,"evidenceDigest":"[0-9a-f]+"/, with: "") }
    },
    Row(testDescription: "a lie that agrees with itself", says: ": recorded conforms, recomputed violates (") {
      folder in
      try rewriteFailures(folder) { ruling in
        (ruling.verdict.outcome, ruling.disposition) = (.conforms, .pass)
      }
    },
    Row(testDescription: "a device in the place of evidence", says: "it is a link, and only a regular file is read") {
      try replaceStatus($0) { try FileManager.default.createSymbolicLink(atPath: $0, withDestinationPath: "/dev/zero") }
    },
    Row(testDescription: "a pipe in the place of evidence", says: "it is not a regular file") {
      try replaceStatus($0) { #expect(mkfifo($0, 0o600) == 0) }
    },
    Row(testDescription: "evidence without an end", says: "it is longer than 67108864 bytes") {
      try replaceStatus($0) { path in
        #expect(FileManager.default.createFile(atPath: path, contents: nil))
        #expect(truncate(path, 1 << 40) == 0)
      }
    },
    Row(testDescription: "evidence elsewhere", says: "the evidence '/dev/zero' is missing") { folder in
      try rewrite(folder) { $0.cases[0].evidence = "/dev/zero" }
    },
    Row(
      testDescription: "evidence above the folder",
      says: "cannot read 'conform-report/evidence/..': it is not a regular file"
    ) { folder in
      try rewrite(folder) { $0.cases[0].evidence = "a/../.." }
    },
    Row(testDescription: "a folder of evidence elsewhere", says: "the evidence cannot be read: ") { folder in
      try FileManager.default.moveItem(
        atPath: folder.file("conform-report/evidence"), toPath: folder.file("elsewhere"))
      try FileManager.default.createSymbolicLink(
        atPath: folder.file("conform-report/evidence"), withDestinationPath: "../elsewhere")
    },
    Row(testDescription: "another story", says: "recorded the story 'nothing happened', recomputed '") { folder in
      try rewriteFailures(folder) { $0.story[0] = "nothing happened" }
    },
    Row(testDescription: "a shorter story", says: "recorded the story nothing in line 1, recomputed '") { folder in
      try rewriteFailures(folder) { $0.story = [] }
    },
    Row(testDescription: "another place in the documents", says: "recorded the documentPlace '99999', recomputed ") {
      try rewriteFailures($0) { $0.documentPlace = 99_999 }
    },
    Row(testDescription: "another known defect", says: "recorded the looksLike 'A typing mistake.', recomputed") {
      try rewriteFailures($0) { $0.looksLike.insert("A typing mistake.", at: 0) }
    },
    Row(testDescription: "an ordinary finding", says: "recorded the ordinary 'true', recomputed 'false'") {
      try rewriteFailures($0) { $0.isOrdinary = true }
    },
    Row(testDescription: "a consequence", says: "recorded the leadsTo 'LFS-EVT-001', recomputed ") {
      try rewriteFailures($0) { $0.leadsTo.insert("LFS-EVT-001", at: 0) }
    },
    Row(
      testDescription: "a repetition under other terms", says: "$.rerun: expected no --seed, as the other members say",
      code: 2
    ) {
      try rewrite($0) { record in
        record.header.rerun += " --seed 7"
        for index in record.rulings.indices {
          let verdict = record.rulings[index].verdict
          record.rulings[index].rerun = record.header.rerun(verdict.instance, verdict.requirement)
        }
      }
    },
    Row(
      testDescription: "a note about no baseline", says: "$.notes: expected no note about the baseline that it", code: 2
    ) {
      try rewrite($0) { $0.end?.notes.append("baseline, line 3: the entry for LFS-HLT-001 expired") }
    },
  ]

  @Test func evidenceElsewhereIsNamed() async throws {
    try FileManager.default.moveItem(atPath: folder.file("conform-report/evidence"), toPath: folder.file("elsewhere"))
    #expect(try await judge().code == 1)
    let result = try await conform("judge", "--record", Self.record, "--evidence", "elsewhere")
    #expect(result.code == 0, "\(result.output)")
  }

  @Test(arguments: rows) func whatDiffersIsNamed(row: Row) async throws {
    try row.change(folder)
    let result = try await judge()
    #expect(result.code == row.code, "\(result.output)\(result.errors)")
    #expect((result.output + result.errors).contains(row.says), "\(result.output)\(result.errors)")
  }

  @Test func aRecordWithoutAnEndIsComparedAsFarAsItGoes() async throws {
    let lines = try folder.text(Self.record).split(separator: "\n")
    try folder.write(Self.record, lines.dropLast().joined(separator: "\n") + "\n")
    let result = try await judge()
    #expect(result.code == 0)
    #expect(result.output.contains("incomplete: the run was killed after 3 of 3 cases\n"))
    #expect(try await conform("report", Self.record).code == 3)
    #expect(try await conform("report", Self.record, "--junit", "junit.xml").code == 3)
    #expect(try folder.text("junit.xml").contains("conformance.incomplete"))
  }

  @Test(arguments: [
    ["judge"], ["judge", "a.jsonl", "--record", record], ["judge", "--record", record, "--gate", "strict"],
    ["judge", "--record", record, "--without-position", "P-1"], ["judge", "a.jsonl", "--evidence", "evidence"],
  ])
  func optionsThatSayNothingAreRefused(words: [String]) async throws {
    #expect(try await conform.run(words).code == 2)
  }
}
