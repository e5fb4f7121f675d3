import ArgumentParser
import CommandInterface
import ConformanceModel
import ConformanceReport
import ConformanceRunner
import ConformanceSpec
import ConformanceVerdict
import FoundationEssentials
import JSONKit
import Records
import TextKit

/// `conform merge`: merges the records of a run's shards.
struct MergeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge",
    abstract: "Merges the shards of a run into one record with one conclusion, and one JUnit file.",
    discussion: """
      Examples:
        conform merge shards/*/run.jsonl --output conform-report

      The command copies the evidence of each shard from the folder of its record. The exit code is the exit code of \
      the whole run. If a shard is missing, the run is incomplete, and the exit code is 3.
      """)

  @Argument(help: "The run records of the shards.", completion: .file())
  var records: [String]

  @Option(
    help: ArgumentHelp("The folder for the record, the JUnit file and the evidence.", valueName: "folder"),
    completion: .directory)
  var output: String

  @Flag(help: "Write to the folder even if it contains files that are not a report of the kit.")
  var force = false

  @Flag(help: "Print only problems and the summary.")
  var quiet = false

  @OptionGroup var junitOptions: JUnitOptions
  @OptionGroup var cardOptions: CardOptions
  @OptionGroup var trustOptions: TrustOptions
  @OptionGroup var sourceOptions: SourceOptions

  func run() async throws {
    let name = try RunRecordReader(records[0]).header.protocolName
    let source = try sourceOptions.source(name)
    let catalogue = try await source.catalogue()
    let merge = try RecordMerge(records.map { try shard($0, catalogue, source.schemaFolder) })
    let header = merge.header(rerun: rerun)
    let planned = try planned(header, catalogue)
    let evidence = try checkedEvidence(of: merge)
    let files = try ReportFiles(
      folder: output, record: nil, junit: nil, junitOptions: junitOptions.options, isForced: force)
    try files.prepare(for: planned)
    let record = try write(merge, header, planned, evidence, to: files)
    let style = ConsoleReport.Style(colours: Terminal.outputHasColours, width: Terminal.width, cards: cardOptions.style)
    Terminal.output(.view(ConsoleReport.text(of: record, style: style), isStyled: Terminal.outputIsTerminal))
    if !quiet { Terminal.output("\nrecord \(files.record) · JUnit \(files.junit) · evidence \(files.evidence)/\n") }
    throw Finished(code: record.conclusion.exitCode)
  }

  private func shard(_ path: String, _ catalogue: Catalogue, _ schemas: CatalogueFolder) throws -> ShardRecord {
    let reader = try RunRecordReader(path)
    var audit = try RecordAudit(of: reader.header, at: path, catalogue, schemas: schemas)
    let header = reader.header
    let shard = try ShardRecord(reader, at: path) { (line) throws(JSONField.Problem) in try audit.take(line) }
    try trustOptions.accept(audit.trustedBaseline(of: header, at: path))
    return shard
  }

  /// The runs of cases that the header and the catalogue say the whole run planned.
  private func planned(_ header: RunRecord.Header, _ catalogue: Catalogue) throws -> [CaseInstance] {
    var audit = RecordAudit(catalogue)
    do throws(JSONField.Problem) { try audit.take(.run(header)) } catch {
      throw BadInput("\(records[0]): \(error.path): expected \(error.expected), found \(error.found)")
    }
    return audit.instances
  }

  /// Returns the command of a shard for the merged record: its last `--output` then names a new folder beside the
  /// output of the merge.
  private func rerun(_ line: String) -> String {
    let option = " --output "
    guard let range = line.ranges(of: option).last else { return line }
    let folder = String(output.reversed().drop { $0 == "/" }.reversed())
    return line[..<range.upperBound] + (folder + "-rerun").quotedForShell
  }

  /// The evidence file of one run of a case, in the folder of a shard. The file is checked before the merge writes
  /// anything, and again when it is copied.
  private struct ShardEvidence {
    var record: String
    var run: RunRecord.CaseRun

    var folder: EvidenceFolder { EvidenceFolder(record: record) }

    /// Returns the file, after a check that it exists and has the digest that the record contains. Nil if the run of
    /// the case has no evidence.
    func checked() throws -> EvidenceFolder.File? {
      guard let name = run.evidence else { return nil }
      guard let file = try folder.file(name) else {
        throw BadInput(
          "\(record): the evidence '\(name)' of \(run.instance) is missing: copy the whole folder of the shard")
      }
      guard file.digest == run.evidenceDigest else {
        throw BadInput(
          "\(record): the evidence '\(file.path)' was changed after the run: use the unchanged folder of the run")
      }
      return file
    }
  }

  private func checkedEvidence(of merge: RecordMerge) throws -> [ShardEvidence] {
    try merge.evidence.map { record, run in
      let evidence = ShardEvidence(record: record, run: run)
      if try evidence.checked() != nil, Self.isSame(evidence.folder.path, output + "/evidence") {
        throw BadInput("--output names '\(output)', the folder of the shard '\(record)': name another")
      }
      return evidence
    }
  }

  private static func isSame(_ folder: String, _ other: String) -> Bool {
    URL(filePath: folder).resolvingSymlinksInPath().path == URL(filePath: other).resolvingSymlinksInPath().path
  }

  private func write(
    _ merge: RecordMerge, _ header: RunRecord.Header, _ planned: [CaseInstance],
    _ evidence: [ShardEvidence], to files: ReportFiles
  ) throws -> RunRecord {
    var copies: [CaseInstance: String] = [:]
    for one in evidence {
      guard let original = try one.checked() else { continue }
      let copy = try files.evidenceFile(of: one.run.instance)
      try copy.write(original.bytes)
      try copy.finish()
      copies[one.run.instance] = copy.path
    }
    let writer = try RunRecordWriter(files.recordFile(), header: header)
    let lines = merge.lines(under: header) { copies[$0] }
    for line in lines { try writer.write(line) }
    files.releaseReserve()
    try writer.finish(merge.end(of: header, lines, planned: planned))
    try JUnitReport(writer.record, options: files.junitOptions).write(to: files.junitFile())
    return writer.record
  }
}
