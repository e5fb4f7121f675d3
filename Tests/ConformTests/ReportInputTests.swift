import Foundation
import Testing

/// Bad input of the commands for reports, sites, histories and shards: a sentence, exit code 2, nothing half-written.
@Suite struct ReportInputTests {
  /// Command lines with `?` in the place of a record.
  private static let readers = [
    "report ? --pack %", "report ? --pack % --html page.html", "report ? --pack % --format markdown",
    "report ? --pack % --annotations github", "report ? --pack % --code-quality quality.json",
    "badge ? --pack % --output badge.svg", "site ? --pack % --output public", "site @good ? --pack % --output public",
    "diff @good ?", "diff ? @good --format json", "matrix ? --pack %", "merge ? --pack % --output merged",
    "upgrade ? --pack %", "history add ?", "history add @good ?",
  ]

  @Test(arguments: readers, ReportInputs.bad.map(\.0))
  func aBadRecordIsRefused(line: String, record: String) async throws {
    let says = try #require(ReportInputs.bad.first { $0.0 == record }).1
    try await expectRefusal(of: line.replacing("?", with: "@\(record)"), says)
  }

  @Test(
    arguments: [
      ("site @good @other --pack % --output public", "write a site for each protocol"),
      ("diff @good @other", "name two records of one protocol"),
      ("upgrade @other --pack %", "unknown protocol 'parcel'"),
      ("site @good --pack % --output mine", "is not a site of the kit and contains 'notes.txt'"),
      ("site @good --pack % --output mine/notes.txt", "is a file: name a folder with --output"),
      ("site --pack % --output public", "give records, or a history with --history"),
      ("history add @good --history mine", "is a folder: name a file with --history"),
      ("history list --history mine", "is a folder: name a file with --history"),
      ("site --pack % --history mine --output public", "is a folder: name a file with --history"),
      ("history add @good --history mine/notes.txt", "is damaged, or is not a database"),
      ("history add @good --history no/history.sqlite", "its folder must exist"),
      ("history list", "the history 'conform-history.sqlite' does not exist: add a record first"),
      ("history show toy", "the history 'conform-history.sqlite' does not exist"),
      ("history flaky", "the history 'conform-history.sqlite' does not exist"),
      ("history export --output records", "the history 'conform-history.sqlite' does not exist"),
      ("site --pack % --history none.sqlite --output public", "the history 'none.sqlite' does not exist"),
      ("history add @shard", "it is shard 1 of 2: merge the shards with 'conform merge'"),
      ("history rum", "rum"), ("history show", "Missing expected argument '<subject>'"),
      ("matrix @good --pack % --earlier-pack mine", "--earlier-pack expects a pack of the protocol"),
      ("run --shard 0/3", "K from 1 to N, found '0/3'; the first shard is 1"),
      ("run --shard 4/3", "K from 1 to N, found '4/3'"), ("run --shard 1/0", "K from 1 to N, found '1/0'"),
      ("merge @shard @shard --pack % --output merged", "are both shard 1 of 2"),
      ("merge @good --pack % --output merged", "not of a shard"),
    ])
  func whatDoesNotFitIsRefused(line: String, says: String) async throws { try await expectRefusal(of: line, says) }

  @Test(arguments: [
    ["CI_NODE_INDEX": "two", "CI_NODE_TOTAL": "2"], ["CI_NODE_INDEX": "", "CI_NODE_TOTAL": "2"],
    ["CI_NODE_INDEX": "1", "CI_NODE_TOTAL": "two"],
    ["TEST_SHARD_INDEX": "-1", "TEST_TOTAL_SHARDS": "2"],
    ["SLURM_ARRAY_TASK_ID": "1e3", "SLURM_ARRAY_TASK_COUNT": "2"],
  ])
  func aVariableThatIsNotANumberIsNamed(variables: [String: String]) async throws {
    let name = try #require(variables.first { Int($0.value) ?? -1 < 0 }).key
    try await expectRefusal(of: "run --case server.health.status", name, environment: variables)
  }

  private func expectRefusal(of line: String, _ says: String, environment: [String: String] = [:]) async throws {
    let inputs = try await ReportInputs.shared.value
    let folder = try Scratch()
    try FileManager.default.createDirectory(atPath: folder.file("mine"), withIntermediateDirectories: false)
    try folder.write("mine/notes.txt", "kept\n")
    let result = try await Command(in: folder).run(inputs.words(line), environment: environment)
    #expect(result.code == 2 && result.output.isEmpty, "\(result)")
    #expect(result.errors.contains(says), "\(result.errors)")
    #expect(try folder.names() == ["mine"] && folder.names(in: "mine") == ["notes.txt"])
    #expect(try folder.text("mine/notes.txt") == "kept\n")
  }
}
