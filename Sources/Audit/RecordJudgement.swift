import CommandInterface
import ConformanceJudge
import ConformanceModel
import ConformancePack
import ConformanceRunner
import ConformanceSpec
import ConformanceTranscript
import ConformanceVerdict
import JSONKit
import Records

/// Judges the evidence of a record again. Compares each recorded verdict with the new verdict: its outcome, its
/// findings and its account of the steps.
///
/// It reads transcripts in parallel, and releases each transcript after its case. Only the lines of the record stay in
/// memory.
package struct RecordJudgement {
  /// The lines of the record about one run of a case.
  private struct Claimed: Sendable {
    var line: Int
    var run: RunRecord.CaseRun
    var rulings: [Recorded] = []
  }

  /// A verdict of the record, with its line number.
  private struct Recorded: Sendable {
    var line: Int
    var ruling: RunRecord.Ruling
  }

  private let path: String
  private let folder: EvidenceFolder
  private let header: RunRecord.Header
  private let judge: Judge
  /// Makes the line that the run would have written into the record for a verdict.
  private let recording: RunRecording
  private var requirements: [RequirementID: Requirement] = [:]
  private var claimed: [Claimed] = []
  private var subjects: [Subject] = []
  /// The reasons why the record is incomplete.
  package private(set) var reasons: [String] = []
  /// The baseline that is not available, and the number of verdicts with the disposition `known` that depend on it; nil
  /// if no verdict does.
  package private(set) var trustedBaseline: TrustedBaseline?

  /// Reads a record that was made with this catalogue. Switches off the positions that the run had switched off. Throws
  /// for an invalid record. `note` receives each line after the header, so that the record need not be read twice.
  package init(
    _ record: consuming RunRecordReader, at path: String, evidence: EvidenceFolder, _ catalogue: Catalogue,
    schemas: CatalogueFolder, checks: [String: Check], note: (RunRecord.Line) -> Void = { _ in }
  ) throws {
    self.path = path
    folder = evidence
    var reader = record
    header = reader.header
    let relaxed = catalogue.without(Set(reader.header.withoutPositions))
    judge = Judge(catalogue: relaxed, checks: checks)
    recording = RunRecording(header: reader.header, catalogue: relaxed)
    var audit = try RecordAudit(of: header, at: path, catalogue, schemas: schemas)
    do throws(JSONField.Problem) { try audit.take(.run(header)) } catch { throw reader.problem(error) }
    var account = RunAccount(header)
    var places: [CaseInstance: Int] = [:]
    var stop = RunAccount.Stop.death
    while let line = try reader.next() {
      note(line)
      do throws(JSONField.Problem) { try audit.take(line) } catch { throw reader.problem(error) }
      switch line {
      case .run: break
      case .doubt(let doubt): account.add(doubt)
      case .subject(let participant): subjects.append(participant.subject)
      case .testCase(let run):
        places[run.instance] = claimed.count
        claimed.append(Claimed(line: reader.line, run: run))
        account.addCase(run.instance)
      case .verdict(let ruling):
        account.add(ruling)
        if let place = places[ruling.verdict.instance] {
          claimed[place].rulings.append(Recorded(line: reader.line, ruling: ruling))
        }
      case .end(let end): stop = end.wasInterrupted ? .interruption : .end
      }
    }
    requirements = audit.requirements
    trustedBaseline = audit.trustedBaseline(of: header, at: path)
    reasons = account.conclusion(stop).reasons
  }

  /// How many verdicts and how many runs of cases the record contains.
  package var counts: (verdicts: Int, cases: Int) { (claimed.reduce(0) { $0 + $1.rulings.count }, claimed.count) }

  /// The differences between the record and its evidence, one line for each, in the order of the record.
  package func differences(atOnce jobs: Int) async throws -> [String] {
    var lines = claimed.map { _ in [String]() }
    try await claimed.indices.forEachResult(atOnce: jobs) { [self] index in
      (index, differences(in: claimed[index]))
    } _: {
      lines[$0.0] = $0.1
    }
    return lines.flatMap(\.self)
  }

  /// The flaws of the evidence for one run of a case, and each verdict in the record that the evidence contradicts.
  private func differences(in claimed: Claimed) -> [String] {
    func flaw(_ text: String) -> String { "\(path):\(claimed.line): \(claimed.run.instance): \(text)" }
    guard let name = claimed.run.evidence else { return [flaw("no evidence was kept")] }
    var flaws: [String] = []
    do {
      guard let file = try folder.file(name) else {
        return [flaw("the evidence '\(name)' is missing in '\(folder.path)'")]
      }
      flaws += digestFlaws(of: file, claimed.run).map(flaw)
      let read = try file.transcript()
      if let damage = read.damage { flaws.append(flaw("the evidence '\(file.path)' is damaged: \(damage)")) }
      let strangers = strangers(read.transcript, claimed.run)
      flaws += strangers.map { flaw("the evidence '\(file.path)' is of another run: \($0)") }
      guard strangers.isEmpty else { return flaws }
      let verdicts = try judge.verdicts(for: read.transcript)
      return flaws + claimed.rulings.compactMap { difference(of: $0, from: verdicts, of: read.transcript) }
    } catch {
      return flaws + [flaw("the evidence cannot be read: \(error)")]
    }
  }

  private func digestFlaws(of file: EvidenceFolder.File, _ run: RunRecord.CaseRun) -> [String] {
    guard let recorded = run.evidenceDigest else { return ["the record has no digest of the evidence '\(file.path)'"] }
    let digest = file.digest
    if digest == recorded { return [] }
    return ["the evidence '\(file.path)' is another than was recorded: digest \(digest), not \(recorded)"]
  }

  /// Describes the first difference between a recorded verdict and the new verdict about the same requirement; nil if
  /// they are equal.
  private func difference(of recorded: Recorded, from verdicts: [Verdict], of transcript: Transcript) -> String? {
    let (old, id) = (recorded.ruling, recorded.ruling.verdict.requirement)
    let place = "\(path):\(recorded.line): \(id) \(old.verdict.instance)"
    guard let verdict = verdicts.first(where: { $0.requirement == id }), let requirement = requirements[id] else {
      return "\(place): recorded \(old.verdict.outcome.summary), recomputed nothing"
    }
    guard verdict == old.verdict else {
      return "\(place): recorded \(old.verdict.outcome.summary), recomputed \(verdict.outcome.summary)"
    }
    let settled = SettledVerdict(
      verdict: verdict, requirement: requirement, disposition: old.disposition, baseline: old.baseline)
    let again = recording.ruling(settled, of: transcript)
    let pairs: [(String, [String], [String])] = [
      ("story", old.story, again.story), ("leadsTo", old.leadsTo.map(\.rawValue), again.leadsTo.map(\.rawValue)),
      ("documentPlace", old.documentPlace.words, again.documentPlace.words),
      ("looksLike", old.looksLike, again.looksLike), ("ordinary", ["\(old.isOrdinary)"], ["\(again.isOrdinary)"]),
    ]
    guard let (member, said, made) = pairs.first(where: { $0.1 != $0.2 }) else { return nil }
    return "\(place): recorded the \(member) \(said.firstDifference(from: made)), recomputed "
      + made.firstDifference(from: said)
  }

  /// One text for each member of a transcript's header that does not agree with the record's line about the run.
  private func strangers(_ transcript: Transcript, _ run: RunRecord.CaseRun) -> [String] {
    let own = transcript.header
    let pairs: [(String, String, String)] = [
      ("protocol", own.protocolName, header.protocolName), ("pack digest", own.packDigest, header.packDigest),
      ("case", "\(own.instance)", "\(run.instance)"), ("role", own.role.rawValue, run.role.rawValue),
      ("case digest", own.caseDigest, run.caseDigest), ("clock", own.clock.rawValue, run.clock.rawValue),
      ("seed", "\(own.seed)", "\(header.seed)"),
      ("ending", transcript.ending?.kind.rawValue ?? run.ending.kind.rawValue, run.ending.kind.rawValue),
    ]
    let different = pairs.filter { $0.1 != $0.2 }.map { "its \($0.0) is \($0.1), that of the record \($0.2)" }
    let unknown = own.subjects.values.filter { !subjects.contains($0) }.map(\.name).sorted()
    return different + unknown.map { "its subject \($0) is none of those that the record names" }
  }
}

extension Verdict.Outcome {
  /// The outcome on one line, with its findings or its reason.
  fileprivate var summary: String {
    let text = (findings.map(\.description).joined(separator: "; ") + (reason ?? "")).visibleOnOneLine
    return text.isEmpty ? word : "\(word) (\(text))"
  }
}

extension [String] {
  /// The first line that differs from the line with the same number in the other list, in quotes.
  fileprivate func firstDifference(from other: [String]) -> String {
    let place = zip(self, other).enumerated().first { $1.0 != $1.1 }?.offset ?? Swift.min(count, other.count)
    return indices.contains(place) ? "'\(self[place].visibleOnOneLine)'" : "nothing in line \(place + 1)"
  }
}

extension Int? {
  fileprivate var words: [String] { map { ["\($0)"] } ?? [] }
}
