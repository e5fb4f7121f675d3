import ConformanceModel

/// The complete report of a run, from which every other report is made.
///
/// The kit writes it into a file during the run, as JSON Lines with one ``Line`` on each line. If the run is killed,
/// the record has no ``end``. The lines that it contains are correct, but later lines are missing.
package struct RunRecord: Hashable, Sendable {
  /// The version of the record's schema.
  package static let schemaVersion = 4

  package var header: Header
  /// The participants, in the order of their lines.
  package var subjects: [Participant]
  /// The doubts about cases that the record contains no result for yet. A case is in doubt if it may have gone wrong
  /// only because of the machine. The kit tries it again.
  package var doubts: [CaseInstance: Doubt] = [:]
  package var cases: [CaseRun]
  package var rulings: [Ruling]
  /// How the run ended; nil if it was killed.
  package var end: End?

  package init(
    header: Header, subjects: [Participant] = [], cases: [CaseRun] = [], rulings: [Ruling] = [], end: End? = nil
  ) {
    self.header = header
    self.subjects = subjects
    self.cases = cases
    self.rulings = rulings
    self.end = end
  }

  /// Adds the content of a line. A second `run` line replaces the header.
  package mutating func add(_ line: Line) {
    switch line {
    case .run(let header): self.header = header
    case .subject(let subject): subjects.append(subject)
    case .doubt(let doubt): doubts[doubt.instance] = doubt
    case .testCase(let run):
      doubts[run.instance] = nil
      cases.append(run)
    case .verdict(let ruling): rulings.append(ruling)
    case .end(let end): self.end = end
    }
  }

  /// The lines of the record, in an order in which they can be read again.
  package var lines: [Line] {
    let doubts = doubts.values.sorted { $0.instance < $1.instance }
    return [.run(header)] + subjects.map(Line.subject) + doubts.map(Line.doubt) + cases.map(Line.testCase)
      + rulings.map(Line.verdict) + (end.map { [Line.end($0)] } ?? [])
  }
}

extension RunRecord {
  /// The way the run ended.
  package var stop: RunAccount.Stop { end.map { $0.wasInterrupted ? .interruption : .end } ?? .death }

  /// The same record, with the dispositions that its verdicts have under a different gate and baseline.
  package func settled(by settlement: Settlement) -> RunRecord {
    var record = self
    record.header.gate = settlement.gate
    let endings = Dictionary(cases.map { ($0.instance, $0.ending.kind) }) { first, _ in first }
    for (index, ruling) in rulings.enumerated() {
      let settled = settlement.settle(
        ruling.verdict, ruling.rule.level, ruling.rule.basis, after: endings[ruling.verdict.instance])
      record.rulings[index].disposition = settled.disposition
      record.rulings[index].baseline = settled.baseline
    }
    return record
  }
}
