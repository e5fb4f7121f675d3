import ArgumentParser
import CommandInterface
import ConformanceSpec
import ConformanceVerdict
import FoundationEssentials
import Records
import TextKit

/// `conform baseline`: maintains the file of known violations.
struct BaselineCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "baseline",
    abstract: "Writes, checks and prunes a baseline, which lists violations that are known and accepted for now.",
    discussion: """
      Examples:
        conform baseline write conform-report/run.jsonl --output baseline.yaml
        conform run --sdk ./adapter --baseline baseline.yaml
        conform baseline check conform-report/run.jsonl --baseline baseline.yaml
        conform baseline prune conform-report/run.jsonl --baseline baseline.yaml
      """,
    subcommands: [Write.self, Check.self, Prune.self])

  /// `conform baseline write`: writes a baseline that lists the violations in run records as known violations.
  struct Write: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Makes a baseline from the violations of a run, or updates a baseline.",
      discussion: """
        An entry describes one cause of violations, with its requirements and cases. If an entry still matches, it \
        keeps its reason, link and last day. A new entry has an empty reason. Write there why the violation is \
        accepted, because a run rejects a baseline with an empty reason. All given records must be about one subject. \
        If a word differs between the records, the entry contains * in place of the word. If a violation occurs in \
        only some of the records, its entry contains 'flaky: true'.

        Examples:
          conform baseline write conform-report/run.jsonl
          conform baseline write conform-report/run.jsonl --smallest
          conform baseline write first/run.jsonl second/run.jsonl --output baseline.yaml
        """)

    @OptionGroup var options: BaselineOptions

    @Argument(help: "Run records of one subject.", completion: .file())
    var records: [String]

    @Option(
      help: ArgumentHelp("The file of the baseline. Existing entries that still match are kept.", valueName: "file"),
      completion: .file())
    var output = "baseline.yaml"

    @Flag(help: "Write as few entries as possible: violations in the same run of a case share one entry.")
    var smallest = false

    func run() async throws {
      let catalogue = try await options.catalogueOptions.source(ofRecord: records.first).catalogue()
      let paths = records
      let records = try paths.map { try options.record($0, catalogue) }
      let names = records.map { Set($0.subjects.map(\.subject.name)) }
      if let other = names.firstIndex(where: { $0 != names[0] }) {
        throw BadInput(
          "\(paths[other]): expected a record of \(names[0].sorted().joined(separator: ", ")) as in \(paths[0]), "
            + "found one of \(names[other].sorted().joined(separator: ", ")): a baseline is about one subject")
      }
      let old =
        FileManager.default.fileExists(atPath: output)
        ? try options.file(output, catalogue).current() : Baseline(protocolName: catalogue.definition.name)
      let new = BaselineRevision(records, catalogue).written(over: old, smallest: smallest)
      try options.write(new, to: output)
      let open = new.entries.count { $0.reason.isEmpty }
      let endless = new.entries.count { $0.isFlaky && $0.expires == nil }
      let advice =
        (open == 0 ? "" : "; \(open) of them without a reason: write why each is accepted")
        + (endless == 0 ? "" : "; \(endless) of them flaky without a term: write in 'expires' how long")
      Terminal.output("\(output): \(new.entries.count) known\(advice)\n")
    }
  }

  /// `conform baseline check`: reports the result that a recorded run would have had with a baseline.
  struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Reports the result that a run would have with a baseline.",
      discussion: """
        Prints a line for each verdict that is known, is stale (the expected violation is gone), fails, or cannot be \
        judged. If you pass several records, the command judges the last one. The other records count only for flaky \
        entries: such an entry is stale if its requirement failed in none of the records. The exit codes are the same \
        as for 'conform run'.
        """)

    @OptionGroup var options: BaselineOptions

    @Argument(help: "Run records of one subject, the newest one last.", completion: .file())
    var records: [String]

    @Option(help: ArgumentHelp("The baseline.", valueName: "file"), completion: .file())
    var baseline: String

    func run() async throws {
      let catalogue = try await options.catalogueOptions.source(ofRecord: records.first).catalogue()
      let records = try records.map { try options.record($0, catalogue) }
      guard let record = records.last else {
        throw BadInput("name at least one run record, such as conform-report/run.jsonl")
      }
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
      let calm = BaselineRevision(records, catalogue).calmEntries(of: baseline)
      for entry in calm {
        Terminal.output("stale\t\(entry.title)\tit did not fail in the last \(records.count) records\n")
      }
      let conclusion = settled.account.conclusion(record.stop)
      let isStale = !calm.isEmpty && conclusion.exitCode == .conformant
      Terminal.output("\((isStale ? .staleBaseline : conclusion.word).rawValue)\n")
      throw Finished(code: isStale ? .staleBaseline : conclusion.exitCode)
    }
  }

  /// `conform baseline prune`: removes the entries of a baseline whose violation is gone, or whose case or requirement
  /// does not exist any more.
  struct Prune: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Removes entries whose violation is gone, or whose case or requirement does not exist.")

    @OptionGroup var options: BaselineOptions

    @Argument(help: "Run records of one subject.", completion: .file())
    var records: [String]

    @Option(help: ArgumentHelp("The baseline.", valueName: "file"), completion: .file())
    var baseline: String

    func run() async throws {
      let catalogue = try await options.catalogueOptions.source(ofRecord: records.first).catalogue()
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
