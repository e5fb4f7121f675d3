import ConformanceBench
import ConformanceJudge
import ConformanceModel

// Implementations with several defects at once.
extension Proof {
  /// A defect that is on alone, beside what the implementation leaves out.
  private struct Alone: Hashable {
    var defect: Defect
    var dialect: Dialect
    var lacks: [String]
  }

  /// Runs every case of one dialect against each drawn implementation. `honest` contains what the implementations violate
  /// without any defect.
  func crosstalk(
    _ honest: [Place: Set<RequirementID>], _ through: (String) -> Void
  ) async throws -> [CrosstalkTrial] {
    let subjects = material.crosstalk.subjects
    let noticed = try await noticedAlone(subjects, honest)
    var trials: [CrosstalkTrial] = []
    try await subjects.forEachResult(atOnce: cores) { subject in
      (subject, try await run(subject, Selection(roles: [subject.role], dialects: [subject.dialect])))
    } _: { subject, run in
      let seen = subject.defects.filter {
        run.hasEffect($0) && noticed.contains(Alone(defect: $0, dialect: subject.dialect, lacks: subject.lacks))
      }
      trials.append(
        CrosstalkTrial(
          subject, noticed: Set(seen.map(\.id)), violated: run.violated,
          honest: honest[Place(role: subject.role, dialect: subject.dialect)] ?? [], in: catalogue))
      through(subject.name)
    }
    return trials.sorted { $0.subject.number < $1.subject.number }
  }

  /// The defects that violate a requirement of their own when each is on alone. What is refused early is legal and hides
  /// nothing, so that it is left out here.
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

  /// What a run came to.
  private struct CrosstalkRun {
    var violated: Set<RequirementID> = []
    var effective: Set<Defect.Bend> = []

    /// Whether the defect has changed anything: behind another one, what a bend is about may never come. What a subject
    /// does by itself cannot be told, and counts.
    func hasEffect(_ defect: Defect) -> Bool { defect.bend.map(effective.contains) ?? true }
  }

  private func run(_ subject: CrosstalkSubject, _ selection: Selection) async throws -> CrosstalkRun {
    guard let substitute = material.crosstalk.make(subject) else { return CrosstalkRun() }
    let violated = try await verdicts(substitute, selection, gate: .strict).violatedRequirements
    return CrosstalkRun(violated: violated, effective: substitute.bender?.effective ?? [])
  }
}

// Whether verdicts depend on more than their own case.
extension Proof {
  /// How many requirements are run alone for each defect, besides those that it breaks: each costs a run.
  private static let filteredRuns = 6

  /// Compares, for each defect, the verdicts of the whole run with those of filtered runs and with those on each transcript.
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
    // Where nothing is in doubt, a filtered run could only differ by chance.
    let doubted = whole.doubtedRequirements
    var random = SeededRandom(seed: seed)
    let others = doubted.subtracting(defect.breaks).sorted().shuffled(using: &random).prefix(Self.filteredRuns)
    for requirement in defect.breaks.filter(doubted.contains) + others {
      let selection = Selection(roles: [substitute.role], dialects: dialects, requirements: [requirement])
      var next = trial
      next.compare(whole, requirement, filtered: try await verdicts(substitute, selection, gate: .strict))
      // The cases are performed again: what differs by chance does not differ twice.
      if next.differences.count > trial.differences.count {
        next = trial
        next.compare(whole, requirement, filtered: try await verdicts(substitute, selection, gate: .strict))
      }
      trial = next
    }
    return trial
  }
}
