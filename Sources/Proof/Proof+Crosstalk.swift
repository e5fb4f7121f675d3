import ConformanceModel
import ConformanceRunner
import ConformanceVerdict

// The part of the proof about implementations with several defects.
extension Proof {
  /// A run with this defect as the only one, in a dialect, with the capabilities that the implementation lacks.
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

  /// Returns the defects that violate a requirement in their `breaks` when no other defect is on. These runs accept
  /// early callbacks, because a rejection of early callbacks is legal and does not hide a violation.
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
  }

  /// Whether a defect has an effect while the other defects of the subject are on. For example, because of another
  /// defect, the SDK may never send the message that a mutation changes. If no server can read a request of the
  /// subject, no suite can see further defects in it.
  private func hasEffect(_ defect: Defect, on subject: CrosstalkSubject, _ run: CrosstalkRun) async throws -> Bool {
    if run.unreadable.isSuperset(of: defect.breaks) { return false }
    if let bend = defect.bend { return run.effective.contains(bend) }
    if !run.violated.isDisjoint(with: defect.breaks) { return true }
    return try await changesValues(defect, of: subject)
  }

  /// Whether the events of the defect's cases have other values with the defect than without it. Values that differ
  /// between runs of the same implementation do not count. The cases run one after another, because a server may number
  /// its answers over all cases. Requests that a case sends together arrive in any order. Their order can be the same
  /// in a few runs by chance, so a difference must be seen in each of several rounds.
  func changesValues(_ defect: Defect, of subject: CrosstalkSubject) async throws -> Bool {
    var others = subject
    others.defects.removeAll { $0.id == defect.id }
    let selection = Selection(roles: [subject.role], dialects: [subject.dialect], requirements: defect.breaks)
    var (with, without) = (SteadyValues(), SteadyValues())
    for _ in 0..<Self.comparisons {
      with.add(try await run(subject, selection, jobs: 1).results)
      without.add(try await run(others, selection, jobs: 1).results)
      if !with.differ(from: without) { return false }
    }
    return true
  }

  /// The number of rounds of ``changesValues(_:of:)``. Each round has a run with the defect and a run without it.
  private static let comparisons = 4

  private func run(
    _ subject: CrosstalkSubject, _ selection: Selection, jobs: Int? = nil
  ) async throws -> CrosstalkRun {
    guard let substitute = material.crosstalk.make(subject) else { return CrosstalkRun() }
    let results = try await verdicts(substitute, selection, gate: .strict, jobs: jobs)
    return CrosstalkRun(results: results, effective: substitute.bender?.effective ?? [])
  }
}
