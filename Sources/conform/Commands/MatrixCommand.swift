import ArgumentParser
import CommandInterface
import ConformanceModel
import ConformanceVerdict
import Files
import Records
import ReportPages
import TextKit

/// `conform matrix`: makes a table of features and subjects from run records.
struct MatrixCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "matrix",
    abstract: "Computes the parity matrix of several runs, which shows the features that each subject has.",
    discussion: """
      Each subject is one column. The records of a subject may be about different dialects, or about parts of the \
      suite. NAME=RECORD gives the subject of a record a different name. The mandatory requirements of a feature \
      decide the word for this feature. Done: all hold. Partial: some hold and some are violated. Missing: some are \
      violated and none holds. Unjudged: none is violated and some are not judged. The two figures are the number of \
      mandatory requirements that hold, and the number of all mandatory requirements.

      Examples:
        conform matrix dart/run.jsonl kotlin/run.jsonl > PARITY.md
        conform matrix 'old=1.2/run.jsonl' 'new=1.3/run.jsonl'
        conform matrix old/run.jsonl new/run.jsonl \\
          --pack my-protocol-2 --earlier-pack my-protocol
                                            two revisions side by side
        conform matrix */run.jsonl --dialect spec --format csv
        conform matrix */run.jsonl --check PARITY.md
                                            exit code 1 if the file differs
      """)

  @OptionGroup var catalogueOptions: CatalogueOptions
  @OptionGroup var positionOptions: PositionOptions

  @Argument(help: "Run records, or NAME=RECORD.", completion: .file())
  var records: [String]

  @Option(help: ArgumentHelp("The form of the matrix.", valueName: "format"))
  var format = ParityMatrix.Format.markdown

  @Option(help: ArgumentHelp("The role of the subjects. The default is the protocol's first role.", valueName: "role"))
  var role: Role?

  @Option(
    name: .customLong("dialect"),
    help: ArgumentHelp(
      "Only this dialect. For several, repeat the option or use commas. The default is all dialects in the records.",
      valueName: "id"))
  var dialects: [ListArgument<String>] = []

  @Option(help: ArgumentHelp("The gate. It decides which requirements count.", valueName: "gate"))
  var gate = Gate.stated

  @Option(
    help: ArgumentHelp(
      "An earlier revision of the pack, or a root that contains it. Records of this revision get their own columns.",
      valueName: "folder"), completion: .directory)
  var earlierPack: String?

  @Option(
    help: ArgumentHelp("Compare the matrix with this file instead of printing it.", valueName: "file"),
    completion: .file())
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
      try self.role ?? catalogue.definition.roleNames.first
      ?? { throw BadInput("the protocol has no roles: add one to its protocol.yaml") }()
    let matrix = try ParityMatrix(
      of: sources, catalogue: catalogue, role: role, dialects: dialects.map { Dialect($0) }, gate: gate)
    guard !matrix.subjects.isEmpty else {
      throw BadInput("no record contains cases of the role \(role.rawValue); choose another with --role")
    }
    let text = matrix.text(format)
    guard let check else { return Terminal.output(.lines(text)) }
    let committed: [UInt8]
    do throws(FileProblem) { committed = try InputFile.contents(of: check, atMost: Self.longestTable) } catch {
      throw BadInput("--check expects a file with the table: \(error); write it first without --check")
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

  /// The size in bytes of the longest matrix file that `--check` reads. Tables for people are much shorter.
  private static let longestTable = 64 << 20
}

extension ParityMatrix.Format: ExpressibleByArgument {}
