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
      /// The bend of an honest subject changed nothing: it says nothing about the claims.
      case unbent
    }

    package var defect: Defect
    package var outcome: Outcome
    /// What every case said of it; nil when only the case that must notice it ran.
    package var blame: Blame?

    /// `accountable`, given when the results are those of every case, are the rules that the defect answers for; `advised`
    /// are those that the subject does not keep without the defect either.
    init(
      defect: Defect, results: [CaseResult], accountable: Set<RequirementID>? = nil, advised: Set<RequirementID> = [],
      isUnbent: Bool = false, cards: Proof.Cards = { _ in [] }
    ) {
      self.defect = defect
      blame = accountable.map { accountable in
        let settled = results.flatMap(\.settled).filter {
          !advised.contains($0.requirement.id) && $0.requirement.level != .observe
        }
        return Blame(settled, accountable, cards: cards(settled))
      }
      let naming = results.filter { result in
        defect.caseName.map { result.transcript.header.instance.name == $0 } ?? true
      }
      let verdicts = naming.flatMap { $0.settled.map(\.verdict) }
      let red = verdicts.filter(\.isViolated)
      let deaths = naming.compactMap(\.transcript.ending).filter { $0.kind == .adapterDied || $0.kind == .adapterHung }
      if isUnbent {
        outcome = .unbent
      } else if red.contains(where: { defect.breaks.contains($0.requirement) }) {
        outcome = .killed
      } else if !red.isEmpty {
        outcome = .killedElsewhere(Set(red.map(\.requirement)).sorted())
      } else if let death = deaths.first {
        outcome = .crashed(death.text)
      } else if let reason = verdicts.lazy.compactMap(\.unjudgedReason).first {
        // Unjudged because another rule that it breaks lies below, which is red in a case of its own, it is noticed.
        let isRedBelow = blame.map { $0.right.contains(where: defect.breaks.contains) } ?? false
        outcome = isRedBelow ? .killed : .inconclusive(reason)
      } else {
        outcome = .survived
      }
    }
  }

  /// The rules that a single defect turned red or silenced, in a run of every case.
  package struct Blame: Hashable, Sendable {
    /// Rules that the defect breaks, or that follow, and that are red.
    package var right: [RequirementID]
    /// Rules that the subject keeps and that are red all the same.
    package var wrong: [RequirementID]
    /// Other rules about which nothing could be said.
    package var silenced: [RequirementID]
    /// All rules but those that the defect breaks.
    package var others: Int
    /// The rules that lead the cards of its report.
    package var cards: [RequirementID]

    init(_ settled: [SettledVerdict], _ accountable: Set<RequirementID>, cards: [RequirementID] = []) {
      self.cards = cards
      var red: Set<RequirementID> = []
      var judged: Set<RequirementID> = []
      var open: Set<RequirementID> = []
      for one in settled {
        switch one.verdict.outcome {
        case .violates: red.insert(one.requirement.id)
        case .conforms: judged.insert(one.requirement.id)
        case .unjudged: open.insert(one.requirement.id)
        case .notApplicable: break
        }
      }
      right = red.intersection(accountable).sorted()
      wrong = red.subtracting(accountable).sorted()
      silenced = open.subtracting(red).subtracting(judged).subtracting(accountable).sorted()
      others = red.union(judged).union(open).subtracting(accountable).count
    }

    /// How many of a hundred other rules nothing could be said about.
    package var silence: Double { others == 0 ? 0 : Double(silenced.count) * 100 / Double(others) }
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
  /// Why nothing has to notice some mutants, of those reasons that a subject has to give cause for.
  package var reasons: [EquivalentMutant] = []
  /// What whole runs report about implementations with several defects at once, by their numbers.
  package var crosstalk: [CrosstalkTrial] = []
  /// The pairs of defects that are never on together, each with the reason.
  package var apart: [(DefectID, DefectID, String)] = []
  /// Whether verdicts are the same everywhere, for each defect that was tried.
  package var equality: [EqualityTrial] = []
  /// Whether no defect was tried, since the subject that was to be bent is not honest.
  package var isStopped = false
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

  /// The defects whose bends changed nothing.
  package var unbent: [Defect] { trials.filter { $0.outcome == .unbent }.map(\.defect) }

  /// Whether nothing can be proven with what was given: it has to be corrected before the figures mean anything.
  package var isBadInput: Bool { isStopped || !unbent.isEmpty }

  private var counted: [Trial] { trials.filter { $0.defect.mustSurvive == nil } }

  /// Defects that the claim which names them noticed, of all that something could notice.
  package var namedKillRate: Rate { rate(counted) }

  /// The same, of the defects that break a required rule.
  package var requiredKillRate: Rate {
    rate(counted.filter { $0.defect.breaks.contains { catalogue.requirement($0)?.level.isRequired ?? false } })
  }

  /// Required rules that were seen to fail, of those that a case can judge.
  package var requirementCoverage: Rate {
    let testable = catalogue.requirements.filter {
      $0.level.isRequired && $0.untestable == nil && $0.withdrawn == nil
    }
    let seen = Set(counted.filter { $0.outcome == .killed }.flatMap(\.seen))
    return Rate(hits: testable.filter { seen.contains($0.id) }.count, all: testable.count)
  }

  /// What every case said of the defects that met every case.
  private var blamed: [(defect: Defect, blame: Blame)] {
    counted.compactMap { trial in trial.blame.map { (trial.defect, $0) } }
  }

  /// Of the rules that single defects turned red, those that they break.
  package var blameRate: Rate? {
    guard !blamed.isEmpty else { return nil }
    let right = blamed.reduce(0) { $0 + $1.blame.right.count }
    return Rate(hits: right, all: blamed.reduce(right) { $0 + $1.blame.wrong.count })
  }

  /// The reports of single defects whose first card is about a rule that the defect breaks, of those that have cards.
  package var firstCardRate: Rate? {
    let reported = blamed.filter { !$0.blame.cards.isEmpty }
    guard !reported.isEmpty else { return nil }
    let hits = reported.count { defect, blame in blame.cards.first.map(defect.breaks.contains) ?? false }
    return Rate(hits: hits, all: reported.count)
  }

  /// How many cards such a report has besides the first, in the mean.
  package var furtherCards: Double {
    let counts = blamed.map(\.blame.cards.count).filter { $0 > 0 }
    return counts.isEmpty ? 0 : Double(counts.reduce(0, +) - counts.count) / Double(counts.count)
  }

  /// The defects whose report begins with another rule.
  package var misled: [(defect: Defect, first: RequirementID)] {
    blamed.compactMap { defect, blame in
      blame.cards.first.flatMap { defect.breaks.contains($0) ? nil : (defect, $0) }
    }
  }

  /// How many of a hundred other rules a single defect silences: in the median and at worst; nil without such trials.
  package var silence: (median: Double, worst: Double)? {
    let shares = blamed.map(\.blame.silence).sorted()
    guard let worst = shares.last else { return nil }
    return (shares[shares.count / 2], worst)
  }

  /// The defects that were blamed for most that they do not do, the worst first, at most so many.
  package func worstBlamed(_ count: Int) -> [(defect: Defect, blame: Blame)] {
    func harm(_ blame: Blame) -> Int { blame.wrong.count + blame.silenced.count }
    return Array(
      blamed.filter { harm($0.blame) > 0 }.sorted {
        (harm($1.blame), $0.defect.id) < (harm($0.blame), $1.defect.id)
      }.prefix(count))
  }

  /// Passes of required rules by subjects that do nothing for them, where the catalogue does not say that they keep them.
  package var vacuousPasses: [Complaint] {
    vacuity.flatMap { idle in idle.passed.filter { !keeps(idle.name, $0.verdict.requirement) } }
  }

  /// How many passes of idle subjects are of rules that they do keep.
  package var earnedIdlePasses: Int { vacuity.reduce(0) { $0 + $1.passed.count } - vacuousPasses.count }

  /// What the catalogue says idle subjects keep, and they do not.
  package var staleIdlePasses: [IdlePass] {
    catalogue.idlePasses.filter { entry in
      vacuity.contains { idle in
        idle.name == entry.subject && Set(idle.passed.map(\.verdict.requirement)).isDisjoint(with: entry.keeps)
      }
    }
  }

  private func keeps(_ subject: String, _ rule: RequirementID) -> Bool {
    catalogue.idlePasses.contains { $0.subject == subject && $0.keeps.contains(rule) }
  }

  /// Kinds of mutants that a claim noticed, of all.
  package var mutantKillRate: Rate { Rate(hits: mutants.filter { $0.killer != nil }.count, all: mutants.count) }

  /// Kinds that survived and for which the catalogue gives no reason.
  package var unexplainedMutants: [MutantTrial] { mutants.filter { $0.killer == nil && $0.explanation == nil } }

  /// Reasons for survivors that there are none of.
  package var staleExplanations: [EquivalentMutant] {
    guard !mutants.isEmpty else { return [] }
    let used = Set(mutants.compactMap(\.explanation))
    return reasons.filter { !used.contains($0) }
  }

  /// What legal variants fail.
  package var falseAlarmCount: Int { falseAlarms.reduce(0) { $0 + $1.failed.count } }

  /// Of the defects that are on and observable, those whose own requirement is violated. Returns `nil` if none was tried.
  package var recall: Rate? { crosstalk.isEmpty ? nil : Rate(sum: crosstalk.map(\.recall)) }

  /// Of the violated requirements, those that a defect which is on names. Returns `nil` if none was tried.
  package var precision: Rate? { crosstalk.isEmpty ? nil : Rate(sum: crosstalk.map(\.precision)) }

  /// Verdicts that are the same alone, filtered and in the whole run. Returns `nil` if none was tried.
  package var equalVerdicts: Rate? {
    guard !equality.isEmpty else { return nil }
    let all = equality.reduce(0) { $0 + $1.compared }
    return Rate(hits: all - equality.reduce(0) { $0 + $1.differences.count }, all: all)
  }

  /// Whether the kit may be trusted: nothing stands against it.
  package var holds: Bool { shortcomings.isEmpty }

  /// What stands against the kit, each as a part of a sentence.
  package var shortcomings: [String] {
    let isEmpty = trials.isEmpty && vacuity.isEmpty && falseAlarms.isEmpty && mutants.isEmpty
    let wasTried = !(isEmpty && crosstalk.isEmpty && equality.isEmpty)
    let wronglyKilled = trials.contains { $0.defect.mustSurvive != nil && $0.outcome != .survived }
    let against: [(Bool, String)] = [
      (!wasTried, "nothing was tried"),
      (isStopped, "it was stopped"),
      (!baseline.isEmpty, "honest subjects fail verdicts"),
      (!unbent.isEmpty, "bends change nothing"),
      (requiredKillRate.hits < requiredKillRate.all, "defects of required rules go unnoticed"),
      (namedKillRate.hits * 100 < namedKillRate.all * 95, "fewer than 95 % of all defects are noticed"),
      (wronglyKilled, "what must survive is noticed"),
      (!vacuousPasses.isEmpty, "subjects that do nothing pass required rules"),
      (!staleIdlePasses.isEmpty, "what subjects that do nothing are said to keep they do not"),
      (falseAlarmCount > 0, "legal variants fail"),
      (!unexplainedMutants.isEmpty, "mutants survive without a reason"),
      (!staleExplanations.isEmpty, "reasons are given for mutants that there are none of"),
    ]
    return against.filter(\.0).map(\.1) + wrongBlame + confusion
  }

  /// Where the blame does not lie where the fault is, as far as that was tried.
  private var wrongBlame: [String] {
    guard let rate = blameRate, let silence else { return [] }
    let against = [
      (rate.hits * 100 < rate.all * 98, "fewer than 98 % of what single defects turned red is theirs"),
      (silence.median > 5, "a single defect silences more than 5 % of the other rules in the median"),
      (silence.worst > 25, "a single defect silences more than 25 % of the other rules"),
    ]
    return against.filter(\.0).map(\.1)
  }

  /// What stands against verdicts on implementations with several defects, as far as that was tried.
  private var confusion: [String] {
    let against = [
      (recall.map { !$0.reaches(95) } ?? false, "fewer than 95 % of the defects that are on together are noticed"),
      (precision.map { !$0.reaches(98) } ?? false, "fewer than 98 % of the accusations name a defect that is on"),
      (recall?.all == 0, "no defect that was on is observable"),
      (equality.contains { !$0.differences.isEmpty }, "verdicts depend on more than their own case"),
    ]
    return against.filter(\.0).map(\.1)
  }

  private func rate(_ trials: [Trial]) -> Rate {
    Rate(hits: trials.filter { $0.outcome == .killed }.count, all: trials.count)
  }
}

extension ProofReport.Trial {
  /// The rules that were seen to fail: all that the defect breaks and every case says so of, else the one that is named.
  fileprivate var seen: [RequirementID] { blame.map { $0.right.filter(defect.breaks.contains) } ?? defect.breaks }
}

extension Verdict {
  fileprivate var isViolated: Bool { if case .violates = outcome { true } else { false } }
  fileprivate var unjudgedReason: String? { if case .unjudged(let reason) = outcome { reason } else { nil } }
}
