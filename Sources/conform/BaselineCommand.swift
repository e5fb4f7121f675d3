import ArgumentParser
import ConformanceModel
import ConformanceReport
import ConformanceSpec
import FoundationEssentials

/// `conform baseline`: keeps the file of violations that are known.
struct BaselineCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "baseline",
    abstract: "Writes, checks and prunes a baseline: the violations that are known and put up with for now.",
    discussion: """
      Examples:
        conform baseline write conform-report/run.jsonl --output baseline.yaml
        conform run --sdk ./adapter --baseline baseline.yaml
        conform baseline check conform-report/run.jsonl --baseline baseline.yaml
        conform baseline prune conform-report/run.jsonl --baseline baseline.yaml
      """,
    subcommands: [Write.self, Check.self, Prune.self])

  /// `conform baseline write`.
  struct Write: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Makes a baseline of what a run found, or brings one up to date.",
      discussion: """
        An entry that still says what was found stays as it is, with its reason, link and term. A new one has an empty
        reason: write why it is put up with, since a run refuses a baseline without. Of several records of one subject,
        what differs between them is written as *, which stands for any text.

        Examples:
          conform baseline write conform-report/run.jsonl
          conform baseline write first/run.jsonl second/run.jsonl --output baseline.yaml
        """)

    @OptionGroup var options: BaselineOptions

    @Argument(help: "Run records of one subject.")
    var records: [String]

    @Option(help: ArgumentHelp("The baseline; kept where it still holds.", valueName: "file"))
    var output = "baseline.yaml"

    func run() async throws {
      let catalogue = try await options.catalogueOptions.catalogue()
      let records = try records.map { try options.record($0, catalogue) }
      let old =
        FileManager.default.fileExists(atPath: output)
        ? try options.file(output, catalogue).current() : Baseline(protocolName: catalogue.definition.name)
      let new = BaselineRevision(records, catalogue).written(over: old)
      try options.write(new, to: output)
      let open = new.entries.count { $0.reason.isEmpty }
      let advice = open == 0 ? "" : "; \(open) of them without a reason: write why each is put up with"
      Terminal.output("\(output): \(new.entries.count) known\(advice)\n")
    }
  }

  /// `conform baseline check`.
  struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Says what a run would have come to with a baseline.",
      discussion: """
        A line for each verdict that is known, stale (the baseline expects what is gone), or neither green nor known.
        Exit codes are those of a run.
        """)

    @OptionGroup var options: BaselineOptions

    @Argument(help: "A run record.")
    var record: String

    @Option(help: ArgumentHelp("The baseline.", valueName: "file"))
    var baseline: String

    func run() async throws {
      let catalogue = try await options.catalogueOptions.catalogue()
      let record = try options.record(record, catalogue)
      let baseline = try options.file(baseline, catalogue).inForce()
      for entry in baseline.entries where entry.isExpired(on: record.header.day) {
        Terminal.output("\(entry.expiry)\n")
      }
      let terms = BaselineTerms(baseline, on: record.header.day, for: record.subjects.map(\.subject))
      let settled = record.settled(by: Settlement(gate: record.header.gate, baseline: terms))
      for ruling in settled.rulings.sorted(by: { $0.verdict.instance < $1.verdict.instance }) {
        guard [.fail, .error, .known, .stale].contains(ruling.disposition) else { continue }
        let verdict = ruling.verdict
        let text = verdict.outcome.findings.first?.description ?? verdict.outcome.reason ?? ""
        Terminal.output(
          "\(ruling.disposition.rawValue)\t\(verdict.requirement)\t\(verdict.instance)\t\(text)\n")
      }
      let conclusion = settled.account.conclusion(record.stop)
      Terminal.output("\(conclusion.word.rawValue)\n")
      throw Finished(code: conclusion.exitCode)
    }
  }

  /// `conform baseline prune`.
  struct Prune: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Removes from a baseline what a run shows to be gone, and what speaks of no case or requirement.")

    @OptionGroup var options: BaselineOptions

    @Argument(help: "Run records of one subject.")
    var records: [String]

    @Option(help: ArgumentHelp("The baseline.", valueName: "file"))
    var baseline: String

    func run() async throws {
      let catalogue = try await options.catalogueOptions.catalogue()
      let records = try records.map { try options.record($0, catalogue) }
      let file = try options.file(baseline, catalogue)
      var old = file.baseline
      for index in file.obsolete.keys.sorted(by: >) {
        Terminal.output("\(old.entries[index].title): removed, since there is no such thing any more\n")
        old.entries.remove(at: index)
      }
      let (new, changes) = BaselineRevision(records, catalogue).pruned(old)
      for change in changes { Terminal.output("\(change)\n") }
      try options.write(new, to: baseline)
      Terminal.output("\(baseline): \(new.entries.count) known\n")
    }
  }
}
