import ArgumentParser
import CommandInterface
import ConformanceSpec
import Coverage
import JSONKit

/// `conform coverage`: shows the cases of each requirement, and the requirements, values and moments that no case
/// tests.
struct CoverageCommand: AsyncParsableCommand {
  /// The format in which the rows are printed.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case table, tsv, json
  }

  enum View: String, CaseIterable, EnumerableFlag {
    case flow, moments, values, negatives, bySource

    static func help(for view: View) -> ArgumentHelp? {
      switch view {
      case .flow: "Show each member of the golden models, at each place where it can occur."
      case .moments: "Show each command, at each moment in the life of an app."
      case .values: "Show each member that cases give, with the kinds of its values."
      case .negatives: "Show each requirement about refusals and secrets, with the forms that cases try."
      case .bySource: "Show each sentence of the documents, and the requirements that rest on it."
      }
    }
  }

  static let configuration = CommandConfiguration(
    commandName: "coverage",
    abstract: "Shows the cases that judge each requirement, or the reason why no case judges the requirement.",
    discussion: """
      --flow, --moments, --values, --negatives and --by-source show other parts of the protocol. If no case reaches a \
      part, they show the reason in coverage.yaml.

      Examples:
        conform coverage
        conform coverage --format tsv | awk -F'\\t' '$3 == "MUST"'
        conform coverage --flow           the members of models that no claim reads
        conform coverage --moments --format json
        conform coverage --values         the kinds of values in cases
        conform coverage --negatives      the forms of refusals and secrets
        conform coverage --by-source      the requirements of each sentence
      """)

  @OptionGroup var catalogueOptions: CatalogueOptions

  @Flag(exclusivity: .exclusive) var view: View?

  @Option(help: ArgumentHelp("The form of the output. tsv is for requirements only.", valueName: "format"))
  var format = Format.table

  func validate() throws {
    if view != nil, format == .tsv { throw ValidationError("--format tsv is for requirements only: use table or json") }
  }

  func run() async throws {
    switch view {
    case nil: try await showRequirements()
    case .flow: show(MemberFlow(try await catalogueOptions.checkedSources()).grid)
    case .moments:
      let moments = CommandMoments(try await catalogueOptions.checkedSources())
      show([("commands", moments.grid), ("changes", moments.changes)])
    case .values:
      show(ValueCoverage(try await catalogueOptions.checkedSources()).grids.map { ($0.kind.rawValue, $0.grid) })
    case .negatives:
      show(NegativeCoverage(try await catalogueOptions.checkedSources()).grids.map { ($0.kind.rawValue, $0.grid) })
    case .bySource:
      let coverage = SourceCoverage(try await catalogueOptions.checkedSources())
      Terminal.output(.lines(format == .json ? coverage.json.prettyText + "\n" : coverage.text))
    }
  }

  private func showRequirements() async throws {
    let coverage = Coverage(try await catalogueOptions.catalogue())
    let text =
      switch format {
      case .table: coverage.table
      case .tsv: coverage.tsv
      case .json: coverage.json.prettyText + "\n"
      }
    Terminal.output(.lines(text))
    if coverage.rows.contains(where: \.isUncovered) { throw Finished(code: .badInput) }
  }

  private func show(_ grids: [(kind: String, grid: CoverageGrid)]) {
    let object = JSON.object(JSON.Object(grids.map { .init(key: $0.kind, value: $0.grid.json) }))
    let text = grids.map { "\($0.kind.uppercased())\n\n\($0.grid.text)" }.joined(separator: "\n")
    Terminal.output(.lines(format == .json ? object.prettyText + "\n" : text))
  }

  private func show(_ grid: CoverageGrid) {
    Terminal.output(.lines(format == .json ? grid.json.prettyText + "\n" : grid.text))
  }
}
