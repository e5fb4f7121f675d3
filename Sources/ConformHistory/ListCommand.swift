import ArgumentParser
import ConformanceHistory
import JSONKit

/// `conform history list`: lists the subjects of a history.
struct ListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list",
    abstract: "Lists the subjects of a history, with the number of their runs and the conclusion of the newest run.",
    discussion: """
      Examples:
        conform history list
        conform history list --history nightly.sqlite --format json
      """)

  @OptionGroup var file: FileOptions

  @Option(help: ArgumentHelp("The form of the output.", valueName: "format"))
  var format = OutputFormat.text

  func run() throws {
    let subjects = try History(file.path, mayCreate: false).subjects()
    switch format {
    case .text: Output.write(lines: subjects.isEmpty ? ["no run"] : HistoryText.lines(subjects))
    case .json: Output.write(HistoryText.json(subjects).prettyText + "\n")
    }
  }
}
