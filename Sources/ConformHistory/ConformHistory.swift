import ArgumentParser
import ConformanceVerdict
import Glibc
import TextKit

/// The program that `conform history` starts. Its messages and exit codes have the same form as in `conform`.
@main
struct ConformHistory: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "conform history",
    abstract: "Keeps the records of many runs in one file, and shows the runs of a subject and the flaky verdicts.",
    discussion: """
      A history is an SQLite database. It keeps every member of a record, but not the evidence. If you add a record \
      twice, it has only one entry. Several processes may add records at the same time.

      Examples:
        conform history add conform-report/run.jsonl
        conform history list
        conform history show my-sdk
        conform history flaky --format json
        conform site --history conform-history.sqlite --output public

      Exit codes: 0 done, 2 a record or a history was rejected.
      """,
    subcommands: [
      AddCommand.self, ListCommand.self, ShowCommand.self, FlakyCommand.self, ExportCommand.self,
    ])

  static func main() {
    signal(SIGPIPE, SIG_IGN)
    do {
      var command = try parseAsRoot()
      try command.run()
      Output.finish()
    } catch {
      let code = exitCode(for: error)
      if code == .success {
        Output.write(fullMessage(for: error) + "\n")
        Output.finish()
      }
      let isUsage = code == .validationFailure
      let text = isUsage ? fullMessage(for: error) : "conform: " + "\(error)".visibleOnOneLine
      Output.complain(text.visible { $0.isObeyed && $0 != "\n" } + "\n")
      exit(withError: ArgumentParser.ExitCode(ConformanceVerdict.ExitCode.badInput.rawValue))
    }
  }
}
