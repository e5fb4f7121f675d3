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

      Exit codes: 0 conformant, 1 violations, 2 bad input, 3 something could not be judged or the run is incomplete,
      4 stale baseline.
      """,
    version: Kit.name,
    subcommands: [
      RunCommand.self, ServeCommand.self, ListCommand.self, ExplainCommand.self, JudgeCommand.self, ShowCommand.self,
      ReportCommand.self, MatrixCommand.self, BaselineCommand.self, ProveCommand.self, LintCommand.self,
      FmtCommand.self, CoverageCommand.self, InitCommand.self,
    ])

  static func main() async {
    // An adapter or a reader of our output that is gone must not end the run.
    ignoreBrokenPipes()
    do {
      try expectKnownCommand(Array(CommandLine.arguments.dropFirst()))
      var command = try parseAsRoot()
      if var asynchronous = command as? any AsyncParsableCommand {
        try await asynchronous.run()
      } else {
        try command.run()
      }
    } catch let finished as Finished {
      exit(withCode: finished.code)
    } catch {
      end(with: error)
    }
  }

  /// Throws with the nearest names where the first word, or that behind `help`, is no command.
  static func expectKnownCommand(_ words: [String]) throws(BadInput) {
    let known = configuration.subcommands.compactMap { $0.configuration.commandName }
    guard let word = words.first == "help" ? words.dropFirst().first : words.first, !word.hasPrefix("-"),
      !known.contains(word)
    else { return }
    throw .unknown("command", word, known, list: nil)
  }

  /// Help and version go to stdout with 0; a wrong line or any other error goes to stderr with 2, but with 3 when the
  /// machine lacks what a run needs: nobody typed anything wrong.
  private static func end(with error: any Error) -> Never {
    if let lack = (error as? FileProblem)?.code.flatMap({ MachineLack(errno: $0) }) ?? MachineLack(error) {
      Terminal.error("conform: \(error)\n" + ("\(error)".contains(lack.text) ? "" : "conform: \(lack.text)\n"))
      exit(withCode: .unjudged)
    }
    let isHelp = exitCode(for: error) == .success
    let isUsage = exitCode(for: error) == .validationFailure || isHelp
    let text = isUsage ? fullMessage(for: error) : "conform: \(error)"
    if isHelp { Terminal.output(text + "\n") } else { Terminal.error(text + "\n") }
    exit(withCode: isHelp ? .conformant : .badInput)
  }

  private static func exit(withCode code: ConformanceModel.ExitCode) -> Never {
    Conform.exit(withError: ArgumentParser.ExitCode(code.rawValue))
  }
}

/// A subcommand is done, with this result.
struct Finished: Error {
  var code: ConformanceModel.ExitCode
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

/// This kit, by name and version.
enum Kit {
  static let name = "conform 0.1.0"
}
