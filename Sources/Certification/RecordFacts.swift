import ConformanceModel
import ConformanceVerdict
import Records
import Templates

/// Reads a run record line by line, and keeps the facts that a certificate needs.
package struct RecordFacts: Sendable {
  package var header: RunRecord.Header
  /// The subjects of the run with their roles, without duplicates, in the order of the record.
  package var participants: [RunRecord.Participant] = []
  package var cases = 0
  /// The frozen set whose cases count for the certificate; nil if the protocol has no frozen set, so that all cases
  /// count.
  package let frozen: ScoredCases?
  /// The number of cases whose verdicts count for the certificate.
  package private(set) var scored = 0
  /// The cases of the frozen set that have changed: the digest in the record differs from the digest in the set.
  package private(set) var changed: [CaseID] = []
  /// The requirements under dispute. Their verdicts do not count for the certificate.
  package let disputed: Set<RequirementID>
  private var account: RunAccount
  private var scoredInstances: Set<CaseInstance> = []
  /// Maps the last part of the path of each evidence file to the digest of the file. The digest is nil if the record
  /// names the file without a digest.
  package var evidence: [String: String?] = [:]
  /// The number of cases without evidence.
  package var withoutEvidence = 0
  package var clocks: Set<ClockMode> = []
  /// The number of verdicts for each requirement and each disposition.
  package var requirements: [RequirementID: [Disposition: Int]] = [:]
  package var counts: [Disposition: Int] = [:]
  /// Maps each requirement to the dispositions of its verdicts. Only verdicts that count for the certificate are
  /// included.
  package private(set) var countedDispositions: [RequirementID: Set<Disposition>] = [:]
  /// The requirements that the gate demands and that have at least one verdict that counts for the certificate.
  private var demanded: Set<RequirementID> = []
  /// The pairs of role and dialect in which at least one verdict that counts for the certificate has passed.
  package var passed: Set<Passage> = []
  /// Maps the numbers of features to their names. Contains the features for which at least one verdict that counts for
  /// the certificate has passed.
  package var features: [Int: String] = [:]
  /// The last line of the record; nil if the run was killed.
  package var end: RunRecord.End?

  /// A role in a dialect.
  package struct Passage: Hashable, Sendable {
    package var role: Role
    package var dialect: Dialect
  }

  package init(_ header: RunRecord.Header, scoredBy frozen: ScoredCases? = nil, disputed: Set<RequirementID> = []) {
    self.header = header
    self.frozen = frozen
    self.disputed = disputed
    account = RunAccount(header)
  }

  /// Reads a record. Throws ``FileProblem``, or ``LineProblem`` for a record that contradicts itself.
  package init(
    readingFrom path: String, scoredBy frozen: ScoredCases? = nil, disputed: Set<RequirementID> = []
  ) throws {
    try self.init(RunRecordReader(path), scoredBy: frozen, disputed: disputed)
  }

  /// Reads the lines after the header. Throws ``FileProblem``, or ``LineProblem`` for a record that contradicts itself.
  package init(
    _ record: consuming RunRecordReader, scoredBy frozen: ScoredCases? = nil, disputed: Set<RequirementID> = []
  ) throws {
    var reader = record
    self.init(reader.header, scoredBy: frozen, disputed: disputed)
    while let line = try reader.next() { add(line) }
  }

  /// Adds the facts in the next line of the record.
  package mutating func add(_ line: RunRecord.Line) {
    switch line {
    case .run: break
    case .doubt(let doubt): account.add(doubt)
    case .subject(let participant): if !participants.contains(participant) { participants.append(participant) }
    case .testCase(let run): add(run)
    case .verdict(let ruling): add(ruling)
    case .end(let end): self.end = end
    }
  }

  /// The number of cases whose verdicts do not count for the certificate, because the cases are not in the frozen set
  /// or have changed since.
  package var unscored: Int { cases - scored }

  /// The conclusion that the run has if only the verdicts that count for the certificate are considered. nil if the run
  /// was killed.
  package var conclusion: Conclusion? {
    guard let end else { return nil }
    let isWhole = frozen == nil || scored == cases
    if isWhole, disputesWithVerdicts.isEmpty { return end.conclusion }
    var account = account
    account.incidents = end.incidents
    return account.conclusion(end.wasInterrupted ? .interruption : .end)
  }

  /// The requirements under dispute that have a verdict in the record.
  package var disputesWithVerdicts: [RequirementID] {
    disputed.filter { requirements[$0] != nil }.sorted { $0.rawValue < $1.rawValue }
  }

  /// The requirements that the gate demands, but whose verdicts are all skipped, because they do not apply to the
  /// subjects of the run.
  package var notApplied: [RequirementID] {
    demanded.filter { countedDispositions[$0] == [.skipped] }.sorted { $0.rawValue < $1.rawValue }
  }

  private mutating func add(_ ruling: RunRecord.Ruling) {
    let requirement = ruling.verdict.requirement
    requirements[requirement, default: [:]][ruling.disposition, default: 0] += 1
    counts[ruling.disposition, default: 0] += 1
    guard scoredInstances.contains(ruling.verdict.instance), !disputed.contains(requirement) else { return }
    account.add(ruling)
    countedDispositions[requirement, default: []].insert(ruling.disposition)
    if header.gate.demands(ruling.rule.level, ruling.rule.basis) { demanded.insert(requirement) }
    guard ruling.disposition == .pass else { return }
    if let feature = ruling.rule.feature { features[feature.number] = feature.name }
    passed.insert(Passage(role: ruling.rule.role, dialect: ruling.verdict.instance.dialect))
  }

  private mutating func add(_ run: RunRecord.CaseRun) {
    cases += 1
    account.addCase(run.instance)
    score(run)
    clocks.insert(run.clock)
    guard let file = run.evidence else { return withoutEvidence += 1 }
    let last = file.lastIndex(of: "/").map { String(file[file.index(after: $0)...]) } ?? file
    evidence[last] = .some(run.evidenceDigest)
  }

  private mutating func score(_ run: RunRecord.CaseRun) {
    let name = run.instance.id
    if let frozen, frozen.cases[name.rawValue] != run.caseDigest {
      if frozen.cases[name.rawValue] != nil { changed.append(name) }
      return
    }
    scored += 1
    scoredInstances.insert(run.instance)
  }
}
