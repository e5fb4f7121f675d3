import JSONKit
import Testing

/// The names and files that a shell offers after a tab.
@Suite struct CompletionTests {
  private let conform: Command

  init() throws { conform = Command(in: try Scratch()) }

  struct Row: Sendable, CustomTestStringConvertible {
    /// The command, and the option or the position of the argument that is completed.
    var command: String
    var option: String
    /// The words of the line after `conform`. The last word is completed.
    var words: [String]
    var offers: String

    var testDescription: String { words.joined(separator: " ") }
  }

  private static let rows = [
    Row(
      command: "run", option: "--case", words: ["run", "--case", "offline.capaci"], offers: "offline.capacity"),
    Row(
      command: "run", option: "--case", words: ["run", "--case", "init.usable,offline.capaci"],
      offers: "init.usable,offline.capacity"),
    Row(command: "run", option: "--requirement", words: ["run", "--requirement", "LF-OFF-00"], offers: "LF-OFF-006"),
    Row(command: "run", option: "--defect", words: ["run", "--defect", "queue.hol"], offers: "queue.holds-99"),
    Row(command: "run", option: "--feature", words: ["run", "--feature", "1"], offers: "13"),
    Row(command: "run", option: "--dialect", words: ["run", "--dialect", "core"], offers: "core-1.21"),
    Row(command: "run", option: "--role", words: ["run", "--role", "s"], offers: "server"),
    Row(command: "run", option: "--protocol", words: ["run", "--protocol", "mob"], offers: "mobile-engage"),
    Row(
      command: "run", option: "--requirement",
      words: ["run", "--protocol", "mobile-engage", "--requirement", "ME-RTY-00"], offers: "ME-RTY-001"),
    Row(command: "prove", option: "--defect", words: ["prove", "--defect", "queue.hol"], offers: "queue.holds-99"),
    Row(command: "explain", option: "positional@0", words: ["explain", "LF-OFF-00"], offers: "LF-OFF-006"),
    Row(command: "explain", option: "positional@0", words: ["explain", "queue.hol"], offers: "queue.holds-99"),
  ]

  @Test(arguments: rows) func offersTheNamesOfTheCatalogue(_ row: Row) async throws {
    let typed = row.words.last ?? ""
    let result = try await conform.run(
      ["---completion", row.command, "--", row.option, "\(row.words.count)", "\(typed.count)", "conform"] + row.words)
    #expect(result.code == 0 && result.errors.isEmpty, "\(result.errors)")
    let offers = result.output.split(separator: "\n")
    #expect(offers.contains(Substring(row.offers)), "\(offers.prefix(9))")
    #expect(offers.allSatisfy { $0.hasPrefix(typed) })
  }

  /// The value names of options and arguments that are paths.
  private static let paths: Set<String> = ["file", "folder", "path", "record", "records", "baselines", "transcripts"]

  @Test(arguments: ["run", "judge", "report", "merge", "upgrade", "matrix", "site", "badge", "prove", "fmt", "explain"])
  func offersFilesWhereAPathIsExpected(command: String) async throws {
    let help = try JSON(parsing: try await conform("--experimental-dump-help").output)
    let commands = help["command"]?["subcommands"]?.array ?? []
    let found = try #require(commands.first { $0["commandName"]?.string == command })
    for argument in found["arguments"]?.array ?? [] {
      guard let name = argument["valueName"]?.string, Self.paths.contains(name) else { continue }
      let kind = argument["completionKind"]?.object?.members.first?.key
      #expect(kind == "file" || kind == "directory", "\(argument.compactText)")
    }
  }

  /// Where the script has nothing to offer, bash offers the names of files.
  @Test func theScriptForBashLeavesFilesToBash() async throws {
    let script = try await conform("--generate-completion-script", "bash").output
    #expect(script.contains("\ncomplete -o filenames -o default -F _conform conform\n"))
  }
}
