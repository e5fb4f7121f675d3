import ConformanceModel
import ConformanceTranscript
import ConformanceVerdict

/// Turns the results of a run into the lines of its record, and counts the results.
///
/// It is a state machine without I/O. The caller writes the lines, and must keep their order.
package struct RunRecording: Sendable {
  package let header: RunRecord.Header
  package private(set) var account: RunAccount
  /// The definition of the protocol. It contains the names of the features to which requirements belong.
  private let definition: ProtocolDefinition
  private let consequences: [RequirementID: [RequirementID]]
  private let documentOrder: [RequirementID: Int]
  private let defects: KnownDefects

  package init(header: RunRecord.Header, catalogue: Catalogue) {
    self.header = header
    account = RunAccount(header)
    definition = catalogue.definition
    consequences = catalogue.consequences
    documentOrder = catalogue.documentOrder
    defects = KnownDefects(of: catalogue)
  }

  /// The file that holds a transcript, and the digest of its bytes.
  package struct EvidenceFile: Hashable, Sendable {
    package var path: String
    package var digest: String

    package init(path: String, digest: String) {
      self.path = path
      self.digest = digest
    }
  }

  /// The line about a case that is in doubt and is therefore tried again.
  package mutating func line(for doubt: RunRecord.Doubt) -> RunRecord.Line {
    account.add(doubt)
    return .doubt(doubt)
  }

  /// The lines about a run of a case: its ending, and then each verdict.
  package mutating func lines(for result: CaseResult, evidence: EvidenceFile?) -> [RunRecord.Line] {
    let rulings = result.settled.map { ruling($0, of: result.transcript) }
    account.addCase(result.instance)
    for ruling in rulings { account.add(ruling) }
    return [.testCase(.init(result, evidence: evidence))] + rulings.map(RunRecord.Line.verdict)
  }

  /// The last line of the record.
  ///
  /// - Parameter incidents: sentences about events outside of cases that make the run incomplete.
  package func end(
    wasInterrupted: Bool, after duration: Duration, notes: [String] = [], incidents: [String] = []
  ) -> RunRecord.End {
    var account = account
    account.incidents = incidents
    return RunRecord.End(
      tally: account.tally, conclusion: account.conclusion(wasInterrupted ? .interruption : .end),
      notes: account.unboundFeatures + notes, incidents: incidents, wasInterrupted: wasInterrupted,
      duration: duration.milliseconds)
  }

  /// The content of the line about a verdict, with the step-by-step account from the transcript.
  package func ruling(_ settled: SettledVerdict, of transcript: Transcript) -> RunRecord.Ruling {
    let instance = settled.verdict.instance
    let isGreen = settled.disposition == .pass || settled.disposition == .skipped
    let id = settled.requirement.id
    let outcome = settled.verdict.outcome
    // The account of an unjudged verdict marks the observation that prevented the judgement.
    let shown = outcome.reason.flatMap(Finding.init(endOf:)).map { [$0] } ?? outcome.findings
    return RunRecord.Ruling(
      verdict: settled.verdict, disposition: settled.disposition, rule: .init(settled.requirement, in: definition),
      baseline: settled.baseline, rerun: header.rerun(instance, id),
      story: isGreen ? [] : CaseStory().lines(of: transcript, shown),
      leadsTo: isGreen ? [] : consequences[id, default: []], documentPlace: isGreen ? nil : documentOrder[id],
      looksLike: settled.disposition == .fail ? defects.alike(settled.verdict).map(\.text) : [],
      isOrdinary: settled.disposition == .advisory
        && settled.requirement.ordinary.contains(outcome.findings.shape))
  }
}

extension RunRecord.CaseRun {
  fileprivate init(_ result: CaseResult, evidence: RunRecording.EvidenceFile?) {
    self.init(
      instance: result.instance, title: result.testCase.title, role: result.testCase.role,
      file: result.testCase.file, line: result.testCase.line, duration: result.wall.milliseconds,
      ownDuration: max(.zero, result.wall - result.waited).milliseconds, clock: result.transcript.header.clock,
      ending: result.transcript.ending ?? .init(.kitError, "the transcript has no end"),
      evidence: evidence?.path, evidenceDigest: evidence?.digest, caseDigest: result.testCase.digest,
      verdicts: result.settled.count)
  }
}

extension Duration {
  /// The duration in milliseconds, rounded to whole microseconds.
  fileprivate var milliseconds: Double {
    let parts = components
    return Double(parts.seconds) * 1000 + Double(parts.attoseconds / 1_000_000_000_000) / 1000
  }
}
