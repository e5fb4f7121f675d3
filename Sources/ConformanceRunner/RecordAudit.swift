import ConformanceJudge
import ConformanceModel
import ConformanceTranscript
import ConformanceVerdict
import JSONKit

/// Compares a record with the pack that it names: the cases, their texts, and their requirements.
package struct RecordAudit {
  private let catalogue: Catalogue
  private let baseline: Baseline?
  private let plans: RecordPlans
  private var header: RunRecord.Header?
  /// The participants of the next cases in the record. ``terms`` contains the entries of the baseline that apply to
  /// these participants.
  private var subjects: [Subject] = []
  private var terms: BaselineTerms?
  private var items: [CaseInstance: Plan.Item] = [:]
  /// Maps each run of a case in the record so far to the way in which it ended.
  private var endings: [CaseInstance: TranscriptEntry.Ending.Kind] = [:]
  /// The reasons and findings that the record must not contain, because each reports that the subject lacks a
  /// capability which a participant of the current cases declares.
  private var contradicted: (reasons: Set<String>, findings: Set<Finding>) = ([], [])
  /// The notes about the baseline that the end of the record must contain, according to the lines so far.
  private var notes: Set<String> = []
  /// The number of verdicts that refer to an entry of a baseline, although this audit has no baseline with which to
  /// compare them.
  package private(set) var unconfirmed = 0
  /// Whether the run split its cases by the durations of an earlier run. The audit does not know these durations.
  private var isBalanced = false

  /// The requirements that applied in the record's run; empty before the first line of the record.
  package private(set) var requirements: [RequirementID: Requirement] = [:]

  /// `baseline` is the baseline of the record's run; nil if the run had none, or if it is not available. Audits of
  /// several records of one catalogue can share `plans`.
  package init(_ catalogue: Catalogue, baseline: Baseline? = nil, plans: RecordPlans = RecordPlans()) {
    self.catalogue = catalogue
    self.baseline = baseline
    self.plans = plans
  }

  /// Checks the next line. The first line must be the `run` line. Throws the first difference from the pack.
  package mutating func take(_ line: RunRecord.Line) throws(JSONField.Problem) {
    switch line {
    case .run(let header): try take(header)
    case .testCase(let run): try take(run)
    case .verdict(let ruling): try take(ruling)
    case .subject(let participant): take(participant.subject)
    case .end(let end): try take(notes: end.notes)
    case .doubt: break
    }
  }

  /// Adds a participant. Participants on successive lines take part in the same cases. The first participant after a
  /// case begins a new group.
  private mutating func take(_ subject: Subject) {
    if terms != nil { subjects = [] }
    terms = nil
    subjects.append(subject)
    let declared = subjects.flatMap(\.capabilities)
    contradicted = (
      Set(declared.map(catalogue.definition.reason(forLacking:))), Set(declared.map(Finding.missing(capability:)))
    )
  }

  private mutating func take(_ header: RunRecord.Header) throws(JSONField.Problem) {
    let definition = catalogue.definition
    try Self.expect("protocol", definition.name, "the protocol of this pack", found: header.protocolName)
    try Self.expect(
      "packDigest", catalogue.digest,
      "the digest of this pack (the record was made with another: run again, or name with --root or --pack the pack of "
        + "that run)",
      found: header.packDigest)
    try Self.expect("specRevision", definition.revision, "the revision of this pack", found: header.specRevision)
    let extent = RunRecord.Header.Extent(of: definition)
    if let said = header.extent, said != extent {
      throw Self.problem("extent", expected: "the roles, dialects and features of this pack", found: "\(said)")
    }
    let known = Set(catalogue.positions.map(\.id))
    if let stranger = header.withoutPositions.first(where: { !known.contains($0) }) {
      throw Self.problem("withoutPositions", expected: "positions of this pack", found: "'\(stranger)'")
    }
    try take(rerun: header)
    self.header = header
    notes = Set(baseline?.entries.filter { $0.isExpired(on: header.day) }.map(\.expiry) ?? [])
    let planned: RecordPlans.Planned
    do throws(SelectionError) { planned = try plans.plan(of: header, in: catalogue) } catch {
      throw Self.problem("selection", expected: "options that select cases of this pack", found: error.text)
    }
    (requirements, items) = (planned.requirements, planned.items)
    guard planned.withoutCase == header.withoutCase else {
      throw Self.problem(
        "withoutCase",
        expected: "the \(planned.withoutCase.count) requirements of the selection that no case of this pack judges",
        found: "\(header.withoutCase.count), or others")
    }
    if let shard = header.shard { try take(shard, of: header) }
    guard !isBalanced else { return }
    try Self.expect(
      "planned", "\(items.count)", "the planned runs of cases", found: "\(header.planned)")
  }

  /// Checks the size of a shard, and limits the expected runs of cases to it. But if earlier durations decided which
  /// cases the shard contains, only `conform merge` can check the cases.
  private mutating func take(_ shard: RunRecord.Shard, of header: RunRecord.Header) throws(JSONField.Problem) {
    try Self.expect(
      "shard.whole", "\(items.count)", "the planned runs of cases", found: "\(shard.whole)")
    if shard.balance != nil {
      guard (0...shard.whole).contains(header.planned) else {
        throw Self.problem("planned", expected: "at most the \(shard.whole) of all shards", found: "\(header.planned)")
      }
      isBalanced = true
      return
    }
    let parts = Sharding(count: shard.count).parts(of: Array(items.keys))
    items = items.filter { parts[$0.key] == shard.number }
  }

  /// The runs of cases that the record may contain.
  package var instances: [CaseInstance] { items.keys.sorted() }

  private mutating func take(_ run: RunRecord.CaseRun) throws(JSONField.Problem) {
    endings[run.instance] = run.ending.kind
    if terms == nil, let header {
      terms = baseline.map { BaselineTerms($0, on: header.day, for: subjects) } ?? BaselineTerms()
    }
    guard let item = items[run.instance] else {
      throw Self.problem(
        "instance", expected: "a run of a case that this pack has and that the selection holds",
        found: "\(run.instance)")
    }
    try Self.expect("title", item.testCase.title, "that of the case", found: run.title)
    try Self.expect("role", item.testCase.role.rawValue, "that of the case", found: run.role.rawValue)
    try Self.expect("caseDigest", item.testCase.digest, "the digest of the case's text", found: run.caseDigest)
    try Self.expect(
      "verdicts", "\(item.requirements.count)", "as many as the case gives", found: "\(run.verdicts)")
  }

  private mutating func take(_ ruling: RunRecord.Ruling) throws(JSONField.Problem) {
    let id = ruling.verdict.requirement
    guard let requirement = items[ruling.verdict.instance]?.requirements.first(where: { $0.id == id }) else {
      throw Self.problem(
        "requirement", expected: "a requirement that \(ruling.verdict.instance) judges", found: "\(id)")
    }
    guard ruling.rule == RunRecord.Rule(requirement, in: catalogue.definition) else {
      throw Self.problem("rule", expected: "\(id) as this pack has it", found: "another text, level, basis or source")
    }
    try take(lack: ruling.verdict)
    if baseline == nil, ruling.baseline != nil { unconfirmed += 1 }
    guard let terms, baseline != nil else { return }
    let settled = SettledVerdict(
      verdict: ruling.verdict, requirement: requirement, disposition: ruling.disposition, baseline: ruling.baseline)
    if let note = terms.disagreement(with: settled) { notes.insert(note) }
    let reason = terms.entry(expecting: ruling.verdict, after: endings[ruling.verdict.instance])?.explanation
    guard reason == ruling.baseline else {
      throw Self.problem(
        "baseline",
        expected: reason.map { "'\($0)', what the baseline says of it" }
          ?? "nothing, since the baseline does not know it",
        found: ruling.baseline.map { "'\($0)'" } ?? "nothing")
    }
  }

  /// Compares the notes about the baseline in the record with the notes that the baseline and the verdicts require.
  /// Other notes, which are about the machine, cannot be checked.
  private func take(notes found: [String]) throws(JSONField.Problem) {
    guard baseline != nil || header?.baseline == nil else { return }
    let found = Set(found.filter { $0.hasPrefix(Baseline.notePrefix) })
    guard found != notes else { return }
    let (missing, extra) = (notes.subtracting(found).sorted(), found.subtracting(notes).sorted())
    throw Self.problem(
      "notes", expected: missing.first.map { "'\($0)'" } ?? "no note about the baseline that it does not give rise to",
      found: extra.first.map { "'\($0)'" } ?? "nothing of the kind")
  }

  /// Throws for a verdict that reports a capability as missing although a participant declares it.
  private func take(lack verdict: Verdict) throws(JSONField.Problem) {
    let declared = "nothing that lacks a capability which a participant declares"
    if case .notApplicable(let reason) = verdict.outcome, contradicted.reasons.contains(reason) {
      throw Self.problem("reason", expected: declared, found: "'\(reason)'")
    }
    if let finding = verdict.outcome.findings.first(where: contradicted.findings.contains) {
      throw Self.problem("findings", expected: declared, found: "'\(finding)'")
    }
  }

  private static func expect(
    _ field: String, _ value: String, _ reason: String, found: String
  ) throws(JSONField.Problem) {
    guard value == found else {
      throw problem(field, expected: "'\(value)', \(reason)", found: "'\(found)'")
    }
  }

  static func problem(_ field: String, expected: String, found: String) -> JSONField.Problem {
    JSONField.Problem(path: JSONPath([.key(field)]), expected: expected, found: found)
  }
}

extension Selection {
  /// Reads a selection from a record, which contains option names and values in turn, such as `--feature`, `13`.
  package init(words: [String]) throws(SelectionError) {
    self.init()
    var words = words[...]
    while let option = words.popFirst() {
      guard let value = words.popFirst() else { throw SelectionError("\(option) without a value") }
      switch option {
      case "--role": roles.append(Role(value))
      case "--dialect": dialects.append(Dialect(value))
      case "--case": cases.append(value)
      case "--requirement": requirements.append(RequirementID(value))
      case "--profile": profiles.append(value)
      case "--feature":
        guard let number = Int(value) else { throw SelectionError("--feature \(value)") }
        features.append(number)
      default: throw SelectionError("the option '\(option)'")
      }
    }
  }
}
