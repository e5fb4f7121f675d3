import ArgumentParser
import ConformanceBench
import ConformanceModel
import ConformanceReport
import JSONKit

/// The command: parses the line, runs one subcommand, and turns whatever comes out into the exit code that says which kind.
@main
struct Conform: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "conform",
    abstract: "Checks SDKs and servers against every requirement of their protocol.",
    discussion: """
      Without options, 'conform run' checks the reference SDK and the reference server against each other.

      Exit codes: 0 conformant, 1 violations, 2 bad input, 3 something could not be judged or the run is incomplete, \
      4 stale baseline, 5 expired certificate.
      """,
    version: Kit.name,
    subcommands: [
      RunCommand.self, ServeCommand.self, ListCommand.self, ExplainCommand.self, JudgeCommand.self, ShowCommand.self,
      ReportCommand.self, MergeCommand.self, DiffCommand.self, MatrixCommand.self, SiteCommand.self,
      BaselineCommand.self, ProveCommand.self, LintCommand.self, FmtCommand.self, CoverageCommand.self,
      InitCommand.self, DoctorCommand.self, KeyCommand.self, CertifyCommand.self, VerifyCommand.self,
      ChallengeCommand.self, SignCommand.self, RegistryCommand.self, IdleCommand.self,
    ])

  static func main() async {
    // An adapter or a reader of our output that is gone must not end the run.
    ignoreBrokenPipes()
    do {
      var command = try parse(Array(CommandLine.arguments.dropFirst()))
      if var asynchronous = command as? any AsyncParsableCommand {
        try await asynchronous.run()
      } else {
        try command.run()
      }
      exit(withCode: .conformant)
    } catch let finished as Finished {
      withExtendedLifetime(finished.work) { exit(withCode: finished.code) }
    } catch {
      end(with: error)
    }
  }

  /// The command that a line asks for. A run that cannot begin leaves no older results behind that could be taken for its
  /// own, also when its line cannot be read.
  private static func parse(_ words: [String]) throws -> any ParsableCommand {
    try expectKnownCommand(words)
    do { return try parseAsRoot(words) } catch {
      let isHelp = exitCode(for: error) == .success
      if !isHelp, words.first == RunCommand._commandName { ReportFiles(namedIn: words)?.markResultsAsStale() }
      throw error
    }
  }

  /// Throws with the nearest names where a word that stands for a command, also behind `help`, is none.
  static func expectKnownCommand(_ words: [String]) throws(BadInput) {
    var level: any ParsableCommand.Type = Conform.self
    for word in words.first == "help" ? words.dropFirst() : words[...].prefix(1) {
      guard !word.hasPrefix("-") else { return }
      let commands = level.configuration.subcommands
      guard let next = commands.first(where: { $0._commandName == word }) else {
        let shown = commands.compactMap { $0.configuration.shouldDisplay ? $0._commandName : nil }
        throw .unknown("command", word, shown, list: nil)
      }
      level = next
    }
  }

  /// Help and version go to stdout with 0; a wrong line or any other error goes to stderr with 2, but with 3 when the
  /// machine lacks what a run needs: nobody typed anything wrong.
  private static func end(with error: any Error) -> Never {
    if let lack = (error as? FileProblem)?.code.flatMap({ MachineLack(errno: $0) }) ?? MachineLack(error) {
      Terminal.error(.complaint(error) + ("\(error)".contains(lack.text) ? "\n" : "\nconform: \(lack.text)\n"))
      exit(withCode: .unjudged)
    }
    let isHelp = exitCode(for: error) == .success
    let isUsage = exitCode(for: error) == .validationFailure || isHelp
    let text: TerminalText =
      fullMessage(for: error) == Kit.name ? Kit.version : isUsage ? usage(error) : .complaint(error)
    if isHelp { Terminal.output(text + "\n") } else { Terminal.error(text + "\n") }
    exit(withCode: isHelp ? .conformant : .badInput)
  }

  /// What the parser of the line says, in which words of the line may stand: a line end of theirs begins no line.
  private static func usage(_ error: any Error) -> TerminalText {
    let words = CommandLine.arguments.dropFirst().flatMap { word in
      [word] + (word.firstIndex(of: "=").map { [String(word[word.index(after: $0)...])] } ?? [])
    }
    let hostile = Set(words).filter { $0 != $0.visibleOnOneLine }.sorted { $1.count < $0.count }
    return .lines(hostile.reduce(fullMessage(for: error)) { $0.replacing($1, with: $1.visibleOnOneLine) })
  }

  /// Ends the program. Output that got lost is not green: whoever reads it would take what is missing for nothing.
  private static func exit(withCode code: ConformanceModel.ExitCode) -> Never {
    if let obstacle = Terminal.obstacle {
      Terminal.error("conform: the output could not be written: \(obstacle)\n")
      Conform.exit(withError: ArgumentParser.ExitCode((code == .conformant ? .unjudged : code).rawValue))
    }
    Conform.exit(withError: ArgumentParser.ExitCode(code.rawValue))
  }
}

/// A subcommand is done, with this result.
struct Finished: Error {
  var code: ConformanceModel.ExitCode
  /// What was worked with, where to take it apart would take long: the process is about to end with it.
  var work: (any Sendable)?
}

/// Something that the person who typed the command can put right.
struct BadInput: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) { self.description = description }

  /// A word that is not one of those known, which `conform list` shows, or without a list `conform --help`.
  static func unknown(_ what: String, _ word: String, _ known: [String], list: String?) -> BadInput {
    let near = Nearest.words(to: word, in: known)
    let hint = near.isEmpty ? "" : "; did you mean \(near.joined(separator: " or "))?"
    let all = list.map { "conform list \($0)" } ?? "conform --help"
    return BadInput("unknown \(what) '\(word)'\(hint) ('\(all)' shows all)")
  }
}
