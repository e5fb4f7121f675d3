import ConformanceModel

/// What a proof came to: kill rate, vacuity and false alarms, each with its denominator.
public struct ProofReport: Sendable {
  /// A verdict that should have been another.
  public struct Complaint: Hashable, Sendable, CustomStringConvertible {
    public var subject: String
    public var verdict: Verdict

    public init(subject: String, verdict: Verdict) {
      self.subject = subject
      self.verdict = verdict
    }

    public var description: String {
      let reason: String
      switch verdict.outcome {
      case .conforms: reason = "conforms"
      case .violates(let findings): reason = findings.first.map { "\($0)" } ?? "violates"
      case .unjudged(let text): reason = "unjudged: \(text)"
      case .notApplicable(let text): reason = "not applicable: \(text)"
      }
      return "\(subject): \(verdict.requirement) \(verdict.instance): \(reason)"
    }
  }

  /// What became of one defect.
  public struct Trial: Hashable, Sendable {
    /// Whether the kit saw it.
    public enum Outcome: Hashable, Sendable {
      /// The claim that names it turned red.
      case killed
      /// Only other claims turned red.
      case killedElsewhere([RequirementID])
      case survived
      /// The reference died of it, which shows nothing about the claims.
      case crashed(String)
      /// The case could not be judged.
      case inconclusive(String)
    }

    public var defect: Defect
    public var outcome: Outcome

    init(defect: Defect, results: [CaseResult]) {
      self.defect = defect
      let verdicts = results.flatMap { $0.settled.map(\.verdict) }
      let red = verdicts.filter(\.isViolated)
      let deaths = results.compactMap(\.transcript.ending).filter { $0.kind == .adapterDied || $0.kind == .adapterHung }
      if red.contains(where: { $0.requirement == defect.requirement }) {
        outcome = .killed
      } else if !red.isEmpty {
        outcome = .killedElsewhere(Set(red.map(\.requirement)).sorted())
      } else if let death = deaths.first {
        outcome = .crashed(death.text)
      } else if let reason = verdicts.lazy.compactMap(\.unjudgedReason).first {
        outcome = .inconclusive(reason)
      } else {
        outcome = .survived
      }
    }
  }

  /// An idle subject and the required rules it passes.
  public struct Idle: Hashable, Sendable {
    public var name: String
    public var passed: [Complaint]
  }

  /// A legal variant and what it fails.
  public struct Variation: Hashable, Sendable {
    public var name: String
    public var failed: [Complaint]
  }

  /// What became of one kind of bent transcript.
  public struct MutantTrial: Hashable, Sendable {
    public var kind: MutantKind
    /// How many mutants of the kind the transcripts hold.
    public var count: Int
    /// Where one of them is.
    public var example: CaseInstance
    /// The verdict that noticed; nil when none did.
    public var killer: Verdict?
    /// Why none has to, for one that survived.
    public var explanation: EquivalentMutant?
  }

  /// What the references themselves fail; nothing else counts until this is empty.
  public var baseline: [Complaint] = []
  public var trials: [Trial] = []
  /// What could not be judged of correct subjects: no alarm, and no proof either.
  public var unjudged: [Complaint] = []
  public var vacuity: [Idle] = []
  public var falseAlarms: [Variation] = []
  public var mutants: [MutantTrial] = []
  private let catalogue: Catalogue

  init(catalogue: Catalogue) { self.catalogue = catalogue }

  /// A number of hits out of all.
  public struct Rate: Hashable, Sendable, CustomStringConvertible {
    public var hits: Int
    public var all: Int

    public init(hits: Int, all: Int) {
      self.hits = hits
      self.all = all
    }

    /// `41/42 = 97.6 %`.
    public var description: String {
      guard all > 0 else { return "0/0" }
      let tenths = hits * 1000 / all
      return "\(hits)/\(all) = \(tenths / 10).\(tenths % 10) %"
    }
  }

  private var counted: [Trial] { trials.filter { $0.defect.mustSurvive == nil } }

  /// Defects that the claim which names them noticed, of all that something could notice.
  public var namedKillRate: Rate { rate(counted) }

  /// The same, of the defects that break a required rule.
  public var requiredKillRate: Rate {
    rate(counted.filter { catalogue.requirement($0.defect.requirement)?.level.isRequired ?? false })
  }

  /// Required rules that were seen to fail, of those that a case can judge.
  public var requirementCoverage: Rate {
    let testable = catalogue.requirements.filter {
      $0.level.isRequired && $0.untestable == nil && $0.withdrawn == nil
    }
    let seen = Set(counted.filter { $0.outcome == .killed }.map(\.defect.requirement))
    return Rate(hits: testable.filter { seen.contains($0.id) }.count, all: testable.count)
  }

  /// Required rules that an idle subject passes.
  public var vacuousPasses: Int { vacuity.reduce(0) { $0 + $1.passed.count } }

  /// Kinds of mutants that a claim noticed, of all.
  public var mutantKillRate: Rate { Rate(hits: mutants.filter { $0.killer != nil }.count, all: mutants.count) }

  /// Kinds that survived and for which the catalogue gives no reason.
  public var unexplainedMutants: [MutantTrial] { mutants.filter { $0.killer == nil && $0.explanation == nil } }

  /// Reasons for survivors that there are none of.
  public var staleExplanations: [EquivalentMutant] {
    guard !mutants.isEmpty else { return [] }
    let used = Set(mutants.compactMap(\.explanation))
    return catalogue.equivalentMutants.filter { !used.contains($0) }
  }

  /// What legal variants fail.
  public var falseAlarmCount: Int { falseAlarms.reduce(0) { $0 + $1.failed.count } }

  /// Whether the kit may be trusted: something was tried, every required defect killed, 95 % of all, nothing
  /// vacuous, no false alarm, no mutant survived without a reason.
  public var holds: Bool {
    let wronglyKilled = trials.contains { $0.defect.mustSurvive != nil && $0.outcome != .survived }
    let wasTried = !(trials.isEmpty && vacuity.isEmpty && falseAlarms.isEmpty && mutants.isEmpty)
    return wasTried && baseline.isEmpty && requiredKillRate.hits == requiredKillRate.all
      && namedKillRate.hits * 100 >= namedKillRate.all * 95 && vacuousPasses == 0 && falseAlarmCount == 0
      && !wronglyKilled && unexplainedMutants.isEmpty && staleExplanations.isEmpty
  }

  private func rate(_ trials: [Trial]) -> Rate {
    Rate(hits: trials.filter { $0.outcome == .killed }.count, all: trials.count)
  }
}

extension Verdict {
  fileprivate var isViolated: Bool { if case .violates = outcome { true } else { false } }
  fileprivate var unjudgedReason: String? { if case .unjudged(let reason) = outcome { reason } else { nil } }
}
