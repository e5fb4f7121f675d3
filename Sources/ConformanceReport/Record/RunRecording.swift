import ConformanceModel

/// A run as it is written down: makes the lines of its record out of what happens, and counts.
///
/// A state machine without output: who writes the lines keeps their order.
package struct RunRecording: Sendable {
  package let header: RunRecord.Header
  package private(set) var tally = Tally()
  /// Names the features that requirements belong to.
  private let definition: ProtocolDefinition
  private let consequences: [RequirementID: [RequirementID]]
  /// The known defects, by the run of a case that is there to notice them.
  private let defects: [String: [Defect]]

  package init(header: RunRecord.Header, catalogue: Catalogue) {
    self.header = header
    definition = catalogue.definition
    consequences = catalogue.consequences
    defects = Dictionary(grouping: catalogue.defects.filter { $0.caseName != nil }) { $0.caseName ?? "" }
  }

  /// The lines of a run of a case: how it went, then each verdict. `evidence` is the transcript's file.
  package mutating func lines(for result: CaseResult, evidence: String?) -> [RunRecord.Line] {
    for settled in result.settled { tally.add(settled.disposition) }
    return [.testCase(.init(result, evidence: evidence))] + result.settled.map { .verdict(ruling($0, result)) }
  }

  /// The last line.
  package func end(wasInterrupted: Bool, after duration: Duration) -> RunRecord.End {
    RunRecord.End(
      tally: tally, exitCode: tally.exitCode(wasInterrupted: wasInterrupted), wasInterrupted: wasInterrupted,
      duration: duration.milliseconds)
  }

  private func ruling(_ settled: SettledVerdict, _ result: CaseResult) -> RunRecord.Ruling {
    let isGreen = settled.disposition == .pass || settled.disposition == .skipped
    let id = settled.requirement.id
    let known = defects[result.instance.name, default: []].filter { $0.breaks.contains(id) && $0.mustSurvive == nil }
    return RunRecord.Ruling(
      verdict: settled.verdict, disposition: settled.disposition, rule: .init(settled.requirement, in: definition),
      rerun: header.rerun(result.instance, id),
      story: isGreen ? [] : CaseStory().lines(of: result.transcript, settled.verdict.outcome.findings),
      leadsTo: isGreen ? [] : consequences[id, default: []],
      looksLike: settled.disposition == .fail ? known.map(\.text) : [])
  }
}

extension RunRecord.CaseRun {
  fileprivate init(_ result: CaseResult, evidence: String?) {
    self.init(
      instance: result.instance, title: result.testCase.title, role: result.testCase.role,
      file: result.testCase.file, line: result.testCase.line, duration: result.wall.milliseconds,
      ownDuration: max(.zero, result.wall - result.waited).milliseconds, clock: result.transcript.header.clock,
      ending: result.transcript.ending ?? .init(.kitError, "the transcript has no end"), evidence: evidence)
  }
}

extension Duration {
  /// The span in milliseconds, to the microsecond.
  fileprivate var milliseconds: Double {
    let parts = components
    return Double(parts.seconds) * 1000 + Double(parts.attoseconds / 1_000_000_000_000) / 1000
  }
}
