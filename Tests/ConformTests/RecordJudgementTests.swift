import ConformanceModel
import ConformanceReport
import Foundation
import JSONKit
import Testing

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
    var seal = RecordSeal()
    return record.split(separator: "\n").map { line in
      let open = line.replacing(/,"seal":"[0-9a-f]+"}$/, with: "}")
      return String(decoding: seal.seal(Array(open.utf8)), as: UTF8.self) + "\n"
    }.joined()
  }

  /// Changes the lines of the record that contain a text. A consistent forgery needs several changes.
  private static func forge(_ folder: Scratch, _ old: String, _ new: String, where mark: String) throws {
    try edit(record, folder) { text in
      text.split(separator: "\n").map { $0.contains(mark) ? $0.replacing(old, with: new) : $0 }.joined(separator: "\n")
        + "\n"
    }
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
      var lie = try RunRecord(readingFrom: folder.file(record))
      for index in lie.rulings.indices where lie.rulings[index].disposition == .fail {
        lie.rulings[index].verdict.outcome = .conforms
        lie.rulings[index].disposition = .pass
      }
      let account = lie.account
      lie.end = .init(tally: account.tally, conclusion: account.conclusion(.end), duration: 1)
      try folder.write(record, sealed(lie.lines.map(\.representation.compactText).joined(separator: "\n") + "\n"))
    },
    Row(testDescription: "another seed", says: "its seed is 1, that of the record 7") { folder in
      try forge(folder, "\"seed\":\"1\"", "\"seed\":\"7\"", where: "\"record\":\"run\"")
    },
    Row(testDescription: "another subject", says: "its subject reference server is none of those that the record names")
    { folder in
      try forge(folder, "reference server", "our server", where: "\"record\":\"subject\"")
    },
    Row(testDescription: "a record that disagrees with itself", says: "$.disposition: expected 'fail'", code: 2) {
      folder in
      try edit(record, folder) { $0.replacing("\"disposition\":\"fail\"", with: "\"disposition\":\"pass\"") }
    },
    Row(testDescription: "a text that nothing else vouches for", says: "run.jsonl:2: $.seal: expected '", code: 2) {
      folder in
      let text = try folder.text(record)
      try folder.write(record, text.replacing("reference server", with: "our server"))
    },
    Row(testDescription: "a record of another pack", says: "run.jsonl:1: $.packDigest: expected '", code: 2) { folder in
      try edit(record, folder) { $0.replacing(/"packDigest":"[0-9a-f]+"/, with: "\"packDigest\":\"5f1d\"") }
    },
    Row(testDescription: "a milder rule", says: "as this pack has it, found another text, level", code: 2) { folder in
      try edit(record, folder) {
        $0.replacing("\"level\":\"MUST\"", with: "\"level\":\"MAY\"").replacing(
          "\"disposition\":\"fail\"", with: "\"disposition\":\"advisory\"")
      }
    },
    Row(testDescription: "an older record", says: "$.version: expected version 4 of the run record format", code: 2) {
      folder in
      try edit(record, folder) { $0.replacing("\"version\":4,\"kit\"", with: "\"version\":2,\"kit\"") }
    },
  ]

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
    ["judge", "--record", record, "--without-position", "P-1"],
  ])
  func optionsThatSayNothingAreRefused(words: [String]) async throws {
    #expect(try await conform.run(words).code == 2)
  }
}
