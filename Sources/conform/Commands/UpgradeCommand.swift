import ArgumentParser
import CommandInterface
import ConformanceJudge
import ConformanceModel
import ConformanceUpgrade
import ConformanceVerdict

/// `conform upgrade`: shows how a newer kit or pack changes the verdicts in a record.
struct UpgradeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "upgrade",
    abstract: "Reports how a newer kit or pack changes the verdicts of a record.",
    discussion: """
      If the text of a case is the same, the command computes its verdicts again, from the evidence beside the record. \
      The other cases must run again. The command also lists the requirements that are new, stricter, weaker, reworded \
      or gone.

      Examples:
        conform upgrade conform-report/run.jsonl
        conform upgrade conform-report/run.jsonl --pack my-protocol-2
        conform upgrade conform-report/run.jsonl --root newer-checkout --format json

      Exit codes: 1 a new verdict is worse than the recorded verdict, 2 the record was rejected, 3 cases must run \
      again, 0 otherwise.
      """)

  @Argument(help: "A run record of this pack or of an earlier pack.", completion: .file())
  var record: String

  @Option(
    help: ArgumentHelp(
      "The folder with the evidence of the record. The default is 'evidence' beside the record.", valueName: "folder"),
    completion: .directory)
  var evidence: String?

  @Option(help: ArgumentHelp("The form of the output.", valueName: "format"))
  var format = RecordUpgrade.Format.text

  @OptionGroup var sourceOptions: SourceOptions

  func run() async throws {
    // The record is checked without a pack, because its run used an earlier pack.
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
