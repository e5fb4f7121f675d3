import ArgumentParser
import CommandInterface
import ConformanceModel
import ConformanceReport
import ConformanceVerdict
import Files
import Records
import TextKit

/// `conform matrix`: feature × subject from run records.
struct MatrixCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "matrix",
    abstract: "Computes the parity matrix of several runs: which subject has which feature.",
    discussion: """
      Each subject is one column, whose records may be of several dialects or parts; NAME=RECORD calls it otherwise. A \
      feature is Done when every required rule of it holds, Partial when some hold and some are violated, Missing when \
      some are violated and none holds, and Unjudged when none is violated and some are open. The figures are the rules that hold, of those required.

      Examples:
        conform matrix dart/run.jsonl kotlin/run.jsonl > PARITY.md
        conform matrix 'old=1.2/run.jsonl' 'new=1.3/run.jsonl'
        conform matrix old/run.jsonl new/run.jsonl --pack my-protocol-2 --earlier-pack my-protocol
                                            two revisions side by side
        conform matrix */run.jsonl --dialect spec --format csv
        conform matrix */run.jsonl --check PARITY.md      exit code 1 when the file says something else
      """)

  @OptionGroup var catalogueOptions: CatalogueOptions
  @OptionGroup var positionOptions: PositionOptions

  @Argument(help: "Run records, or NAME=RECORD.")
  var records: [String]

  @Option(help: ArgumentHelp("markdown, csv or json.", valueName: "format"))
  var format = ParityMatrix.Format.markdown

  @Option(help: ArgumentHelp("The role of the columns; the first of the protocol if not given.", valueName: "role"))
  var role: Role?

  @Option(
    name: .customLong("dialect"),
    help: ArgumentHelp(
      "Only this dialect; several with commas, or repeated. All that the records hold if not given.", valueName: "id"))
  var dialects: [ListArgument<String>] = []

  @Option(help: ArgumentHelp("Which rules count: stated, positions or strict.", valueName: "gate"))
  var gate = Gate.stated

  @Option(
    help: ArgumentHelp(
      "A pack, or a root with it, of an earlier revision: its records get columns of their own.", valueName: "folder"))
  var earlierPack: String?

  @Option(help: ArgumentHelp("Compare with this file instead of printing.", valueName: "file"))
  var check: String?

  func run() async throws {
    let first = try records.first.map { try NamedRecord($0).path }
    let pack = try await catalogueOptions.source(ofRecord: first).catalogue()
    let catalogue = try positionOptions.applied(to: pack)
    let dialects: [String] = self.dialects.values()
    for dialect in dialects where !catalogue.definition.dialects.contains(Dialect(dialect)) {
      throw BadInput.unknown("dialect", dialect, catalogue.definition.dialects.map(\.rawValue), list: "dialects")
    }
    let earlier = try await earlierCatalogue(of: pack.definition.name)
    let sources = try records.map { try source($0, pack, earlier) }
    let role =
      try self.role ?? catalogue.definition.roleNames.first ?? { throw BadInput("the protocol has no roles") }()
    let matrix = try ParityMatrix(
      of: sources, catalogue: catalogue, role: role, dialects: dialects.map { Dialect($0) }, gate: gate)
    guard !matrix.subjects.isEmpty else {
      throw BadInput("none of the records holds cases of the role \(role.rawValue); choose another with --role")
    }
    let text = matrix.text(format)
    guard let check else { return Terminal.output(.lines(text)) }
    let committed: [UInt8]
    do throws(FileProblem) { committed = try InputFile.contents(of: check, atMost: Self.longestTable) } catch {
      throw BadInput("--check wants the table as it was written before: \(error); write it first without --check")
    }
    let changes = ParityMatrix.changes(from: String(decoding: committed, as: UTF8.self), to: text, format)
    if changes.isEmpty, committed.elementsEqual(text.utf8) { return }
    Terminal.error("conform: \(check) is not what the records say; write it again without --check\n")
    for change in changes.prefix(Self.shownChanges) { Terminal.error("  \(change)\n") }
    if changes.count > Self.shownChanges { Terminal.error("  … \(changes.count - Self.shownChanges) more\n") }
    throw Finished(code: .violations)
  }

  private static let shownChanges = 12

  private func earlierCatalogue(of name: String) async throws -> Catalogue? {
    guard let earlierPack else { return nil }
    return try await EarlierPack.source(at: earlierPack, of: name, schemas: catalogueOptions.schemaFolder).catalogue()
  }

  private func source(_ argument: String, _ pack: Catalogue, _ earlier: Catalogue?) throws -> ParityMatrix.Source {
    let named = try NamedRecord(argument)
    let reader = try RunRecordReader(named.path)
    let other = earlier.flatMap { $0.digest == reader.header.packDigest ? $0 : nil }
    let record = try RunRecord(
      reader, at: named.path, of: other ?? pack, schemas: catalogueOptions.schemaFolder, trust: nil)
    for reason in record.conclusion.reasons { Terminal.error("conform: \(named.path): \(reason)\n") }
    let positions = Set(positionOptions.switchedOff.map { PositionID($0) })
    return .init(record, label: named.label, earlier: other?.without(positions))
  }

  /// Far longer than any table of subjects that a person looks at, in bytes.
  private static let longestTable = 64 << 20
}

extension ParityMatrix.Format: ExpressibleByArgument {}
