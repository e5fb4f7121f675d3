import ArgumentParser
import ConformanceReport

/// The options that choose how many failure reports the console shows, and how detailed they are.
package struct CardOptions: ParsableArguments {
  package init() {}

  @Option(
    help: ArgumentHelp(
      "The largest number of cards (failure reports). Without the option, the command prints all cards.",
      valueName: "number"))
  var cards: Int?

  @Flag(help: "Shorten each card to the requirement, the first difference and the command that repeats the case.")
  var brief = false

  @Flag(help: "Print cards of advisory findings, too.")
  var advisory = false

  package func validate() throws {
    if let cards, cards < 0 { throw ValidationError("--cards expects a number from 0, found \(cards)") }
  }

  /// The options in the form that the console report expects.
  package var style: ConsoleReport.Cards { .init(limit: cards, areBrief: brief, showAdvisory: advisory) }
}
