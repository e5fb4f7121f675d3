import ArgumentParser
import CommandInterface
import ConformanceJudge
import ConformanceModel
import ConformanceUpgrade
import ConformanceVerdict

/// `conform upgrade`: the effects of a newer kit or pack on the verdicts about the subject of a record.
struct UpgradeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "upgrade",
    abstract: "Reports what a newer kit or requirement set changes for the subject of a record.",
    discussion: """
      If the text of a case is the same, its verdicts are recomputed from the evidence beside the record. The other \
      cases must run again. Requirements are new, stricter, weaker, reworded or gone.

      Examples:
        conform upgrade conform-report/run.jsonl
        conform upgrade conform-report/run.jsonl --pack my-protocol-2
        conform upgrade conform-report/run.jsonl --root newer-checkout --format json

      Exit codes: 1 when a recomputed verdict became worse, 3 when cases must run again, 0 otherwise, 2 for a record \
      that is rejected.
      """)

  @Argument(help: "A run record, of this pack or an earlier one.")
  var record: String

  @Option(
    help: ArgumentHelp(
      "The folder with the evidence of the record. The default is 'evidence' beside the record.", valueName: "folder"))
  var evidence: String?

  @Option(help: ArgumentHelp("text or json.", valueName: "format"))
  var format = RecordUpgrade.Format.text

  @OptionGroup var sourceOptions: SourceOptions

  func run() async throws {
    // The record is checked without a pack: that of its run is an earlier one.
    let run = try RunRecord(readingFrom: record)
    for reason in run.conclusion.reasons { Terminal.error("conform: \(record): \(reason)\n") }
    let source = try sourceOptions.source(run.header.protocolName)
    let catalogue = try await source.catalogue().without(Set(run.header.withoutPositions))
    let folder = evidence.map { EvidenceFolder($0) } ?? EvidenceFolder(record: record)
    let judge = Judge(catalogue: catalogue, checks: source.checks)
    let upgrade = RecordUpgrade(of: run, to: judge, evidence: folder.transcript)
    Terminal.output(.lines(upgrade.text(format)))
    throw Finished(code: upgrade.isWorse ? .violations : upgrade.open.isEmpty ? .conformant : .unjudged)
  }
}

extension RecordUpgrade.Format: ExpressibleByArgument {}
