import ArgumentParser
import ConformanceHistory
import JSONKit
import TextKit

/// `conform history show`: lists the runs of one subject over time.
struct ShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Shows the runs of one subject over time, with the version, the conclusion and the number of verdicts.",
    discussion: """
      Examples:
        conform history show my-sdk
        conform history show my-sdk --format json
      """)

  @Argument(help: "The name of a subject, as 'conform history list' shows it.")
  var subject: String

  @OptionGroup var file: FileOptions

  @Option(help: ArgumentHelp("The form of the output.", valueName: "format"))
  var format = OutputFormat.text

  func run() throws {
    let history = try History(file.path, mayCreate: false)
    let runs = try history.runs(of: subject)
    if runs.isEmpty {
      let known = try history.subjects().map(\.name)
      throw BadInput.unknown("subject", subject, known, shownBy: "conform history list")
    }
    switch format {
    case .text: Output.write(lines: HistoryText.lines(runs))
    case .json: Output.write(HistoryText.json(runs).prettyText + "\n")
    }
  }
}
