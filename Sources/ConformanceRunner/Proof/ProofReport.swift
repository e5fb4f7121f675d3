import ConformanceModel

/// What a proof came to: kill rate, vacuity and false alarms, each with its denominator.
package struct ProofReport: Sendable {
  /// A verdict that should have been another.
  package struct Complaint: Hashable, Sendable, CustomStringConvertible {
    package var subject: String
    package var verdict: Verdict

    package init(subject: String, verdict: Verdict) {
      self.subject = subject
      self.verdict = verdict
    }

    package var description: String {
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
  package struct Trial: Hashable, Sendable {
    /// Whether the kit saw it.
    package enum Outcome: Hashable, Sendable {
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

    package var defect: Defect
    package var outcome: Outcome

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
  package struct Idle: Hashable, Sendable {
    package var name: String
    package var passed: [Complaint]
  }

  /// A legal variant and what it fails.
  package struct Variation: Hashable, Sendable {
    package var name: String
    package var failed: [Complaint]
  }

  /// What became of one kind of bent transcript.
  package struct MutantTrial: Hashable, Sendable {
    package var kind: MutantKind
    /// How many mutants of the kind the transcripts hold.
    package var count: Int
    /// Where one of them is.
    package var example: CaseInstance
    /// The verdict that noticed; nil when none did.
    package var killer: Verdict?
    /// Why none has to, for one that survived.
    package var explanation: EquivalentMutant?
  }

  /// What the references themselves fail; nothing else counts until this is empty.
  package var baseline: [Complaint] = []
  package var trials: [Trial] = []
  /// What could not be judged of correct subjects: no alarm, and no proof either.
  package var unjudged: [Complaint] = []
  package var vacuity: [Idle] = []
  package var falseAlarms: [Variation] = []
  package var mutants: [MutantTrial] = []
  private let catalogue: Catalogue

  init(catalogue: Catalogue) { self.catalogue = catalogue }

  /// A number of hits out of all.
  package struct Rate: Hashable, Sendable, CustomStringConvertible {
    package var hits: Int
    package var all: Int

    package init(hits: Int, all: Int) {
      self.hits = hits
      self.all = all
    }

    /// `41/42 = 97.6 %`.
    package var description: String {
      guard all > 0 else { return "0/0" }
      let tenths = hits * 1000 / all
      return "\(hits)/\(all) = \(tenths / 10).\(tenths % 10) %"
    }
  }

  private var counted: [Trial] { trials.filter { $0.defect.mustSurvive == nil } }

  /// Defects that the claim which names them noticed, of all that something could notice.
  package var namedKillRate: Rate { rate(counted) }

  /// The same, of the defects that break a required rule.
  package var requiredKillRate: Rate {
    rate(counted.filter { catalogue.requirement($0.defect.requirement)?.level.isRequired ?? false })
  }

  /// Required rules that were seen to fail, of those that a case can judge.
  package var requirementCoverage: Rate {
    let testable = catalogue.requirements.filter {
      $0.level.isRequired && $0.untestable == nil && $0.withdrawn == nil
    }
    let seen = Set(counted.filter { $0.outcome == .killed }.map(\.defect.requirement))
    return Rate(hits: testable.filter { seen.contains($0.id) }.count, all: testable.count)
  }

  /// Required rules that an idle subject passes.
  package var vacuousPasses: Int { vacuity.reduce(0) { $0 + $1.passed.count } }

  /// Kinds of mutants that a claim noticed, of all.
  package var mutantKillRate: Rate { Rate(hits: mutants.filter { $0.killer != nil }.count, all: mutants.count) }

  /// Kinds that survived and for which the catalogue gives no reason.
  package var unexplainedMutants: [MutantTrial] { mutants.filter { $0.killer == nil && $0.explanation == nil } }

  /// Reasons for survivors that there are none of.
  package var staleExplanations: [EquivalentMutant] {
    guard !mutants.isEmpty else { return [] }
    let used = Set(mutants.compactMap(\.explanation))
    return catalogue.equivalentMutants.filter { !used.contains($0) }
  }

  /// What legal variants fail.
  package var falseAlarmCount: Int { falseAlarms.reduce(0) { $0 + $1.failed.count } }

  /// Whether the kit may be trusted: something was tried, every required defect killed, 95 % of all, nothing
  /// vacuous, no false alarm, no mutant survived without a reason.
  package var holds: Bool {
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
