import ArgumentParser
import ConformanceSpec

/// `conform explain`: what a name stands for.
struct ExplainCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Explains a requirement, a case, a position or a defect by its name.",
    discussion: """
      Examples:
        conform explain LF-OFF-006
        conform explain 'offline.capacity'
      """)

  @Argument(help: "The id of a requirement, position or defect, or the name of a case.")
  var name: String

  @OptionGroup var catalogueOptions: CatalogueOptions

  func run() async throws {
    let sources = try await catalogueOptions.sources()
    Terminal.output("\(try Explanation(of: name, in: sources))\n")
  }
}
