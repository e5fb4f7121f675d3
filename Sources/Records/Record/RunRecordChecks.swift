import ConformanceModel
import ConformanceVerdict
import JSONKit

/// Checks that no line of a record contradicts the lines before it. A record that a run has written has no
/// contradictions.
///
/// It is a state machine without I/O. Its errors contain no line numbers; the reader of the record adds them.
struct RunRecordChecks {
  /// The line about a run of a case, and the requirements that have a verdict in this run so far.
  private struct Run {
    var line: RunRecord.CaseRun
    var judged: Set<RequirementID> = []
  }

  private let header: RunRecord.Header
  private var account: RunAccount
  private var runs: [CaseInstance: Run] = [:]
  private var rules: [RequirementID: RunRecord.Rule] = [:]
  /// The roles of the participants that the lines so far name.
  private var participants: Set<Role> = []
  private var ended = false

  init(_ header: RunRecord.Header) {
    self.header = header
    account = RunAccount(header)
  }

  /// Validates the next line after the header. Throws at the first contradiction.
  mutating func take(_ line: RunRecord.Line) throws(JSONField.Problem) {
    guard !ended else { throw problem(expected: "nothing behind the 'end' line", found: "another line") }
    switch line {
    case .run: throw problem(expected: "one 'run' line, the first", found: "another")
    case .subject(let participant): participants.insert(participant.role)
    case .doubt(let doubt): try take(doubt)
    case .testCase(let run): try take(run)
    case .verdict(let ruling): try take(ruling)
    case .end(let end): try take(end)
    }
  }

  private mutating func take(_ doubt: RunRecord.Doubt) throws(JSONField.Problem) {
    guard runs[doubt.instance] == nil else {
      throw problem("instance", expected: "a run of a case that has no result yet", found: "\(doubt.instance)")
    }
    account.add(doubt)
  }

  private mutating func take(_ run: RunRecord.CaseRun) throws(JSONField.Problem) {
    guard runs[run.instance] == nil else {
      throw problem("instance", expected: "a run of a case that has no line yet", found: "\(run.instance) again")
    }
    guard account.cases < header.planned else {
      throw problem(
        "instance", expected: "no more than the \(header.planned) cases that 'planned' of the first line says",
        found: "one more: \(run.instance)")
    }
    guard !participants.isEmpty else {
      throw problem(expected: "a 'subject' line before the first case: whom the verdicts are about", found: "none")
    }
    // An SDK and a server together also run cases of the SDK alone.
    let isOfPair = participants.count > 1 && participants.isDisjoint(with: header.roles)
    if !isOfPair || !participants.contains(run.role) {
      try expect("role", run.role.rawValue, oneOf: header.roles.map(\.rawValue), "'roles'")
    }
    if !header.dialects.isEmpty {
      try expect(
        "instance.dialect", run.instance.dialect.rawValue, oneOf: header.dialects.map(\.rawValue), "'dialects'")
    }
    guard run.ownDuration <= run.duration else {
      throw problem(
        "ownDuration", expected: "at most the 'duration', \(run.duration)", found: "\(run.ownDuration)")
    }
    runs[run.instance] = Run(line: run)
    account.addCase(run.instance)
  }

  private mutating func take(_ ruling: RunRecord.Ruling) throws(JSONField.Problem) {
    let (verdict, rule) = (ruling.verdict, ruling.rule)
    guard let run = runs[verdict.instance]?.line else {
      throw problem("instance", expected: "a run of a case that has a line before it", found: "\(verdict.instance)")
    }
    // Verdicts are counted only up to the first invalid verdict.
    let (isNew, count) = note(verdict)
    guard isNew else {
      throw problem(
        "requirement", expected: "one verdict on a requirement in a run of a case",
        found: "\(verdict.requirement) again")
    }
    guard count <= run.verdicts else {
      throw problem(
        "requirement", expected: "no more than the \(run.verdicts) verdicts that the line of \(run.instance) says",
        found: "one more: \(verdict.requirement)")
    }
    try expect("clock", run.clock.rawValue, "that of the case", found: verdict.clock.rawValue)
    // A case of an SDK and a server together is about requirements of both.
    if participants.contains(run.role) || !participants.contains(rule.role) {
      try expect("rule.role", run.role.rawValue, "that of the case", found: rule.role.rawValue)
    }
    try expect("rule.area", verdict.requirement.area, "that of the requirement", found: rule.area)
    if let other = rules[verdict.requirement], other != rule {
      throw problem("rule", expected: "\(verdict.requirement) as an earlier line has it", found: "another")
    }
    if case .violates(let findings) = verdict.outcome, findings.isEmpty {
      throw problem("findings", expected: "at least one finding of what is violated", found: "none")
    }
    try take(baseline: ruling)
    try expect(
      "rerun", header.rerun(verdict.instance, verdict.requirement), "what 'rerun' of the first line makes",
      found: ruling.rerun)
    if rules[verdict.requirement] == nil { rules[verdict.requirement] = rule }
    account.add(ruling)
  }

  /// Records a verdict. Returns whether it is the first verdict on its requirement in its run of a case, and the number
  /// of requirements that have a verdict in this run so far.
  private mutating func note(_ verdict: Verdict) -> (isNew: Bool, count: Int) {
    guard let place = runs.index(forKey: verdict.instance) else { return (false, 0) }
    let isNew = runs.values[place].judged.insert(verdict.requirement).inserted
    return (isNew, runs.values[place].judged.count)
  }

  private func take(baseline ruling: RunRecord.Ruling) throws(JSONField.Problem) {
    let (verdict, rule) = (ruling.verdict, ruling.rule)
    if ruling.baseline != nil, header.baseline == nil {
      throw problem("baseline", expected: "nothing, since the run had no baseline", found: "a reason")
    }
    let disposition = Disposition(
      outcome: verdict.outcome, level: rule.level, basis: rule.basis, gate: header.gate,
      isInBaseline: ruling.baseline != nil)
    let baseline = ruling.baseline == nil ? "not in the baseline" : "in the baseline"
    try expect(
      "disposition", disposition.rawValue,
      "the disposition for \(verdict.outcome.word), \(rule.level.rawValue), \(rule.basis.rawValue), gate \(header.gate.rawValue) and "
        + "\(baseline)", found: ruling.disposition.rawValue)
  }

  private mutating func take(_ end: RunRecord.End) throws(JSONField.Problem) {
    let others = runs.filter { $0.value.judged.count != $0.value.line.verdicts }
    if let (instance, run) = others.min(by: { $0.key < $1.key }) {
      throw problem(
        "counts", expected: "the \(run.line.verdicts) verdicts of \(instance) before it, as the line of the case says",
        found: "\(run.judged.count)")
    }
    for disposition in Disposition.allCases where end.tally[disposition] != account.tally[disposition] {
      throw problem(
        "counts.\(disposition.rawValue)", expected: "\(account.tally[disposition]), as many as there are lines of it",
        found: "\(end.tally[disposition])")
    }
    account.incidents = end.incidents
    let conclusion = account.conclusion(end.wasInterrupted ? .interruption : .end)
    try expect(
      "conclusion", conclusion.word.rawValue, "the conclusion from the lines", found: end.conclusion.word.rawValue)
    guard conclusion.reasons == end.conclusion.reasons else {
      throw problem(
        "reasons", expected: "the reasons from the lines: \(JSON.strings(conclusion.reasons).excerpt)",
        found: JSON.strings(end.conclusion.reasons).excerpt)
    }
    let unbound = account.unboundFeatures
    guard end.notes.starts(with: unbound) else {
      throw problem(
        "notes", expected: "the notes from the lines first: \(JSON.strings(unbound).excerpt)",
        found: JSON.strings(end.notes).excerpt)
    }
    ended = true
  }

  private func expect(
    _ field: String, _ value: String, _ reason: String, found: String
  ) throws(JSONField.Problem) {
    guard value == found else {
      throw problem(field, expected: "'\(value)', \(reason)", found: "'\(found)'")
    }
  }

  private func expect(
    _ field: String, _ found: String, oneOf known: [String], _ member: String
  ) throws(JSONField.Problem) {
    guard known.contains(found) else {
      throw problem(
        field, expected: "one of \(member) of the first line: \(known.joined(separator: ", "))", found: "'\(found)'")
    }
  }

  private func problem(_ field: String? = nil, expected: String, found: String) -> JSONField.Problem {
    let steps = field?.split(separator: ".").map { JSONPath.Step.key(String($0)) } ?? []
    return JSONField.Problem(path: JSONPath(steps), expected: expected, found: found)
  }
}
