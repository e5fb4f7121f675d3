import ConformanceModel
import ConformanceVerdict

/// The results of a proof: kill rate, vacuous passes and false alarms, each with its denominator.
package struct ProofReport: Sendable {
  /// An unexpected verdict.
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

  /// The result for one defect.
  package struct Trial: Hashable, Sendable {
    /// The reaction of the kit to the defect.
    package enum Outcome: Hashable, Sendable {
      /// A claim about a requirement in `breaks` failed.
      case killed
      /// Only other claims failed.
      case killedElsewhere([RequirementID])
      case survived
      /// The reference died because of the defect. This does not show anything about the claims.
      case crashed(String)
      /// The case could not be judged.
      case inconclusive(String)
      /// The mutation did not change a message, so the case does not show anything about the claims.
      case unbent
    }

    package var defect: Defect
    package var outcome: Outcome
    /// The shapes of the violations in the case that must detect the defect.
    package var shapes: Set<String> = []
    /// The requirements that failed or stayed unjudged in a run of every case; nil if only the case that must detect
    /// the defect ran.
    package var blame: Blame?

    /// `accountable` are the requirements that the defect may violate; nil if not every case ran. `advised` are the
    /// requirements with advisory findings even without the defect.
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
      if defect.caseName != nil {
        shapes = Set(red.filter { defect.breaks.contains($0.requirement) }.map(\.outcome.findings.shape))
      }
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
        // The case that must detect the defect is unjudged. If a requirement in `breaks` failed in another case, the
        // defect counts as detected.
        let isRedBelow = blame.map { $0.right.contains(where: defect.breaks.contains) } ?? false
        outcome = isRedBelow ? .killed : .inconclusive(reason)
      } else {
        outcome = .survived
      }
    }
  }

  /// The requirements that fail or stay unjudged because of a single defect, in a run of every case.
  package struct Blame: Hashable, Sendable {
    /// The failed requirements that the defect violates, directly or as a consequence.
    package var right: [RequirementID]
    /// The failed requirements that the defect does not violate.
    package var wrong: [RequirementID]
    /// The requirements that the defect does not violate and that could not be judged.
    package var silenced: [RequirementID]
    /// The number of applicable requirements that the defect does not violate.
    package var others: Int
    /// The cards of the report about the defect.
    package var cards: [Proof.Card]

    init(_ settled: [SettledVerdict], _ accountable: Set<RequirementID>, cards: [Proof.Card] = []) {
      self.cards = cards
      var red: Set<RequirementID> = []
      var judged: Set<RequirementID> = []
      var open: Set<RequirementID> = []
      for one in settled {
        switch one.verdict.outcome {
        case .violates: red.insert(one.requirement.id)
        case .conforms: judged.insert(one.requirement.id)
        // After a request that no server can read, no suite can judge the requirement.
        case .unjudged(let reason) where reason.hasPrefix(Verdict.Outcome.unreadable): break
        case .unjudged: open.insert(one.requirement.id)
        case .notApplicable: break
        }
      }
      right = red.intersection(accountable).sorted()
      wrong = red.subtracting(accountable).sorted()
      silenced = open.subtracting(red).subtracting(judged).subtracting(accountable).sorted()
      others = red.union(judged).union(open).subtracting(accountable).count
    }

    /// The percentage of the requirements in ``others`` that could not be judged.
    package var silence: Double { others == 0 ? 0 : Double(silenced.count) * 100 / Double(others) }
  }

  /// A no-op implementation and the mandatory requirements that it passes.
  package struct Idle: Hashable, Sendable {
    package var name: String
    package var passed: [Complaint]
  }

  /// A legal variant and the verdicts that it fails.
  package struct Variation: Hashable, Sendable {
    package var name: String
    package var failed: [Complaint]
  }

  /// The result for one kind of mutation.
  package struct MutantTrial: Hashable, Sendable {
    package var kind: MutantKind
    /// The number of mutants of the kind in the transcripts.
    package var count: Int
    /// A case whose transcript has a mutant of the kind.
    package var example: CaseInstance
    /// The verdict that detected a mutant of the kind; nil if no verdict detected one.
    package var killer: Verdict?
    /// The reason why no claim has to detect the kind; nil if the kind was detected or there is no reason.
    package var explanation: EquivalentMutant?
  }

  /// The verdicts that the references fail. The figures are meaningless unless this is empty.
  package var baseline: [Complaint] = []
  package var trials: [Trial] = []
  /// The unjudged verdicts on correct subjects. They are neither false alarms nor proof.
  package var unjudged: [Complaint] = []
  package var vacuity: [Idle] = []
  package var falseAlarms: [Variation] = []
  package var mutants: [MutantTrial] = []
  /// The reasons why no claim has to detect some mutants; each must apply to a mutant of the subject.
  package var reasons: [EquivalentMutant] = []
  /// One result for each implementation with several defects, in the order of the implementations' numbers.
  package var crosstalk: [CrosstalkTrial] = []
  /// The pairs of defects that are never on together, each with the reason.
  package var apart: [(DefectID, DefectID, String)] = []
  /// The comparison of verdicts for each tried defect.
  package var equality: [EqualityTrial] = []
  /// Whether the proof stopped before it tried any defect, because the subject to which mutations would apply does not
  /// conform.
  package var isStopped = false
  private let catalogue: Catalogue

  init(catalogue: Catalogue) { self.catalogue = catalogue }

  /// The number of hits, and the number of all things that were counted.
  package struct Rate: Hashable, Sendable, CustomStringConvertible {
    package var hits: Int
    package var all: Int

    package init(hits: Int, all: Int) {
      self.hits = hits
      self.all = all
    }

    /// The rate as text, such as `41/42 = 97.6 %`.
    package var description: String {
      guard all > 0 else { return "0/0" }
      let tenths = hits * 1000 / all
      return "\(hits)/\(all) = \(tenths / 10).\(tenths % 10) %"
    }
  }

  /// The defects whose mutations changed nothing.
  package var unbent: [Defect] { trials.filter { $0.outcome == .unbent }.map(\.defect) }

  /// Whether the input must be corrected before the figures have a meaning.
  package var isBadInput: Bool { isStopped || !unbent.isEmpty }

  private var counted: [Trial] { trials.filter { $0.defect.mustSurvive == nil } }

  /// The share of detectable defects that were detected by a claim about a requirement in their `breaks`.
  package var namedKillRate: Rate { rate(counted) }

  /// The same share as ``namedKillRate``, but only of the defects with a mandatory requirement in their `breaks`.
  package var requiredKillRate: Rate {
    rate(counted.filter { $0.defect.breaks.contains { catalogue.requirement($0)?.level.isRequired ?? false } })
  }

  /// The share of testable mandatory requirements that were seen to fail.
  package var requirementCoverage: Rate {
    let testable = catalogue.requirements.filter {
      $0.level.isRequired && $0.untestable == nil && $0.withdrawn == nil
    }
    let seen = Set(counted.filter { $0.outcome == .killed }.flatMap(\.seen))
    return Rate(hits: testable.filter { seen.contains($0.id) }.count, all: testable.count)
  }

  /// The blame of each defect that ran against every case.
  private var blamed: [(defect: Defect, blame: Blame)] {
    counted.compactMap { trial in trial.blame.map { (trial.defect, $0) } }
  }

  /// The share of correctly blamed requirements among all requirements that fail because of single defects. A
  /// requirement is correctly blamed if the defect violates it.
  package var blameRate: Rate? {
    guard !blamed.isEmpty else { return nil }
    let right = blamed.reduce(0) { $0 + $1.blame.right.count }
    return Rate(hits: right, all: blamed.reduce(right) { $0 + $1.blame.wrong.count })
  }

  /// The share of reports about single defects in which the first card is correct: the defect violates the requirement
  /// of this card. Reports without cards are left out.
  package var firstCardRate: Rate? {
    let reported = blamed.filter { !$0.blame.cards.isEmpty }
    guard !reported.isEmpty else { return nil }
    let hits = reported.count { defect, blame in
      blame.cards.first.map { defect.breaks.contains($0.requirement) } ?? false
    }
    return Rate(hits: hits, all: reported.count)
  }

  /// The share of cards whose command shows the violation again.
  package var rerunRate: Rate? {
    let cards = blamed.flatMap(\.blame.cards)
    return cards.isEmpty ? nil : Rate(hits: cards.count(where: \.isReproduced), all: cards.count)
  }

  /// The cards whose `rerun` command does not show the violation again, each with the defect that is on.
  package var unreproduced: [(defect: Defect, card: Proof.Card)] {
    blamed.flatMap { defect, blame in blame.cards.filter { !$0.isReproduced }.map { (defect, $0) } }
  }

  /// The cards that name only wrong defects as possible causes, each with the defect that is on.
  package var misguessed: [(defect: Defect, card: Proof.Card)] {
    blamed.flatMap { defect, blame in
      blame.cards.filter { !$0.guesses.isEmpty && !$0.guesses.contains(defect.id) }.map { (defect, $0) }
    }
  }

  /// Whether the shapes of this proof are written to `shapes.yaml`. If so, they are not compared with the present
  /// shapes.
  package var recordsShapes = false

  /// The defects whose violations have none of the shapes that `shapes.yaml` records for them. Empty if the catalogue
  /// has no `shapes.yaml`.
  package var staleShapes: [DefectID] {
    guard !recordsShapes, catalogue.defects.contains(where: { !$0.shapes.isEmpty }) else { return [] }
    let known = Dictionary(catalogue.defects.map { ($0.id, $0.shapes) }) { first, _ in first }
    return trials.filter { trial in
      !trial.shapes.isEmpty && known[trial.defect.id].map { $0.isDisjoint(with: trial.shapes) } ?? false
    }
    .map(\.defect.id)
  }

  /// The shapes of the advisory violations that the references show, by the requirement.
  package var ordinary: [RequirementID: Set<String>] = [:]

  /// The text of `shapes.yaml` according to these trials.
  package var shapes: String {
    let defects = trials.filter { !$0.shapes.isEmpty && $0.defect.mustSurvive == nil }.map {
      ($0.defect.id.rawValue, $0.shapes)
    }
    let ordinary = ordinary.map { ($0.key.rawValue, $0.value) }.sorted { $0.0 < $1.0 }
    let entries = (defects + ordinary).map { name, shapes in
      "  \(name): [\(shapes.sorted().map { "\"\($0)\"" }.joined(separator: ", "))]\n"
    }
    return """
      # The digests of what each defect shows in the case that must notice it. 'conform prove --only defects --shapes FILE'
      # writes this file. A report names a defect as a possible cause only if a violation has one of its shapes. An advisory
      # violation is ordinary if it has a shape of its requirement: the conforming reference shows it too.
      kit: 2
      shapes:

      """ + entries.joined()
  }

  /// The share of cards that name the right defect, among cards with possible causes; nil if no card names a cause.
  package var guessRate: Rate? {
    let guesses = blamed.flatMap { defect, blame in
      blame.cards.filter { !$0.guesses.isEmpty }.map { $0.guesses.contains(defect.id) }
    }
    return guesses.isEmpty ? nil : Rate(hits: guesses.count { $0 }, all: guesses.count)
  }

  /// The mean number of cards after the first card, in reports about single defects that have cards.
  package var furtherCards: Double {
    let counts = blamed.map(\.blame.cards.count).filter { $0 > 0 }
    return counts.isEmpty ? 0 : Double(counts.reduce(0, +) - counts.count) / Double(counts.count)
  }

  /// The defects whose report begins with a wrong card, each with the requirement of this card. The defect does not
  /// violate this requirement.
  package var misled: [(defect: Defect, first: RequirementID)] {
    blamed.compactMap { defect, blame in
      blame.cards.first.flatMap { defect.breaks.contains($0.requirement) ? nil : (defect, $0.requirement) }
    }
  }

  /// The median and the maximum percentage of requirements that a single defect silences: they stay unjudged because of
  /// the defect, and the defect does not violate them. nil if no defect ran against every case.
  package var silence: (median: Double, worst: Double)? {
    let shares = blamed.map(\.blame.silence).sorted()
    guard let worst = shares.last else { return nil }
    return (shares[shares.count / 2], worst)
  }

  /// At most `count` defects with wrongly failed or unjudged requirements, beginning with the defect that has the most
  /// of them.
  package func worstBlamed(_ count: Int) -> [(defect: Defect, blame: Blame)] {
    func harm(_ blame: Blame) -> Int { blame.wrong.count + blame.silenced.count }
    return Array(
      blamed.filter { harm($0.blame) > 0 }.sorted {
        (harm($1.blame), $0.defect.id) < (harm($0.blame), $1.defect.id)
      }.prefix(count))
  }

  /// The mandatory requirements that no-op implementations pass, except passes that the catalogue explains.
  package var vacuousPasses: [Complaint] {
    vacuity.flatMap { idle in idle.passed.filter { !keeps(idle.name, $0.verdict.requirement) } }
  }

  /// The number of passes of no-op implementations that the catalogue explains.
  package var earnedIdlePasses: Int { vacuity.reduce(0) { $0 + $1.passed.count } - vacuousPasses.count }

  /// The passes that the catalogue explains although no no-op implementation passes in this way.
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

  /// The share of kinds of mutants that a claim detected.
  package var mutantKillRate: Rate { Rate(hits: mutants.filter { $0.killer != nil }.count, all: mutants.count) }

  /// The kinds of mutants that survived and have no reason in the catalogue.
  package var unexplainedMutants: [MutantTrial] { mutants.filter { $0.killer == nil && $0.explanation == nil } }

  /// The reasons in the catalogue that apply to no mutant that survived.
  package var staleExplanations: [EquivalentMutant] {
    guard !mutants.isEmpty else { return [] }
    let used = Set(mutants.compactMap(\.explanation))
    return reasons.filter { !used.contains($0) }
  }

  /// The number of verdicts that legal variants fail.
  package var falseAlarmCount: Int { falseAlarms.reduce(0) { $0 + $1.failed.count } }

  /// The share of observable defects for which a requirement in `breaks` is violated, over all implementations with
  /// several defects. nil if no such implementation was tried.
  package var recall: Rate? { crosstalk.isEmpty ? nil : Rate(sum: crosstalk.map(\.recall)) }

  /// The share of violated requirements that an active defect or a missing capability explains, over all
  /// implementations with several defects. nil if no such implementation was tried.
  package var precision: Rate? { crosstalk.isEmpty ? nil : Rate(sum: crosstalk.map(\.precision)) }

  /// The share of compared verdicts that are equal to the verdict on the same requirement and case in the whole run.
  /// nil if no verdicts were compared.
  package var equalVerdicts: Rate? {
    guard !equality.isEmpty else { return nil }
    let all = equality.reduce(0) { $0 + $1.compared }
    return Rate(hits: all - equality.reduce(0) { $0 + $1.differences.count }, all: all)
  }

  /// Whether the proof found no shortcoming of the kit.
  package var holds: Bool { shortcomings.isEmpty }

  /// The shortcomings of the kit, each as a part of a sentence.
  package var shortcomings: [String] {
    let isEmpty = trials.isEmpty && vacuity.isEmpty && falseAlarms.isEmpty && mutants.isEmpty
    let wasTried = !(isEmpty && crosstalk.isEmpty && equality.isEmpty)
    let wronglyKilled = trials.contains { $0.defect.mustSurvive != nil && $0.outcome != .survived }
    let against: [(Bool, String)] = [
      (!wasTried, "nothing was tried"),
      (isStopped, "it was stopped"),
      (!baseline.isEmpty, "conforming subjects fail verdicts"),
      (!unbent.isEmpty, "mutations change nothing"),
      (!staleShapes.isEmpty, "defects show something else than shapes.yaml says (--shapes writes it)"),
      (requiredKillRate.hits < requiredKillRate.all, "defects that break a mandatory requirement go unnoticed"),
      (namedKillRate.hits * 100 < namedKillRate.all * 95, "fewer than 95 % of all defects are noticed"),
      (wronglyKilled, "what must survive is noticed"),
      (!vacuousPasses.isEmpty, "no-op implementations pass mandatory requirements"),
      (!staleIdlePasses.isEmpty, "what subjects that do nothing are said to keep they do not"),
      (falseAlarmCount > 0, "legal variants fail"),
      (!unexplainedMutants.isEmpty, "mutants survive without a reason"),
      (!staleExplanations.isEmpty, "reasons are given for mutants that there are none of"),
    ]
    return against.filter(\.0).map(\.1) + wrongBlame + confusion
  }

  /// The shortcomings in the reports about single defects, such as violations that the defect does not explain. Empty
  /// if no defect ran against every case.
  private var wrongBlame: [String] {
    guard let rate = blameRate, let silence else { return [] }
    let against = [
      (rate.hits * 100 < rate.all * 98, "fewer than 98 % of what single defects turned red is theirs"),
      (silence.median > 5, "a single defect silences more than 5 % of the other requirements in the median"),
      // For example, if an SDK cannot create a user, no case can judge what the SDK does with a user.
      (silence.worst > 34, "a single defect silences more than a third of the other requirements"),
      (!unreproduced.isEmpty, "the commands of some cards do not show the violation again"),
      (guessRate.map { !$0.reaches(95) } ?? false, "fewer than 95 % of the cards that guess a cause name it"),
    ]
    return against.filter(\.0).map(\.1)
  }

  /// The shortcomings about several defects at once, and about verdicts that depend on other cases. Empty if neither
  /// was tried.
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
  /// The requirements of the defect that were seen to fail. If only one case ran, these are the requirements that the
  /// defect breaks.
  fileprivate var seen: [RequirementID] { blame.map { $0.right.filter(defect.breaks.contains) } ?? defect.breaks }
}

extension Verdict {
  var isViolated: Bool { if case .violates = outcome { true } else { false } }
  fileprivate var unjudgedReason: String? { if case .unjudged(let reason) = outcome { reason } else { nil } }
}
