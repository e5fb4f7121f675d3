import ArgumentParser
import CommandInterface
import ConformanceModel
import ConformanceReport
import ConformanceVerdict
import Files
import FoundationEssentials
import Records
import ReportPages
import TextKit

/// `conform report`: renders a run record again.
struct ReportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Renders a run record as text, Markdown, annotations, JUnit XML or an HTML page.",
    discussion: """
      Examples:
        conform report conform-report/run.jsonl
        conform report conform-report/run.jsonl --junit junit.xml
        conform report conform-report/run.jsonl --html report.html
        conform report conform-report/run.jsonl --junit-split reports/
        conform report run.jsonl --format markdown >> "$GITHUB_STEP_SUMMARY"
        conform report conform-report/run.jsonl --annotations github
        conform report conform-report/run.jsonl --code-quality gl-code-quality.json

      The command compares the record with the pack of its run. The exit code is the exit code of the run, but 3 \
      if the run did not finish, and 2 if the record was changed.
      """)

  @Argument(help: "A run record.", completion: .file())
  var record: String

  @Option(help: ArgumentHelp("Write one JUnit file for the run to this path.", valueName: "file"), completion: .file())
  var junit: String?

  @Option(
    help: ArgumentHelp("Write one JUnit file for each suite, TEST-<suite>.xml, into this folder.", valueName: "folder"),
    completion: .directory)
  var junitSplit: String?

  @Option(
    help: ArgumentHelp("Write one HTML page to this file. The page needs no other file or network.", valueName: "file"),
    completion: .file())
  var html: String?

  @Option(help: ArgumentHelp("The printed form: text, or markdown for the summary of a CI job.", valueName: "format"))
  var format: Format?

  @Option(
    help: ArgumentHelp(
      "Print one annotation for each cause, at most \(Annotations.limit), for this engine: github or azure.",
      valueName: "engine"))
  var annotations: Annotations.Engine?

  @Option(
    help: ArgumentHelp("Write the causes to this file as a Code Quality report of GitLab.", valueName: "file"),
    completion: .file())
  var codeQuality: String?

  /// The format of a report on stdout.
  enum Format: String, CaseIterable, ExpressibleByArgument {
    case text, markdown
  }

  @OptionGroup var junitOptions: JUnitOptions

  @OptionGroup var cardOptions: CardOptions

  @Flag(help: "Trust the cases, requirements and levels of the record, if the pack of its run is not available.")
  var withoutPack = false

  @OptionGroup var trustOptions: TrustOptions

  @OptionGroup var sourceOptions: SourceOptions

  func run() async throws {
    let (record, definition) = try await read()
    for reason in record.conclusion.reasons { Terminal.error("conform: \(self.record): \(reason)\n") }
    let options = junitOptions.options
    if let junit { try JUnitReport(record, options: options).write(to: junit) }
    if let junitSplit { _ = try JUnitReport(record, options: options).writeSplit(into: junitSplit) }
    if let html {
      let evidence = EvidenceFolder(record: self.record)
      try HTMLReport(record, definition: definition, evidence: evidence.transcript).write(to: html)
    }
    if let annotations {
      for line in Annotations(record).lines(for: annotations) { Terminal.output("\(line)\n") }
    }
    if let codeQuality {
      let file = try OutputFile(codeQuality)
      let project = ProjectFolder(
        root: ProcessInfo.processInfo.environment["CI_PROJECT_DIR"], current: FileManager.default.currentDirectoryPath)
      try file.write(CodeQuality(record, file: self.record, project: project).issues.prettyText + "\n")
      try file.finish()
    }
    // Without an option for an output file, the output is the text.
    let isOtherwise =
      junit != nil || junitSplit != nil || annotations != nil || html != nil || codeQuality != nil
    if let format = format ?? (isOtherwise ? nil : .text) {
      let width = format == .text ? Terminal.width : Int.max
      Terminal.output(.lines(Self.extent.wrapped(at: width).joined(separator: "\n") + "\n\n"))
      print(record, as: format)
    } else {
      Terminal.error("conform: \(self.record): \(Self.extent)\n")
    }
    throw Finished(code: record.conclusion.exitCode)
  }

  /// The first words of a report on stdout. They can be printed both as text and as Markdown.
  private static let extent =
    "Rendered from the record. The evidence was not judged again; 'conform judge --record' judges it."

  private func print(_ record: RunRecord, as format: Format) {
    switch format {
    case .markdown: Terminal.output(.lines(MarkdownSummary(record).text))
    case .text:
      let style = ConsoleReport.Style(
        colours: Terminal.outputHasColours, width: Terminal.width, cards: cardOptions.style)
      Terminal.output(.view(ConsoleReport.text(of: record, style: style), isStyled: Terminal.outputIsTerminal))
    }
  }

  /// The record and the definition of its protocol. With `--without-pack`, the definition is nil.
  private func read() async throws -> (RunRecord, ProtocolDefinition?) {
    if withoutPack { return (try RunRecord(readingFrom: self.record), nil) }
    let reader = try RunRecordReader(self.record)
    let source: ProtocolSource
    do { source = try sourceOptions.source(reader.header.protocolName) } catch let problem as BadInput {
      throw BadInput("\(self.record): \(problem); name its pack with --pack, or render it with --without-pack")
    }
    let catalogue = try await source.catalogue()
    let record = try RunRecord(
      reader, at: self.record, of: catalogue, schemas: source.schemaFolder, trust: trustOptions)
    return (record, catalogue.definition)
  }
}

extension Annotations.Engine: ExpressibleByArgument {}
