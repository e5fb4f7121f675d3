import ConformanceVerdict
import Foundation
import Testing

/// The baseline keeps the CI of an imperfect SDK honest: known violations are accepted, new or gone ones are reported.
@Suite struct BaselineTests {
  private static let offline = ["--case", "offline.capacity[10*]", "--dialect", "spec", "--quiet"]
  private static let defect = ["--defect", "queue.holds-99"]

  private let folder: Scratch
  private let conform: Command

  init() throws {
    folder = try Scratch()
    conform = Command(in: folder)
  }

  /// Writes the baseline of the defect, with this in place of its reasons.
  private func writeBaseline(reason: String = "In review") async throws {
    #expect(try await conform.run(["run"] + Self.offline + Self.defect).code == 1)
    let written = try await conform("baseline", "write", "conform-report/run.jsonl")
    #expect(written.code == 0, "\(written.errors)")
    #expect(written.output == "baseline.yaml: 1 known; 1 of them without a reason: write why each is accepted\n")
    try change { $0.replacing("reason: \"\"", with: "reason: \(reason)") }
  }

  private func change(_ body: (String) -> String) throws {
    try folder.write("baseline.yaml", body(try folder.text("baseline.yaml")))
  }

  private func run(_ options: [String] = defect) async throws -> Command.Result {
    try await conform.run(["run", "--baseline", "baseline.yaml"] + Self.offline + options)
  }

  @Test func whatIsKnownFailsNothing() async throws {
    try await writeBaseline()
    let result = try await run()
    #expect(result.code == 0, "\(result.output)\(result.errors)")
    #expect(result.output.contains("\nconformant but for what the baseline knows in `spec`, one of four dialects,\n"))
    #expect(result.output.contains("(In review)"))
    let record = try RunRecord(readingFrom: folder.file("conform-report/run.jsonl"))
    #expect(record.rulings.count { $0.disposition == .known && $0.baseline == "In review" } == 3)
    #expect(try await conform("report", "conform-report/run.jsonl").code == 0)
    #expect(try await conform("judge", "--record", "conform-report/run.jsonl").code == 0)
    // The rerun command gives the same result.
    let known = try #require(record.rulings.first { $0.disposition == .known })
    #expect(try await conform.shell(known.rerun).code == 0)
  }

  /// A record whose baseline does not exist is believed only with an option.
  @Test(arguments: [["report"], ["judge", "--record"], ["badge"], ["site", "--output", "pages"]])
  func aBaselineThatIsNotHereIsNotBelieved(words: [String]) async throws {
    try await writeBaseline()
    #expect(try await run().code == 0)
    try FileManager.default.removeItem(atPath: folder.file("baseline.yaml"))
    let line = words + ["conform-report/run.jsonl"]
    let refused = try await conform.run(line)
    #expect(refused.code == 3)
    let says =
      "nothing here confirms the 3 verdicts that it calls known: the baseline 'baseline.yaml' of its run is not"
    #expect(refused.errors.contains(says), "\(refused.errors)")
    #expect(refused.errors.contains("accept this with --trust-baseline"))
    let believed = try await conform.run(line + ["--trust-baseline"])
    #expect(believed.code == 0, "\(believed.errors)")
    #expect(believed.errors.contains(says))
  }

  /// A record may name a pipe. The kit does not open it, since it would wait for a writer.
  @Test func aPipeInThePlaceOfTheBaselineIsNotRead() async throws {
    try await writeBaseline()
    #expect(try await run().code == 0)
    try FileManager.default.removeItem(atPath: folder.file("baseline.yaml"))
    #expect(mkfifo(folder.file("baseline.yaml"), 0o600) == 0)
    #expect(try await conform("report", "conform-report/run.jsonl").code == 3)
  }

  @Test func aBaselineWithoutReasonsIsRefused() async throws {
    try await writeBaseline(reason: "\"\"")
    let result = try await run()
    #expect(result.code == 2)
    #expect(
      result.errors.contains("baseline.yaml:15:5: error: $.known[0].reason: expected why this is accepted"),
      "\(result.errors)")
  }

  @Test func whatIsGoneMakesTheBaselineStale() async throws {
    try await writeBaseline()
    let stale = try await run([])
    #expect(stale.code == 4)
    #expect(
      stale.output.contains(
        "\nthe baseline is stale in `spec`, one of four dialects, and in\n  `offline.capacity[10*]`: 3 stale"))
    let check = try await conform("baseline", "check", "conform-report/run.jsonl", "--baseline", "baseline.yaml")
    #expect(check.code == 4)
    #expect(check.output.split(separator: "\n").count { $0.hasPrefix("stale\tLF-OFF-006\toffline.capacity[10") } == 3)
    let prune = try await conform("baseline", "prune", "conform-report/run.jsonl", "--baseline", "baseline.yaml")
    #expect(prune.code == 0)
    #expect(prune.output.contains(" @spec: removed, since it is gone\n"), "\(prune.output)")
    #expect(try folder.text("baseline.yaml") == "kit: 3\nprotocol: linkforty\nknown: []\n")
    #expect(try await run([]).code == 0)
  }

  @Test func anotherViolationOfTheSameRuleIsNotExcused() async throws {
    try await writeBaseline()
    try change { $0.replacing("observed: \"99\"", with: "observed: \"98\"") }
    let result = try await run()
    #expect(result.code == 1)
    #expect(
      result.output.replacing("\n  ", with: " ").contains(
        "expects something else than was found in offline.capacity[100]@spec: event requests after 'healed'"),
      "\(result.output)")
    // Writing adds the new findings, and keeps the text of a person.
    let written = try await conform("baseline", "write", "conform-report/run.jsonl", "--output", "baseline.yaml")
    #expect(written.output == "baseline.yaml: 1 known\n", "\(written.errors)")
    #expect(try await run().code == 0)
  }

  @Test func anExpiredEntryExcusesNothingAndIsNamed() async throws {
    try await writeBaseline(reason: "In review\n    expires: \"2020-01-31\"")
    let result = try await run()
    #expect(result.code == 1)
    #expect(
      result.output.replacing("\n  ", with: " ").contains(
        "@spec expired on 2020-01-31 and excuses nothing"
      ))
    try change { $0.replacing("2020-01-31", with: "2999-01-31") }
    #expect(try await run().code == 0)
  }

  @Test(arguments: [("\"[0-9]*\"", 1), ("\"*.*.*\"", 0)])
  func anEntryMayHoldForSomeVersionsOnly(version: String, code: Int32) async throws {
    try await writeBaseline(reason: "In review\n    when: { version: \(version) }")
    #expect(try await run().code == code)
  }

  @Test func whatIsNoLongerThereIsRefusedAndPruned() async throws {
    try await writeBaseline()
    try change { $0.replacing("- offline.capacity[101]", with: "- offline.capacity[102]") }
    let result = try await run()
    #expect(result.code == 2)
    #expect(result.errors.contains("expected the name of a case"), "\(result.errors)")
    #expect(result.errors.contains("'conform baseline prune' removes the entry"))
    // A run that could not begin has renamed the record of the one before.
    let prune = try await conform("baseline", "prune", "conform-report/run.jsonl.stale", "--baseline", "baseline.yaml")
    #expect(
      prune.output.contains(
        "LF-OFF-006 in offline.capacity[100] and 2 more @spec: removed, since there is no such thing any more"))
    // Without the entry, its violation is new again.
    #expect(try await run().code == 1)
  }

  @Test func aBaselineThatIsNotThereIsRefusedBeforeAnythingIsBegun() async throws {
    let result = try await run()
    #expect(result.code == 2)
    #expect(result.errors.contains("baseline.yaml: error: $: expected a baseline that can be read, found none"))
    #expect(try folder.names().isEmpty)
  }
}
