import ArgumentParser
import CommandInterface

/// `conform history`: starts a separate program, which keeps histories of runs. This program gets the rest of the
/// command line.
struct HistoryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "Keeps the records of many runs in one file, and shows the runs of a subject and the flaky verdicts.")

  @Argument(parsing: .captureForPassthrough)
  var words: [String] = []

  func run() throws { try HistoryProgram.become(words) }
}
