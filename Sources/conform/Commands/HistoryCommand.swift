import ArgumentParser
import CommandInterface

/// `conform history`: starts the program for histories with the rest of the command line.
struct HistoryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "Keeps the records of many runs in one file: which verdicts changed, and which are flaky.")

  @Argument(parsing: .captureForPassthrough)
  var words: [String] = []

  func run() throws { try HistoryProgram.become(words) }
}
