import ArgumentParser
import ConformanceModel
import ConformanceReport

/// `conform matrix`: feature × subject from run records.
struct MatrixCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "matrix",
    abstract: "Computes the parity matrix of several runs: which subject has which feature.",
    discussion: """
      Each record is one column. A feature is Done when every required rule of it holds, Partial when some hold, Missing
      when none does, and Unjudged when the run left something open that could still be violated.

      Examples:
        conform matrix dart/run.jsonl kotlin/run.jsonl > PARITY.md
        conform matrix */run.jsonl --dialect spec --format csv
        conform matrix */run.jsonl --check PARITY.md      exit code 1 when the file says something else
      """)

  @OptionGroup var catalogueOptions: CatalogueOptions
  @OptionGroup var positionOptions: PositionOptions

  @Argument(help: "Run records.")
  var records: [String]

  @Option(help: ArgumentHelp("markdown, csv or json.", valueName: "format"))
  var format = ParityMatrix.Format.markdown

  @Option(help: ArgumentHelp("The role of the columns; the first of the protocol if not given.", valueName: "role"))
  var role: Role?

  @Option(
    name: .customLong("dialect"),
    help: ArgumentHelp("Only this dialect; may be repeated. All that the records hold if not given.", valueName: "id"))
  var dialects: [String] = []

  @Option(help: ArgumentHelp("Which rules count: stated, positions or strict.", valueName: "gate"))
  var gate = Gate.stated

  @Option(help: ArgumentHelp("Compare with this file instead of printing.", valueName: "file"))
  var check: String?

  func run() async throws {
    let catalogue = try positionOptions.applied(to: await catalogueOptions.catalogue())
    for dialect in dialects where !catalogue.definition.dialects.contains(Dialect(dialect)) {
      throw BadInput.unknown("dialect", dialect, catalogue.definition.dialects.map(\.rawValue), list: "dialects")
    }
    let read = try records.map { path in (path, try RunRecord(readingFrom: path)) }
    for (path, record) in read { try warn(of: record, at: path, catalogue.definition) }
    let role =
      try self.role ?? catalogue.definition.roleNames.first ?? { throw BadInput("the protocol has no roles") }()
    let matrix = ParityMatrix(
      of: read.map(\.1), catalogue: catalogue, role: role, dialects: dialects.map { Dialect($0) }, gate: gate)
    guard !matrix.subjects.isEmpty else {
      throw BadInput("none of the records holds cases of the role \(role.rawValue); choose another with --role")
    }
    let text = matrix.text(format)
    guard let check else { return Terminal.output(text) }
    let committed: [UInt8]
    do throws(FileProblem) { committed = try InputFile.contents(of: check, atMost: Self.longestTable) } catch {
      throw BadInput("--check wants the table as it was written before: \(error); write it first without --check")
    }
    if !committed.elementsEqual(text.utf8) {
      Terminal.error("conform: \(check) is not what the records say; write it again without --check\n")
      throw Finished(code: .violations)
    }
  }

  /// Far longer than any table of subjects that a person looks at, in bytes.
  private static let longestTable = 64 << 20

  private func warn(of record: RunRecord, at path: String, _ definition: ProtocolDefinition) throws {
    guard record.header.protocolName == definition.name else {
      throw BadInput("\(path) is a run of the protocol \(record.header.protocolName), wanted \(definition.name)")
    }
    if let partiality = record.partiality { Terminal.error("conform: \(path): \(partiality)\n") }
    if record.header.specRevision != definition.revision {
      let found = record.header.specRevision
      Terminal.error("conform: \(path) speaks of revision \(found), the catalogue of \(definition.revision)\n")
    }
  }
}

extension ParityMatrix.Format: ExpressibleByArgument {}
