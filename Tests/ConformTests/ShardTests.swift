import ConformanceVerdict
import Foundation
import Testing

/// Several machines run one suite, and their records become one.
@Suite struct ShardTests {
  private let folder: Scratch
  private let conform: Command

  init() throws {
    folder = try Scratch()
    conform = Command(in: folder)
  }

  private static let suite = ["run", "--role", "sdk", "--dialect", "spec", "--case", "link.*", "--quiet"]

  private func run(
    _ output: String, _ options: [String] = [], environment: [String: String] = [:]
  ) async throws
    -> Command.Result
  {
    try await conform.run(Self.suite + ["--output", output] + options, environment: environment)
  }

  private func record(_ name: String) throws -> RunRecord {
    try RunRecord(readingFrom: folder.file("\(name)/run.jsonl"))
  }

  private static func verdicts(_ record: RunRecord) -> [String] {
    record.rulings.map { "\($0.verdict.requirement) \($0.verdict.instance) \($0.disposition.rawValue)" }.sorted()
  }

  @Test(arguments: [2, 7, 32])
  func mergedShardsSayWhatTheWholeRunSays(count: Int) async throws {
    let whole = try await run("whole", ["--defect", "link.cached"])
    let names = (1...count).map { "s\($0)" }
    for (index, name) in names.enumerated() {
      let result = try await run(name, ["--defect", "link.cached", "--shard", "\(index + 1)/\(count)"])
      // A shard without the violation itself can have what is unjudged because of it.
      #expect([0, 1, 3].contains(result.code), "\(result.errors)")
      #expect(result.output.contains("in shard \(index + 1) of \(count)") || result.output.contains("of\n  \(count)"))
    }
    let merged = try await conform.run(["merge"] + names.map { "\($0)/run.jsonl" } + ["--output", "merged"])
    #expect(merged.code == whole.code, "\(merged.output)\(merged.errors)")
    let (one, other) = (try record("whole"), try record("merged"))
    #expect(Self.verdicts(one) == Self.verdicts(other))
    #expect(one.end?.conclusion == other.end?.conclusion)
    #expect(one.header.planned == other.header.planned)
    #expect(try folder.names(in: "whole/evidence") == folder.names(in: "merged/evidence"))
    #expect(try await conform("judge", "--record", "merged/run.jsonl").code == 0)
    let diff = try await conform("diff", "whole/run.jsonl", "merged/run.jsonl")
    #expect(diff.code == 0)
    #expect(diff.output.contains("0 worse, 0 better, 0 new, 0 gone"), "\(diff.output)")
  }

  /// Each shard starts the backend at a port of its own, and it is the same backend.
  @Test func mergesShardsOfABackendThatTheKitStarts() async throws {
    let suite = ["run", "--protocol", "sentiance", "--case", "backend.link.failed*", "--quiet"]
    for number in 1...2 {
      let result = try await conform.run(suite + ["--shard", "\(number)/2", "--output", "s\(number)"])
      #expect(result.code == 0, "\(result.errors)")
    }
    let merged = try await conform("merge", "s1/run.jsonl", "s2/run.jsonl", "--output", "merged")
    #expect(merged.code == 0, "\(merged.errors)")
    #expect(try record("merged").subjects.contains { $0.subject.name == "backend started as sentiance-backend" })
  }

  @Test func aMissingShardMakesTheWholeIncomplete() async throws {
    #expect(try await run("a", ["--shard", "1/2"]).code == 0)
    let result = try await conform("merge", "a/run.jsonl", "--output", "merged")
    #expect(result.code == 3)
    #expect(result.output.contains("INCOMPLETE: shard 2 of 2 is missing"), "\(result.output)")
    #expect(result.output.contains("without a result: link."), "\(result.output)")
  }

  @Test func refusesWhatDoesNotBelongTogether() async throws {
    for (name, options) in [
      ("a", ["--shard", "1/2"]), ("seed", ["--shard", "2/2", "--seed", "5"]),
      ("gate", ["--shard", "2/2", "--gate", "strict"]),
      ("three", ["--shard", "2/3"]), ("balanced", ["--shard", "2/2", "--balance", "a/run.jsonl"]), ("whole", []),
      ("other", ["--shard", "2/2", "--variant", "lacks:revenue"]),
    ] { _ = try await run(name, options) }
    for (names, says) in [
      (["a", "a"], "are both shard 1 of 2"), (["a", "seed"], "its seed is 5, not 1"),
      (["a", "gate"], "its gate is strict, not stated"), (["a", "three"], "its number of shards is 3, not 2"),
      (["a", "balanced"], "record of --balance"), (["a", "whole"], "not of a shard"),
      (["a", "other"], "with other capabilities"),
    ] {
      let result = try await conform.run(["merge"] + names.map { "\($0)/run.jsonl" } + ["--output", "merged"])
      #expect(result.code == 2)
      #expect(result.errors.contains(says), "\(result.errors)")
      #expect(!folder.exists("merged"))
    }
  }

  @Test func refusesChangedOrMissingEvidence() async throws {
    _ = try await run("a", ["--shard", "1/2"])
    let name = try #require(try folder.names(in: "a/evidence").first)
    let file = "a/evidence/\(name)"
    let text = try folder.text(file)
    try folder.write(file, text + "\n")
    #expect(try await conform("merge", "a/run.jsonl", "--output", "m").errors.contains("was changed after the run"))
    try FileManager.default.removeItem(atPath: folder.file(file))
    #expect(try await conform("merge", "a/run.jsonl", "--output", "m").errors.contains("is missing"))
    #expect(!folder.exists("m"))
    try folder.write(file, text)
    #expect(try await conform("merge", "a/run.jsonl", "--output", "a").errors.contains("the folder of the shard"))
    #expect(try folder.text(file) == text)
  }

  @Test func obeysTheEngineAndSaysSo() async throws {
    let slurm = ["SLURM_ARRAY_TASK_ID": "2", "SLURM_ARRAY_TASK_COUNT": "2", "SLURM_ARRAY_TASK_MIN": "1"]
    let result = try await run("a", environment: slurm)
    #expect(result.errors.contains("this is shard 2 of 2 by SLURM_ARRAY_TASK_ID=2, SLURM_ARRAY_TASK_COUNT=2"))
    #expect(try record("a").header.shard?.number == 2)
    let all = try await run("b", ["--no-shard"], environment: slurm)
    #expect(all.errors.isEmpty)
    #expect(try record("b").header.shard == nil)
  }

  @Test func doesWhatBazelAsksOfATest() async throws {
    let bazel = [
      "TEST_TOTAL_SHARDS": "2", "TEST_SHARD_INDEX": "0", "TEST_SHARD_STATUS_FILE": folder.file("status"),
      "XML_OUTPUT_FILE": folder.file("test.xml"), "TESTBRIDGE_TEST_ONLY": "link.refused.*",
    ]
    let result = try await run("a", environment: bazel)
    #expect(result.errors.contains("this is shard 1 of 2"), "\(result.errors)")
    #expect(folder.exists("status"))
    #expect(try folder.text("test.xml").contains("<testsuites"))
    #expect(try record("a").header.selection.contains("link.refused.*"))
  }
}
