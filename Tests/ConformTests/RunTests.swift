import ConformanceVerdict
import Testing

@testable import ConformanceReport

/// A run with a defect, and all reports of its results.
@Suite struct RunTests {
  private static let words = [
    "run", "--case", "server.health.*", "--case", "server.event.minimal", "--case", "config.base-url.missing[*]",
    "--dialect", "spec", "--defect",
    "health.needs-key", "--defect", "base-url.empty-accepted",
  ]

  private let folder: Scratch
  private let conform: Command

  init() throws {
    folder = try Scratch()
    conform = Command(in: folder)
  }

  private func record(_ path: String = "conform-report/run.jsonl") throws -> RunRecord {
    try RunRecord(readingFrom: folder.file(path))
  }

  @Test func aRunLeavesARecordThatEverythingElseCanBeMadeFrom() async throws {
    let result = try await conform.run(Self.words)
    #expect(result.code == 1)
    #expect(result.errors.isEmpty)
    #expect(try folder.names() == ["conform-report"])
    #expect(try folder.names(in: "conform-report") == [".conform-report", "evidence", "junit.xml", "run.jsonl"])
    let evidence = try folder.names(in: "conform-report/evidence")
    let record = try record()
    #expect(record.end?.exitCode == .violations)
    #expect(record.cases.map { "\($0.instance).jsonl" }.sorted() == evidence)
    #expect(Set(record.rulings.map(\.disposition)).isSuperset(of: [.pass, .fail]))

    // The JUnit file is valid for tools, and can be made again from the record byte for byte.
    let junit = try folder.text("conform-report/junit.xml")
    #expect(try JUnitReport.schema().problems(in: Array(junit.utf8)).isEmpty)
    #expect(try await conform("report", "conform-report/run.jsonl", "--junit", "again.xml").code == 1)
    #expect(try folder.text("again.xml") == junit)
    let report = try await conform("report", "conform-report/run.jsonl")
    #expect(report.code == 1)
    #expect(result.output.contains(report.output.split(separator: "\n").last ?? "a summary"))

    try await judgingTheEvidenceGivesTheSameVerdicts(evidence, record)
    try await everyRerunFailsAgainAndJudgesNothingElse(record)
  }

  /// Each option is valid, but no case fits them all. Every view reports that, and the rerun command has the same
  /// selection.
  @Test func aRunThatAsksNothingSaysWhichRulesHaveNoCase() async throws {
    let words = ["run", "--role", "sdk", "--dialect", "spec", "--requirement", "LF-LNK-009"]
    let result = try await conform.run(words)
    #expect(result.code == 3)
    #expect(result.output.contains("1 requirement without a case here: LF-LNK-009"), "\(result.output)")
    let record = try record()
    #expect(record.end?.exitCode == .unjudged)
    #expect(record.rulings.isEmpty)
    let junit = try folder.text("conform-report/junit.xml")
    #expect(try JUnitReport.schema().problems(in: Array(junit.utf8)).isEmpty)
    #expect(junit.contains("--role sdk --dialect spec --requirement LF-LNK-009"), "\(junit)")
    #expect(try await conform.shell(record.header.wholeRerun).code == 3)
  }

  private func judgingTheEvidenceGivesTheSameVerdicts(_ evidence: [String], _ record: RunRecord) async throws {
    let result = try await conform.run(["judge"] + evidence.map { "conform-report/evidence/" + $0 })
    #expect(result.code == 1)
    let judged = result.output.split(separator: "\n").filter { $0.contains("\t") }.map(String.init)
    #expect(
      judged.sorted()
        == record.rulings.map { "\($0.disposition.rawValue)\t\($0.verdict.requirement)\t\($0.verdict.instance)" }
        .sorted())
    for case .violates(let findings) in record.rulings.map(\.verdict.outcome) {
      for finding in findings { #expect(result.output.contains("  \(finding)\n")) }
    }
  }

  private func everyRerunFailsAgainAndJudgesNothingElse(_ record: RunRecord) async throws {
    let failures = record.rulings.filter { $0.disposition == .fail }
    #expect(Set(failures.map(\.rule.role)) == ["sdk", "server"])
    for failure in failures {
      let again = try await conform.shell(failure.rerun)
      #expect(again.code == 1)
      // The rerun writes to a folder of its own, so the evidence of the run stays.
      let rulings = try self.record("conform-report-rerun/run.jsonl").rulings
      #expect(rulings.map(\.verdict.instance) == [failure.verdict.instance])
      #expect(rulings.map(\.verdict.requirement) == [failure.verdict.requirement])
      #expect(Self.findings(rulings) == Self.findings([failure]))
    }
  }

  /// The findings without the numbers of entries, which may differ in a run on other ports.
  private static func findings(_ rulings: [RunRecord.Ruling]) -> [String] {
    rulings.flatMap { ruling -> [Finding] in
      guard case .violates(let findings) = ruling.verdict.outcome else { return [] }
      return findings
    }.map { "\($0.subject) \($0.path): \($0.observed)" }
  }

  @Test func aSubjectThatRefusesOneNameOfTheMockServersIsToldTheOther() async throws {
    let result = try await conform(
      "run", "--case", "config.base-url.loopback", "--case", "init.usable", "--dialect", "spec", "--defect",
      "base-url.loopback-refused")
    #expect(result.code == 1)
    let dispositions = try record().rulings.map { "\($0.verdict.requirement) \($0.disposition.rawValue)" }
    #expect(dispositions.sorted() == ["LF-CFG-004 fail", "LF-INIT-001 pass", "LF-INIT-001 pass"])
  }

  @Test func aConformantRunIsQuietWhenAsked() async throws {
    let result = try await conform("run", "--case", "server.health.status", "--dialect", "spec", "--quiet")
    #expect(result.code == 0)
    #expect(result.output.hasSuffix("\n"))
    #expect(
      result.output.contains("conformant in `spec`, one of four dialects, and in `server.health.status`: 2\n  passed"))
    #expect(!result.output.contains("subject"))
  }

  /// A pipe gets no escape codes, whatever the environment contains.
  @Test(arguments: [["TERM": "xterm-256color"], ["NO_COLOR": "1"], ["TERM": "xterm", "CLICOLOR_FORCE": "1"]])
  func aPipeGetsNoEscapeCodes(environment: [String: String]) async throws {
    let result = try await conform.run(
      ["run", "--case", "server.health.status", "--dialect", "spec"], environment: environment)
    #expect(result.code == 0)
    #expect(!result.output.contains("\u{1B}"))
    #expect(!result.output.contains("\r"))
  }

  @Test func aNewRunReplacesItsOwnEvidenceAndNoOther() async throws {
    #expect(try await conform("run", "--case", "server.health.details", "--dialect", "spec").code == 0)
    let evidence = "conform-report/evidence/server.health.status@spec.jsonl"
    try folder.write(evidence, "stale")
    #expect(try await conform("run", "--case", "server.health.status", "--dialect", "spec").code == 0)
    #expect(
      try folder.names(in: "conform-report/evidence") == [
        "server.health.details@spec.jsonl", "server.health.status@spec.jsonl",
      ])
    #expect(try folder.text(evidence).hasPrefix("{"))
    #expect(try record().cases.count == 1)
  }

  @Test func whatIsCutOrDamagedIsToldAndTheRestStillHolds() async throws {
    #expect(try await conform("run", "--case", "server.health.*", "--dialect", "spec").code == 0)
    let lines = try folder.text("conform-report/run.jsonl").split(separator: "\n", omittingEmptySubsequences: false)
    try folder.write("cut.jsonl", lines[0..<4].joined(separator: "\n") + "\n" + lines[4].prefix(30))
    let cut = try await conform("report", "cut.jsonl")
    #expect(cut.code == 3)
    #expect(cut.errors.contains("cut.jsonl: the run was killed after 1 of 2 cases"))
    #expect(cut.output.contains("INCOMPLETE: the run was killed"))

    try folder.write("damaged.jsonl", lines[0] + "\n{\"record\":\"verdict\"}\n")
    let damaged = try await conform("report", "damaged.jsonl", "--junit", "damaged.xml")
    #expect(damaged.code == 2)
    #expect(damaged.errors.contains("damaged.jsonl:2: $."))
    #expect(!folder.exists("damaged.xml"))

    let evidence = try folder.text("conform-report/evidence/server.health.status@spec.jsonl")
    let entries = evidence.split(separator: "\n", omittingEmptySubsequences: false)
    let rows: [(name: String, text: String, code: Int32, says: String)] = [
      ("short", entries[0..<4].joined(separator: "\n") + "\n", 3, "without the entry 'end'"),
      ("torn", String(evidence.prefix(evidence.count / 2)), 3, "is cut off"),
      ("lost", (entries[0..<3] + entries[4...]).joined(separator: "\n"), 2, "lost:4: $.n: expected 3, found 4"),
      ("case", evidence.replacing("server.health.status", with: "server.health.gone"), 2, "case: the catalogue has no"),
      ("other", evidence.replacing("\"linkforty\"", with: "\"parcel\""), 2, "other: unknown protocol 'parcel'"),
    ]
    for row in rows {
      try folder.write(row.name, row.text)
      let result = try await conform("judge", row.name)
      #expect(result.code == row.code, "\(row.name)")
      #expect(result.errors.contains(row.says), "\(result.errors)")
    }
  }
}
