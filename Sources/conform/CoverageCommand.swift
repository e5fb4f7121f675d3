import ArgumentParser
import ConformanceSpec

/// `conform coverage`: which case judges which requirement.
struct CoverageCommand: AsyncParsableCommand {
  /// How the rows are written.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case table, tsv
  }

  static let configuration = CommandConfiguration(
    commandName: "coverage",
    abstract: "Shows for each requirement the cases that judge it, or why none does.",
    discussion: """
      Examples:
        conform coverage
        conform coverage --format tsv | awk -F'\\t' '$3 == "MUST"'
      """)

  @OptionGroup var catalogueOptions: CatalogueOptions

  @Option(help: ArgumentHelp("table or tsv.", valueName: "format"))
  var format = Format.table

  func run() async throws {
    let coverage = Coverage(try await catalogueOptions.catalogue())
    Terminal.output(format == .tsv ? coverage.tsv : coverage.table)
    if coverage.rows.contains(where: \.isUncovered) { throw Finished(code: .badInput) }
  }
}
