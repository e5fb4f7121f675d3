import ArgumentParser
import ConformanceSpec

/// `conform explain`: what a name stands for.
struct ExplainCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Explains a requirement, case, position, defect, command, capability, feature or gate by its name.",
    discussion: """
      Examples:
        conform explain LF-OFF-006
        conform explain 'offline.capacity'
      """)

  @Argument(help: "The name or id, as reports and lists print it.")
  var name: String

  @OptionGroup var catalogueOptions: CatalogueOptions

  func run() async throws {
    let sources = try await catalogueOptions.source().sources()
    Terminal.output("\(try Explanation(of: name, in: sources))\n")
  }
}
