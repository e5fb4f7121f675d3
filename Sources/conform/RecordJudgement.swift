import ConformanceJudge
import ConformanceModel
import ConformanceReport
import ConformanceRunner
import ConformanceSpec
import JSONKit

/// Judges the evidence of a record again, and compares every verdict of the record with the new one.
///
/// Transcripts are read in parallel and released. Only the verdicts of the record and of the judge stay in memory.
struct RecordJudgement {
  /// The lines of the record about a run of a case.
  private struct Claimed: Sendable {
    var line: Int
    var run: RunRecord.CaseRun
    var verdicts: [Judged] = []
  }

  /// A verdict of the record, with its line.
  private struct Judged: Sendable {
    var line: Int
    var verdict: Verdict
    var disposition: Disposition
    var baseline: String?
  }

  /// The result of judging the evidence of a run of a case.
  private struct Evidence: Sendable {
    var index: Int
    var verdicts: [Verdict] = []
    /// The problems with the file.
    var flaws: [String] = []
  }

  private let path: String
  private let header: RunRecord.Header
  private let judge: Judge
  private var requirements: [RequirementID: Requirement] = [:]
  private var claimed: [Claimed] = []
  private var subjects: [Subject] = []
  /// The reasons why the record is incomplete.
  private(set) var reasons: [String] = []

  /// Reads a record of the judge's catalogue; the positions that the record names are switched off here. Throws if the
  /// record is invalid.
  init(
    _ record: consuming RunRecordReader, at path: String, _ catalogue: Catalogue, schemas: CatalogueFolder,
    checks: [String: Check]
  ) throws {
    self.path = path
    var reader = record
    header = reader.header
    judge = Judge(catalogue: catalogue.without(Set(reader.header.withoutPositions)), checks: checks)
    var audit = try RecordAudit(of: header, at: path, catalogue, schemas: schemas)
    do throws(JSONField.Problem) { try audit.take(.run(header)) } catch { throw reader.problem(error) }
    var account = RunAccount(header)
    var places: [CaseInstance: Int] = [:]
    var stop = RunAccount.Stop.death
    while let line = try reader.next() {
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
          claimed[place].verdicts.append(
            Judged(
              line: reader.line, verdict: ruling.verdict, disposition: ruling.disposition, baseline: ruling.baseline))
        }
      case .end(let end): stop = end.wasInterrupted ? .interruption : .end
      }
    }
    requirements = audit.requirements
    reasons = account.conclusion(stop).reasons
  }

  /// The number of verdicts in the record, and of runs of cases.
  var counts: (verdicts: Int, cases: Int) { (claimed.reduce(0) { $0 + $1.verdicts.count }, claimed.count) }

  /// The differences, a line for each, in the order of the record.
  func differences(atOnce jobs: Int) async throws -> [String] {
    var evidence = claimed.map { _ in Evidence(index: 0) }
    try await claimed.indices.forEachResult(atOnce: jobs) { [self] index in
      self.evidence(of: claimed[index], index)
    } _: {
      evidence[$0.index] = $0
    }
    let settlement = Settlement(gate: header.gate)
    let settled = evidence.enumerated().map { index, one in
      settlement.settle(one.verdicts, on: claimed[index].verdicts.compactMap { requirements[$0.verdict.requirement] })
    }
    return claimed.indices.flatMap { index in
      let flaws = evidence[index].flaws.map { "\(path):\(claimed[index].line): \(claimed[index].run.instance): \($0)" }
      return flaws + differences(claimed[index], settled[index])
    }
  }

  private func differences(_ claimed: Claimed, _ settled: [SettledVerdict]) -> [String] {
    // The problem of an unreadable file has been reported already.
    if settled.isEmpty { return [] }
    let found = Dictionary(settled.map { ($0.requirement.id, $0) }) { first, _ in first }
    return claimed.verdicts.compactMap { recorded in
      let place = "\(path):\(recorded.line): \(recorded.verdict.requirement) \(recorded.verdict.instance)"
      guard let again = found[recorded.verdict.requirement] else {
        return "\(place): recorded \(recorded.verdict.outcome.summary), recomputed nothing"
      }
      guard again.verdict != recorded.verdict else { return nil }
      return "\(place): recorded \(recorded.verdict.outcome.summary), recomputed \(again.verdict.outcome.summary)"
    }
  }

  /// Reads a transcript, and compares it with its line in the record.
  private func evidence(of claimed: Claimed, _ index: Int) -> Evidence {
    var evidence = Evidence(index: index)
    guard let file = claimed.run.evidence else {
      evidence.flaws.append("no evidence was kept")
      return evidence
    }
    guard let path = EvidenceFolder(record: self.path).path(of: file) else {
      evidence.flaws.append("the evidence '\(file)' is missing")
      return evidence
    }
    do {
      let digest = try EvidenceFolder.digest(of: path)
      if let recorded = claimed.run.evidenceDigest {
        if digest != recorded {
          evidence.flaws.append(
            "the evidence '\(path)' is another than was recorded: digest \(digest), not \(recorded)")
        }
      } else {
        evidence.flaws.append("the record has no digest of the evidence '\(path)'")
      }
      let transcript = try TranscriptFile(readingFrom: path)
      if let damage = transcript.damage { evidence.flaws.append("the evidence '\(path)' is damaged: \(damage)") }
      let strangers = strangers(transcript.transcript, claimed.run)
      guard strangers.isEmpty else {
        evidence.flaws += strangers.map { "the evidence '\(path)' is of another run: \($0)" }
        return evidence
      }
      evidence.verdicts = try judge.verdicts(for: transcript.transcript)
    } catch {
      evidence.flaws.append("the evidence cannot be read: \(error)")
    }
    return evidence
  }

  /// The differences between a transcript and the run that the record names.
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
