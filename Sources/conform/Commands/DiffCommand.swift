import ArgumentParser
import CommandInterface
import ConformanceVerdict
import Records
import TextKit

/// `conform diff`: shows the changes between two runs.
struct DiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Compares two run records, and lists verdicts that are worse, better, new or gone, with the cause.",
    discussion: """
      Examples:
        conform diff main/run.jsonl conform-report/run.jsonl
        conform diff 1.2/run.jsonl 1.3/run.jsonl --format markdown

      The cause of a change is the subject, unless another difference explains the change: the text of the case or \
      requirement, the gate, the baseline, the positions, the selection, or a run that ended before the case. Exit \
      codes: 0 no verdict became worse, 1 a verdict became worse, 2 a record was rejected.
      """)

  @Argument(help: "The earlier run record.", completion: .file())
  var old: String

  @Argument(help: "The later run record.", completion: .file())
  var new: String

  @Option(help: ArgumentHelp("The form of the output.", valueName: "format"))
  var format = RecordDiff.Format.text

  func run() throws {
    // The pack of an older record may be missing, so the records are checked without a pack.
    let records = try [old, new].map { try RunRecord(readingFrom: $0) }
    let (before, after) = (records[0], records[1])
    guard before.header.protocolName == after.header.protocolName else {
      throw BadInput(
        "'\(old)' is of the protocol '\(before.header.protocolName)', and '\(new)' of '\(after.header.protocolName)': "
          + "name two records of one protocol")
    }
    for (path, record) in zip([old, new], records) {
      for reason in record.conclusion.reasons { Terminal.error("conform: \(path): \(reason)\n") }
    }
    let diff = RecordDiff(from: before, to: after)
    Terminal.output(.lines(diff.text(format)))
    throw Finished(code: diff.isWorse ? .violations : .conformant)
  }
}

extension RecordDiff.Format: ExpressibleByArgument {}
