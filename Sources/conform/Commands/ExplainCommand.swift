import ArgumentParser
import CommandInterface
import ConformanceJudge
import ConformanceModel
import ConformanceSpec
import Coverage
import TextKit

/// `conform explain`: explains the meaning of a name, such as the id of a requirement or a case.
struct ExplainCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract:
      "Explains a requirement, case, position, defect, exchange, command, capability, feature, dialect or gate.",
    discussion: """
      Examples:
        conform explain LF-OFF-006
        conform explain 'offline.capacity'
        conform explain event        an exchange: method, path, headers, body, answers
        conform explain 13           a feature by its number or name
        conform explain advisory     a term of reports, such as gate or dialect
        conform explain checks       a page about the checks that every protocol has
        conform explain adapter > ADAPTER.md
                                     the page for authors of adapters
      """)

  @Argument(
    help: "The name or id, as reports and 'conform list' print it.", completion: NameCompletion.explained)
  var name: String

  @OptionGroup var catalogueOptions: CatalogueOptions

  func run() async throws {
    if name == "checks" { return Terminal.output(.lines(CommonChecks.page)) }
    let sources = try await catalogueOptions.source().sources()
    if name == "adapter" { return Terminal.output(.lines(try page(of: sources.catalogue))) }
    Terminal.output(.lines("\(try Explanation(of: name, in: sources))\n"))
  }

  private func page(of catalogue: Catalogue) throws -> String {
    guard !catalogue.definition.drivenRoles.isEmpty else {
      throw BadInput(
        "\(catalogue.definition.name) has no role with 'driver: true', so it has no adapters: choose another protocol")
    }
    return AdapterPage(catalogue).text
  }
}
