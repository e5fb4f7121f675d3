import ArgumentParser
import CertificateCommands
import CommandInterface
import ConformanceBench
import ConformanceVerdict
import Files
import JSONKit
import Processes
import Records
import TextKit

/// The program `conform`. It parses the command line, runs one subcommand, and turns the result into an exit code.
@main
struct Conform: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "conform",
    abstract: "Checks SDKs and servers against every requirement of their protocol.",
    discussion: """
      Without options, 'conform run' checks the references of the kit, such as the reference SDK and the reference \
      server.

      Exit codes: 0 conformant, 1 violations, 2 bad input, 3 a verdict was not judged or the run is incomplete, \
      4 stale baseline, 5 expired certificate.
      """,
    version: Kit.name,
    subcommands: [
      RunCommand.self, ServeCommand.self, ListCommand.self, ExplainCommand.self, JudgeCommand.self, ShowCommand.self,
      ReportCommand.self, MergeCommand.self, DiffCommand.self, UpgradeCommand.self, MatrixCommand.self,
      SiteCommand.self, BadgeCommand.self,
      BaselineCommand.self, ProveCommand.self, LintCommand.self, FmtCommand.self, CoverageCommand.self,
      InitCommand.self, DoctorCommand.self, KeyCommand.self, CertifyCommand.self, VerifyCommand.self,
      ChallengeCommand.self, SignCommand.self, FreezeCommand.self, RegistryCommand.self, HistoryCommand.self,
      IdleCommand.self,
    ])

  static func main() async {
    // A broken pipe to an adapter, or to a reader of the output, must not end the run.
    ignoreBrokenPipes()
    do {
      var command = try await parse(Array(CommandLine.arguments.dropFirst()))
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

  /// Parses a command line. If a line that begins with `run` cannot be parsed, the results of the last run into the
  /// same folder are marked as stale.
  private static func parse(_ words: [String]) async throws -> any ParsableCommand {
    try expectKnownCommand(words)
    // Only the asynchronous parser can complete the names of a catalogue.
    do { return try await asyncParseAsRoot(words) } catch {
      let isHelp = exitCode(for: error) == .success
      if !isHelp, words.first == RunCommand._commandName { ReportFiles(namedIn: words)?.markResultsAsStale() }
      throw error
    }
  }

  /// Throws an error if the first word is not a known command or, after `help`, if one of the following words is not.
  /// The error suggests similar names.
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

  /// Ends the program with a message. Help and version are printed to stdout, and the program exits with 0. Any other
  /// error is printed to stderr. The program then exits with 3 if the machine lacks a resource, and with 2 otherwise.
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

  /// The message of the command-line parser. If a word of the command line contains invisible characters, such as line
  /// ends, these are made visible.
  private static func usage(_ error: any Error) -> TerminalText {
    let words = CommandLine.arguments.dropFirst().flatMap { word in
      [word] + (word.firstIndex(of: "=").map { [String(word[word.index(after: $0)...])] } ?? [])
    }
    let hostile = Set(words).filter { $0 != $0.visibleOnOneLine }.sorted { $1.count < $0.count }
    let text = fullMessage(for: error).replacing(bashCompletion, with: "\(bashCompletion) -o default")
    return .lines(hostile.reduce(text) { $0.replacing($1, with: $1.visibleOnOneLine) })
  }

  /// A part of the bash completion script. The program inserts `-o default` after it. With this option, bash offers the
  /// names of files where the script itself offers nothing.
  private static let bashCompletion = "complete -o filenames"

  /// Ends the program with this exit code. If a part of the output could not be written, the exit code is never 0, so
  /// that the user notices the loss.
  private static func exit(withCode code: ConformanceVerdict.ExitCode) -> Never {
    if let obstacle = Terminal.obstacle {
      Terminal.error("conform: the output could not be written: \(obstacle)\n")
      Conform.exit(withError: ArgumentParser.ExitCode((code == .conformant ? .unjudged : code).rawValue))
    }
    Conform.exit(withError: ArgumentParser.ExitCode(code.rawValue))
  }
}
