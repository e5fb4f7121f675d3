import ConformanceModel
import ConformanceVerdict
import Records
import Templates

/// The facts of a run record that a certificate needs, read line by line.
package struct RecordFacts: Sendable {
  package var header: RunRecord.Header
  /// The participants, each once, in the order of the record.
  package var participants: [RunRecord.Participant] = []
  package var cases = 0
  /// The files of evidence by their last name, with the digest that the record has of each; nil without one.
  package var evidence: [String: String?] = [:]
  /// Cases without evidence.
  package var withoutEvidence = 0
  package var clocks: Set<ClockMode> = []
  /// The number of verdicts by requirement and disposition.
  package var requirements: [RequirementID: [Disposition: Int]] = [:]
  package var counts: [Disposition: Int] = [:]
  /// The roles and dialects in which something passed.
  package var passed: Set<Passage> = []
  /// nil for the record of a killed run.
  package var end: RunRecord.End?

  /// A role in a dialect.
  package struct Passage: Hashable, Sendable {
    package var role: Role
    package var dialect: Dialect
  }

  package init(_ header: RunRecord.Header) { self.header = header }

  /// Reads a record, which must agree with itself. Throws ``FileProblem`` or ``LineProblem``.
  package init(readingFrom path: String) throws {
    var reader = try RunRecordReader(path)
    self.init(reader.header)
    while let line = try reader.next() { add(line) }
  }

  /// Adds the next line.
  package mutating func add(_ line: RunRecord.Line) {
    switch line {
    case .run, .doubt: break
    case .subject(let participant): if !participants.contains(participant) { participants.append(participant) }
    case .testCase(let run): add(run)
    case .verdict(let ruling):
      requirements[ruling.verdict.requirement, default: [:]][ruling.disposition, default: 0] += 1
      counts[ruling.disposition, default: 0] += 1
      guard ruling.disposition == .pass else { return }
      passed.insert(Passage(role: ruling.rule.role, dialect: ruling.verdict.instance.dialect))
    case .end(let end): self.end = end
    }
  }

  private mutating func add(_ run: RunRecord.CaseRun) {
    cases += 1
    clocks.insert(run.clock)
    guard let file = run.evidence else { return withoutEvidence += 1 }
    let last = file.lastIndex(of: "/").map { String(file[file.index(after: $0)...]) } ?? file
    evidence[last] = .some(run.evidenceDigest)
  }
}
