import ConformanceJudge
import ConformanceModel
import ConformanceRunner
import ConformanceTranscript
import ConformanceVerdict
import JSONKit

// The part of the proof about implementations with several defects.
extension Proof {
  /// A defect that is on alone, with the capabilities that the implementation lacks.
  private struct Alone: Hashable {
    var defect: Defect
    var dialect: Dialect
    var lacks: [String]
  }

  /// Runs every case of one dialect against each implementation. `honest` contains the requirements that the references
  /// violate without any defect.
  func crosstalk(
    _ honest: [Place: Set<RequirementID>], _ through: (String) -> Void
  ) async throws -> [CrosstalkTrial] {
    let subjects = material.crosstalk.subjects
    let noticed = try await noticedAlone(subjects, honest)
    var trials: [CrosstalkTrial] = []
    try await subjects.forEachResult(atOnce: cores) { subject in
      let run = try await run(subject, Selection(roles: [subject.role], dialects: [subject.dialect]))
      var seen: Set<DefectID> = []
      for defect in subject.defects {
        let alone = Alone(defect: defect, dialect: subject.dialect, lacks: subject.lacks)
        if noticed.contains(alone), try await hasEffect(defect, on: subject, run) { seen.insert(defect.id) }
      }
      return (subject, seen, run.violated)
    } _: { subject, seen, violated in
      trials.append(
        CrosstalkTrial(
          subject, noticed: seen, violated: violated,
          honest: honest[Place(role: subject.role, dialect: subject.dialect)] ?? [], in: catalogue))
      through(subject.name)
    }
    return trials.sorted { $0.subject.number < $1.subject.number }
  }

  /// The defects that violate a requirement in their `breaks` when each is on alone. Rejections of early callbacks are
  /// left out, because they are legal and do not hide a violation.
  private func noticedAlone(
    _ subjects: [CrosstalkSubject], _ honest: [Place: Set<RequirementID>]
  ) async throws -> Set<Alone> {
    let all = subjects.reduce(into: Set<Alone>()) { all, subject in
      for defect in subject.defects {
        all.insert(Alone(defect: defect, dialect: subject.dialect, lacks: subject.lacks))
      }
    }
    var noticed: Set<Alone> = []
    try await Array(all).forEachResult(atOnce: cores * 2) { one in
      let role = one.defect.side
      let subject = CrosstalkSubject(
        number: 0, role: role, dialect: one.dialect, defects: [one.defect], lacks: one.lacks)
      let selection = Selection(roles: [role], dialects: [one.dialect], requirements: one.defect.breaks)
      let known = honest[Place(role: role, dialect: one.dialect)] ?? []
      let own = try await run(subject, selection).violated.subtracting(known)
      return own.isDisjoint(with: one.defect.breaks) ? nil : one
    } _: { one in
      if let one { noticed.insert(one) }
    }
    return noticed
  }

  /// The result of a run.
  private struct CrosstalkRun {
    var results: [CaseResult] = []
    var effective: Set<Defect.Bend> = []

    var violated: Set<RequirementID> { results.violatedRequirements }

    /// The requirements that no case could judge. For each of them, at least one case could not judge it because no
    /// server could read a request.
    var unreadable: Set<RequirementID> {
      var judged: Set<RequirementID> = []
      var unreadable: Set<RequirementID> = []
      for verdict in results.flatMap(\.settled).map(\.verdict) {
        switch verdict.outcome {
        case .conforms, .violates: judged.insert(verdict.requirement)
        case .unjudged(let reason) where reason.hasPrefix(Verdict.Outcome.unreadable):
          unreadable.insert(verdict.requirement)
        case .unjudged, .notApplicable: break
        }
      }
      return unreadable.subtracting(judged)
    }

    /// The values in the events of each case, by their places.
    var values: [CaseInstance: [String: String]] {
      Dictionary(results.map { ($0.instance, $0.transcript.comparableValues) }) { first, _ in first }
    }
  }

  /// Whether a defect has an effect together with the others. Another defect may prevent the message that a mutation
  /// changes, or the situation in which the subject behaves wrongly. If no server can read a request of the subject, no
  /// suite can see another defect.
  private func hasEffect(_ defect: Defect, on subject: CrosstalkSubject, _ run: CrosstalkRun) async throws -> Bool {
    if run.unreadable.isSuperset(of: defect.breaks) { return false }
    if let bend = defect.bend { return run.effective.contains(bend) }
    if !run.violated.isDisjoint(with: defect.breaks) { return true }
    var others = subject
    others.defects.removeAll { $0.id == defect.id }
    let selection = Selection(roles: [subject.role], dialects: [subject.dialect], requirements: defect.breaks)
    let whole = try await self.run(subject, selection).values
    let again = try await self.run(subject, selection).values
    let without = try await self.run(others, selection).values
    return whole.contains { instance, values in
      values.differs(from: without[instance] ?? [:], besides: again[instance] ?? [:])
    }
  }

  private func run(_ subject: CrosstalkSubject, _ selection: Selection) async throws -> CrosstalkRun {
    guard let substitute = material.crosstalk.make(subject) else { return CrosstalkRun() }
    let results = try await verdicts(substitute, selection, gate: .strict)
    return CrosstalkRun(results: results, effective: substitute.bender?.effective ?? [])
  }
}

extension [String: String] {
  /// Whether the values differ from other values at a place at which they do not differ from `again`, the values of
  /// another run of the same implementation.
  fileprivate func differs(from other: Self, besides again: Self) -> Bool {
    Set(keys).union(other.keys).contains { self[$0] == again[$0] && self[$0] != other[$0] }
  }
}

extension Transcript {
  /// The values in the events, by their places. With a real clock, the times of the events are left out.
  fileprivate var comparableValues: [String: String] {
    let particulars = Particulars(self)
    var values: [String: String] = [:]
    for (index, entry) in entries.enumerated() {
      entry.representation.visitLeaves(at: "\(index)") { place, value in
        if header.clock != .virtual, place == "\(index).at" { return }
        values[place] = particulars.normal(value.compactText)
      }
    }
    return values
  }
}

extension JSON {
  /// Calls the closure with each value that is neither an object nor an array, and with the place of the value.
  fileprivate func visitLeaves(at place: String, _ visit: (String, JSON) -> Void) {
    switch self {
    case .object(let object):
      for member in object.members { member.value.visitLeaves(at: "\(place).\(member.key)", visit) }
    case .array(let elements):
      for (index, element) in elements.enumerated() { element.visitLeaves(at: "\(place).\(index)", visit) }
    default: visit(place, self)
    }
  }
}

// The part of the proof that shows that verdicts do not depend on other cases.
extension Proof {
  /// The number of requirements for which a filtered run is made for each defect, in addition to the requirements that
  /// the defect violates. The number is small, since each filtered run takes time.
  private static let filteredRuns = 6

  /// Compares, for each defect, the verdicts of the whole run with the verdicts of filtered runs and with the verdicts
  /// on each transcript alone.
  func equality(_ through: (String) -> Void) async throws -> [EqualityTrial] {
    guard let judge = material.equality.judge else { return [] }
    var trials: [EqualityTrial] = []
    try await material.equality.defects.forEachResult(atOnce: cores) { defect, substitute in
      try await equality(defect, substitute, judge)
    } _: { trial in
      trials.append(trial)
      through(trial.defect.rawValue)
    }
    return trials.sorted { $0.defect < $1.defect }
  }

  private func equality(_ defect: Defect, _ substitute: Substitute, _ judge: Judge) async throws -> EqualityTrial {
    var trial = EqualityTrial(defect: defect.id)
    let dialects = dialects(of: defect)
    let whole = try await verdicts(substitute, Selection(roles: [substitute.role], dialects: dialects), gate: .strict)
    try trial.compare(whole) { try judge.verdicts(for: $0) }
    // For other requirements, which have neither a violation nor an unjudged verdict, a filtered run could differ only
    // by chance.
    let doubted = whole.doubtedRequirements
    var random = SeededRandom(seed: seed)
    let others = doubted.subtracting(defect.breaks).sorted().shuffled(using: &random).prefix(Self.filteredRuns)
    for requirement in defect.breaks.filter(doubted.contains) + others {
      let selection = Selection(roles: [substitute.role], dialects: dialects, requirements: [requirement])
      var next = trial
      next.compare(whole, requirement, filtered: try await verdicts(substitute, selection, gate: .strict))
      // The cases run again, because a random difference is unlikely to occur twice.
      if next.differences.count > trial.differences.count {
        next = trial
        next.compare(whole, requirement, filtered: try await verdicts(substitute, selection, gate: .strict))
      }
      trial = next
    }
    return trial
  }
}
