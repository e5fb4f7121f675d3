import ArgumentParser
import Audit
import CommandInterface
import ConformanceJudge
import ConformanceModel
import ConformanceTranscript
import ConformanceVerdict
import FoundationEssentials
import Records
import TextKit

/// `conform judge`: judges stored evidence again.
struct JudgeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "judge",
    abstract: "Judges stored transcripts again, without a subject.",
    discussion: """
      Examples:
        conform judge conform-report/evidence/*.jsonl
        conform judge 'conform-report/evidence/offline.capacity[101]@spec.jsonl'
        conform judge --record conform-report/run.jsonl
                                     compare every verdict with its evidence
      """)

  @Argument(help: "Transcripts from the evidence folder of a run.", completion: .file())
  var transcripts: [String] = []

  @Option(
    help: ArgumentHelp(
      """
      Judge all evidence of this run record, with the gate and the positions of the record. List the verdicts that \
      differ; the exit code is 1 if a verdict differs.
      """, valueName: "file"), completion: .file())
  var record: String?

  @Option(
    help: ArgumentHelp(
      "The folder with the evidence of --record. The default is 'evidence' beside the record.", valueName: "folder"),
    completion: .directory)
  var evidence: String?

  @OptionGroup var trustOptions: TrustOptions

  @OptionGroup var sourceOptions: SourceOptions

  @OptionGroup var positionOptions: PositionOptions

  @Option(help: ArgumentHelp("The gate. It decides which violated requirements fail.", valueName: "gate"))
  var gate: Gate?

  func validate() throws {
    guard (record == nil) != transcripts.isEmpty else {
      throw ValidationError("give either transcripts or a record with --record")
    }
    if record == nil, evidence != nil {
      throw ValidationError("--evidence needs a record: name it with --record")
    }
    if record != nil, gate != nil || !positionOptions.switchedOff.isEmpty {
      throw ValidationError("a record is judged by its own gate and positions; leave out --gate and --without-position")
    }
  }

  func run() async throws {
    if let record { return try await judge(record: record) }
    var judges: [String: Judge] = [:]
    var judged: [Judged] = []
    do {
      for path in transcripts { judged.append(try await read(path, &judges)) }
    } catch {
      // The verdicts before an unreadable file are printed, too.
      _ = tell(judged)
      throw error
    }
    throw Finished(code: code(of: tell(judged)))
  }

  /// The exit code for these verdicts. It is not 0 if there are no verdicts, or if all verdicts are skipped. The
  /// verdicts need not be those of a whole run.
  private func code(of tally: Tally) -> ConformanceVerdict.ExitCode {
    let hasConclusion = tally.counts.contains { $0.key != .skipped }
    return Conclusion(tally, missing: hasConclusion ? [] : ["nothing was judged"]).exitCode
  }

  private func judge(record path: String) async throws {
    let reader = try RunRecordReader(path)
    let source = try sourceOptions.source(reader.header.protocolName)
    let catalogue = try await source.catalogue()
    let judgement = try RecordJudgement(
      reader, at: path, evidence: evidence.map { EvidenceFolder($0) } ?? EvidenceFolder(record: path), catalogue,
      schemas: source.schemaFolder, checks: source.checks)
    let differences = try await judgement.differences(atOnce: ProcessInfo.processInfo.activeProcessorCount)
    for line in differences { Terminal.output("\(line)\n") }
    for reason in judgement.reasons { Terminal.output("incomplete: \(reason)\n") }
    let (verdicts, cases) = judgement.counts
    let result = differences.isEmpty ? "all equal" : "\(differences.count) differ or cannot be compared"
    Terminal.output("compared \("verdict".counted(verdicts)) in \("case".counted(cases)): \(result)\n")
    guard differences.isEmpty else { throw Finished(code: .violations) }
    try trustOptions.accept(judgement.trustedBaseline)
    throw Finished(code: .conformant)
  }

  /// The verdicts on the transcript in one file.
  private struct Judged {
    var settled: [SettledVerdict]
    /// The transcript, from which the steps are printed; nil if no verdict is a violation, since nothing is printed
    /// then.
    var transcript: Transcript?
  }

  private func read(_ path: String, _ judges: inout [String: Judge]) async throws -> Judged {
    let file = try TranscriptFile(readingFrom: path)
    if let damage = file.damage { Terminal.error("conform: \(path): \(damage)\n") }
    let name = file.transcript.header.protocolName
    do {
      let judge = if let known = judges[name] { known } else { try await self.judge(name) }
      judges[name] = judge
      let settled = try settled(file.transcript, judge)
      let isRed = settled.contains { if case .violates = $0.verdict.outcome { true } else { false } }
      return Judged(settled: settled, transcript: isRed ? file.transcript : nil)
    } catch let problem as Judge.UnknownCase {
      throw BadInput("\(path): \(problem); use the kit, or the --root or --pack, of its run")
    } catch let problem as BadInput {
      throw BadInput("\(path): \(problem)")
    }
  }

  private func tell(_ judged: [Judged]) -> Tally {
    var tally = Tally()
    for one in judged {
      for settled in one.settled {
        tell(settled, one.transcript)
        tally.add(settled.disposition)
      }
    }
    return tally
  }

  private func judge(_ name: String) async throws -> Judge {
    let source = try sourceOptions.source(name)
    return Judge(catalogue: try positionOptions.applied(to: await source.catalogue()), checks: source.checks)
  }

  /// The verdicts with the dispositions that they have in a run. Verdicts on withdrawn requirements are left out.
  private func settled(_ transcript: Transcript, _ judge: Judge) throws(Judge.UnknownCase) -> [SettledVerdict] {
    let verdicts = try judge.verdicts(for: transcript)
    let requirements = verdicts.compactMap { judge.catalogue.requirement($0.requirement) }
    return Settlement(gate: gate ?? .stated).settle(verdicts, on: requirements.filter { $0.withdrawn == nil })
  }

  private func tell(_ settled: SettledVerdict, _ transcript: Transcript?) {
    let verdict = settled.verdict
    Terminal.output("\(settled.disposition.rawValue)\t\(verdict.requirement)\t\(verdict.instance)\n")
    switch verdict.outcome {
    case .conforms: break
    case .unjudged(let reason), .notApplicable(let reason): Terminal.output("  \(reason)\n")
    case .violates(let findings):
      Terminal.output("  rule: \(settled.requirement.text)\n")
      for finding in findings { Terminal.output("  \(finding)\n") }
      let story = transcript.map { CaseStory().lines(of: $0, findings) } ?? []
      for line in story { Terminal.output("    \(line)\n") }
    }
  }
}
