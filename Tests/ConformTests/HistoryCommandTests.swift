import Foundation
import JSONKit
import Programs
import Testing

/// `conform history` and `conform site --history`: the commands as users type them.
@Suite struct HistoryCommandTests {
  private let toy: ToyCertifier

  init() async throws { toy = try await ToyCertifier() }

  private func history(_ words: String...) async throws -> Command.Result {
    try await toy.conform.run(["history"] + words)
  }

  @Test func aRecordIsAddedOnceListedAndShown() async throws {
    #expect(try await history("add", ToyCertifier.record).output == "conform-history.sqlite: 1 added, 0 were there\n")
    #expect(try await history("add", ToyCertifier.record).output == "conform-history.sqlite: 0 added, 1 were there\n")
    let list = try JSON(parsing: try await history("list", "--format", "json").output)
    let name = try #require(list.array?.first?["name"]?.string)
    let shown = try await history("show", name)
    #expect(shown.code == 0 && shown.output.split(separator: "\n").count == 2, "\(shown)")
    #expect(try await history("flaky").output == "no verdict differs\n")
    let unknown = try await history("show", name + "s")
    #expect(unknown.code == 2 && unknown.errors.contains("did you mean \(name)?"), "\(unknown.errors)")
  }

  /// A run that fails where another passed, with the same adapter.
  @Test func aVerdictThatDiffersIsFlaky() async throws {
    try #require(try await toy.run("--output second --seed 5").code == 0)
    _ = try await history("add", ToyCertifier.record, "Examples/toy/second/run.jsonl")
    #expect(try await history("flaky").output == "no verdict differs\n")
    let adapter = toy.scratch.file("Examples/toy/cloakroom_adapter.py")
    let text = try String(contentsOfFile: adapter, encoding: .utf8)
    let line = "return await self.sdk.fetch("
    try #require(text.contains(line))
    try text.replacing(line, with: "return None and self.sdk.fetch(").write(
      toFile: adapter, atomically: true, encoding: .utf8)
    _ = try await toy.run("--output third --seed 6")
    _ = try await history("add", "Examples/toy/third/run.jsonl")
    let flaky = try JSON(parsing: try await history("flaky", "--format", "json").output)
    #expect(flaky.array?.isEmpty == false)
    #expect(flaky.array?.first?["outcomes"]?["conforms"]?.int == 2)
  }

  @Test func severalProcessesAddAtOnce() async throws {
    let runs = 6
    for number in 0..<runs { try #require(try await toy.run("--output r\(number) --seed \(number)").code == 0) }
    let codes = try await withThrowingTaskGroup(of: Int32.self) { group in
      for number in 0..<runs {
        group.addTask { try await history("add", "Examples/toy/r\(number)/run.jsonl", ToyCertifier.record).code }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(codes == Array(repeating: 0, count: runs))
    let list = try JSON(parsing: try await history("list", "--format", "json").output)
    #expect(list.array?.first?["runs"]?.int == runs + 1)
  }

  /// The site of a history is that of the records, and has the runs of earlier packs.
  @Test func aSiteIsMadeOfAHistory() async throws {
    func site(_ words: String...) async throws -> Command.Result {
      try await toy.conform.run(["site", "--pack", ToyCertifier.pack] + words)
    }
    _ = try await history("add", ToyCertifier.record)
    try #require(try await site(ToyCertifier.record, "--output", "records").code == 0)
    let made = try await site("--history", "conform-history.sqlite", "--output", "history")
    #expect(made.code == 0 && made.errors.isEmpty, "\(made)")
    for file in ["index.html", "index.json"] {
      #expect(try toy.scratch.text("records/\(file)") == toy.scratch.text("history/\(file)"))
    }
    let both = try await site(ToyCertifier.record, "--history", "conform-history.sqlite", "--output", "both")
    #expect(both.code == 0)
    #expect(try toy.scratch.text("records/index.json") == toy.scratch.text("both/index.json"))
    let rules = toy.scratch.file("\(ToyCertifier.pack)/requirements")
    let file = "\(rules)/" + (try #require(try FileManager.default.contentsOfDirectory(atPath: rules).sorted().first))
    let text = try String(contentsOfFile: file, encoding: .utf8)
    try (text + "# Another revision.\n").write(toFile: file, atomically: true, encoding: .utf8)
    let none = try await site("--history", "conform-history.sqlite", "--output", "none")
    #expect(
      none.code == 2 && none.errors.contains("was made with this pack: add a record of this pack"), "\(none.errors)")
    try #require(try await toy.run("--output second").code == 0)
    _ = try await history("add", "Examples/toy/second/run.jsonl")
    let newer = try await site("--history", "conform-history.sqlite", "--output", "newer")
    #expect(newer.code == 0 && newer.errors.contains("1 run of earlier packs"), "\(newer.errors)")
  }

  @Test func helpHasExamples() async throws {
    for words in [["history", "--help"], ["history", "add", "--help"], ["history", "flaky", "--help"]] {
      let result = try await toy.conform.run(words)
      #expect(result.code == 0 && result.output.contains("conform history"), "\(result)")
    }
  }

  /// A program that was copied alone says which other one it needs.
  @Test func aMissingProgramIsNamed() async throws {
    let copy = toy.scratch.file("conform")
    try FileManager.default.copyItem(atPath: Command.buildFolder + "/conform", toPath: copy)
    let result = try await toy.conform.shell("./conform history list; echo $?")
    #expect(result.output == "2\n" && result.errors.contains("'conform-history' is not beside this one"), "\(result)")
  }
}
