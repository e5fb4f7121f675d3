import ArgumentParser
import CommandInterface
import ConformanceModel
import ConformanceVerdict
import Files
import Records
import ReportPages
import TextKit

/// `conform badge`: makes the badge of a run.
struct BadgeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "badge",
    abstract: "Makes the badge of a run: the conclusion, and the number of mandatory requirements that hold.",
    discussion: """
      If the name of the file ends with .svg, the badge is a picture. If it ends with .json, shields.io can read the \
      file. Without --output, the command prints the text of the badge.

      Examples:
        conform badge conform-report/run.jsonl
        conform badge conform-report/run.jsonl --output badge.svg
        conform badge conform-report/run.jsonl --role sdk --output badge.json
      """)

  @Argument(help: "A run record.", completion: .file())
  var record: String

  @Option(
    help: ArgumentHelp("The file of the badge. Its name ends with .svg or .json.", valueName: "file"),
    completion: .file())
  var output: String?

  @Option(help: ArgumentHelp("The role of the subject, if the run has several subjects.", valueName: "role"))
  var role: Role?

  @Option(help: ArgumentHelp("The gate that contains the requirements which count.", valueName: "gate"))
  var gate = Gate.stated

  @OptionGroup var trustOptions: TrustOptions

  @OptionGroup var sourceOptions: SourceOptions

  func validate() throws {
    if let output, !output.hasSuffix(".svg"), !output.hasSuffix(".json") {
      throw ValidationError("--output expects a file name that ends in .svg or .json, found '\(output)'")
    }
  }

  func run() async throws {
    let source = try sourceOptions.source(try RunRecordReader(record).header.protocolName)
    let catalogue = try await source.catalogue()
    let run = try RunRecord(readingFrom: record, of: catalogue, schemas: source.schemaFolder, trust: trustOptions)
    for reason in run.conclusion.reasons { Terminal.error("conform: \(record): \(reason)\n") }
    let badges = try Site(of: [.init(run)], catalogue: catalogue, gate: gate).badges
    let badge = try choose(from: badges)
    guard let output else { return Terminal.output("\(badge.text)\n") }
    let file = try OutputFile(output)
    try file.write(output.hasSuffix(".svg") ? badge.svg() : badge.shields.prettyText + "\n")
    try file.finish()
  }

  private func choose(from badges: [(role: Role, badge: SiteBadge)]) throws -> SiteBadge {
    let fitting = badges.filter { role == nil || $0.role == role }
    if fitting.count == 1 { return fitting[0].badge }
    let roles = badges.map(\.role.rawValue).joined(separator: ", ")
    guard !badges.isEmpty else { throw BadInput("'\(record)' contains no case: a badge needs a run with at least one") }
    throw BadInput("'\(record)' has subjects in the roles \(roles): name one of them with --role")
  }
}
