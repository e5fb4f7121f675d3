import ArgumentParser
import ConformanceHistory
import JSONKit

/// `conform history flaky`: lists the verdicts that differ between runs although nothing has changed.
struct FlakyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "flaky",
    abstract: "Prints the verdicts that differ between runs with the same version of a subject and the same pack.",
    discussion: """
      The command compares verdicts without their dispositions, so a verdict is not flaky because of another gate or \
      baseline. If runs have several subjects, all these subjects must have the same versions.

      Examples:
        conform history flaky
        conform history flaky --history nightly.sqlite --format json
      """)

  @OptionGroup var file: FileOptions

  @Option(help: ArgumentHelp("The form of the output.", valueName: "format"))
  var format = OutputFormat.text

  func run() throws {
    let flaky = try History(file.path, mayCreate: false).flaky()
    switch format {
    case .text: Output.write(lines: flaky.isEmpty ? ["no verdict differs"] : HistoryText.lines(flaky))
    case .json: Output.write(HistoryText.json(flaky).prettyText + "\n")
    }
  }
}
