import ArgumentParser
import ConformanceHistory
import JSONKit

/// `conform history flaky`: lists the verdicts that differ between runs although nothing has changed.
struct FlakyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "flaky",
    abstract: "Names the verdicts that differ between runs of one version of a subject with one pack.",
    discussion: """
      Outcomes are compared, so a verdict is not flaky because of another gate or baseline. Runs of several subjects are compared \
      if all of them have the same version.

      Examples:
        conform history flaky
        conform history flaky --history nightly.sqlite --format json
      """)

  @OptionGroup var file: FileOptions

  @Option(help: ArgumentHelp("text or json.", valueName: "format"))
  var format = OutputFormat.text

  func run() throws {
    let flaky = try History(file.path, mayCreate: false).flaky()
    switch format {
    case .text: Output.write(lines: flaky.isEmpty ? ["no verdict differs"] : HistoryText.lines(flaky))
    case .json: Output.write(HistoryText.json(flaky).prettyText + "\n")
    }
  }
}
