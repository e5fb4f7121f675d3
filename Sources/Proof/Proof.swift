import Concurrency
import ConformanceJudge
import ConformanceModel
import ConformanceRunner
import ConformanceVerdict
import MockServices

/// Proves that the kit works: each defect is detected by a claim about a requirement in its `breaks`, no-op
/// implementations pass no mandatory requirement without a stated reason, and conforming implementations fail no
/// requirement.
package struct Proof: Sendable {
  /// An implementation that takes the place of a subject.
  package struct Substitute: Sendable {
    /// The name of the defect or of the no-op implementation, such as `null SDK`.
    package var name: String
    package var role: Role
    /// The role that this implementation plays itself. If `role` is a chain of two parts, this is the role of one part,
    /// and a reference plays the other part. Otherwise this is the same as `role`.
    package var part: Role
    /// The mutator around a conforming subject; nil for an implementation that has the defect itself.
    package var bender: Bender?
    package var plugIn: @Sendable () async throws -> Testbed

    package init(
      name: String, role: Role, part: Role? = nil, bender: Bender? = nil,
      plugIn: @escaping @Sendable () async throws -> Testbed
    ) {
      self.name = name
      self.role = role
      self.part = part ?? role
      self.bender = bender
      self.plugIn = plugIn
    }
  }

  /// A part of a proof. Each part can run alone.
  package enum Part: String, CaseIterable, Sendable {
    /// Each defect is detected by a claim about a requirement in its `breaks`.
    case defects
    /// If a requirement fails because of a defect, the defect violates this requirement. Every case runs against every
    /// defect.
    case blame
    /// No-op implementations pass no mandatory requirement.
    case idle
    /// Legal variants do not fail a verdict.
    case variants
    /// Each mutation of a correct subject's transcript is detected, or there is a reason why the mutated behaviour is
    /// legal.
    case mutants
    /// If several defects are on together, each violates a requirement in its `breaks`, and every violated requirement
    /// has a known reason.
    case crosstalk
    /// Verdicts are the same in the whole run, in a run of one requirement, and on a transcript alone.
    case equality

    /// The default parts. Each of the other parts runs every case many times.
    package static let usual = Set(allCases).subtracting([.blame, .crosstalk, .equality])
  }

  /// The input of a proof. Parts without input are skipped.
  package struct Material: Sendable {
    /// The judge of mutants; nil to leave this part out.
    package var judge: Judge?
    /// Additional reasons why no claim has to detect some mutations of a third-party subject; nil for the references,
    /// for which the catalogue has the reasons.
    package var ownReasons: [EquivalentMutant]?
    package var references: [Substitute]
    /// The cases that the references must pass. If the list is empty, they must pass all cases of their roles.
    package var referenceCases: [String]
    /// The defects, each with an implementation that has this defect.
    package var defective: [(defect: Defect, substitute: Substitute)]
    /// No-op implementations, such as an SDK that accepts every command.
    package var idle: [Substitute]
    /// Implementations with one legal variant each.
    package var variants: [Substitute]
    /// The dialects of the subjects; empty for all dialects.
    package var dialects: [Dialect]
    /// Implementations with several defects at once.
    package var crosstalk = Crosstalk()
    /// The input of the part ``Part/equality``; empty to leave this part out.
    package var equality = Equality()

    package init(
      judge: Judge?, ownReasons: [EquivalentMutant]? = nil, references: [Substitute], referenceCases: [String] = [],
      defective: [(defect: Defect, substitute: Substitute)], idle: [Substitute], variants: [Substitute],
      dialects: [Dialect] = []
    ) {
      self.referenceCases = referenceCases
      self.dialects = dialects
      self.judge = judge
      self.ownReasons = ownReasons
      self.references = references
      self.defective = defective
      self.idle = idle
      self.variants = variants
    }
  }

  /// Implementations with several defects at once.
  package struct Crosstalk: Sendable {
    package var subjects: [CrosstalkSubject] = []
    /// The pairs of defects that are never on together, each with the reason.
    package var apart: [(DefectID, DefectID, String)] = []
    /// Creates an implementation with the defects and restrictions of the subject; nil if this is not possible.
    package var make: @Sendable (CrosstalkSubject) -> Substitute?

    package init(
      subjects: [CrosstalkSubject] = [], apart: [(DefectID, DefectID, String)] = [],
      make: @escaping @Sendable (CrosstalkSubject) -> Substitute? = { _ in nil }
    ) {
      self.subjects = subjects
      self.apart = apart
      self.make = make
    }
  }

  /// The input of the part ``Part/equality``: the defects with which the verdicts are compared, and the judge of single
  /// transcripts.
  package struct Equality: Sendable {
    package var defects: [(defect: Defect, substitute: Substitute)] = []
    package var judge: Judge?

    package init(defects: [(defect: Defect, substitute: Substitute)] = [], judge: Judge? = nil) {
      self.defects = defects
      self.judge = judge
    }
  }

  /// A card (failure report) of a report.
  package struct Card: Hashable, Sendable {
    /// The requirement to look at first.
    package var requirement: RequirementID
    /// The run of a case that the card shows. The card's command repeats this run.
    package var example: CaseInstance
    /// The defects that the card names as possible causes.
    package var guesses: [DefectID]
    /// Whether the card's command shows the violation again.
    package internal(set) var isReproduced = false

    package init(requirement: RequirementID, example: CaseInstance, guesses: [DefectID] = []) {
      self.requirement = requirement
      self.example = example
      self.guesses = guesses
    }
  }

  /// Returns the cards of a report about these verdicts, in their order.
  package typealias Cards = @Sendable ([SettledVerdict]) -> [Card]

  /// The number of defects that are tried at the same time for each core. The number exceeds one, since a trial mostly
  /// waits for the start of processes.
  private static let trialsPerCore = 4
  /// The number of no-op implementations that run at the same time for each core. Each of them runs every case of its
  /// role.
  private static let idlersPerCore = 2

  let catalogue: Catalogue
  let material: Material
  let cores: Int
  let everyDialect: Bool
  let laysBlame: Bool
  let seed: UInt64
  let cards: Cards

  /// With `everyDialect`, each defect, no-op implementation and variant runs in all dialects. Without it, only the
  /// references run in all dialects: a defect runs in the first dialect in which a case has a claim about a requirement
  /// in `breaks`, and each no-op implementation or variant runs in one dialect, in turn. With `laysBlame`, a defect
  /// runs against every case, not only the case that must detect it, and `cards` returns the cards of its report.
  package init(
    catalogue: Catalogue, material: Material, cores: Int, everyDialect: Bool = true, laysBlame: Bool = false,
    seed: UInt64 = 1, cards: @escaping Cards = { _ in [] }
  ) {
    self.catalogue = catalogue
    self.material = material
    self.cores = cores
    self.everyDialect = everyDialect
    self.laysBlame = laysBlame
    self.seed = seed
    self.cards = cards
  }

  /// Runs the parts of the proof in order. `tell` is called after each substitute.
  package func run(
    tell: @escaping @Sendable (_ done: Int, _ total: Int, _ name: String) -> Void
  ) async throws -> ProofReport {
    let total =
      material.references.count + material.defective.count + material.idle.count + material.variants.count
      + material.crosstalk.subjects.count + material.equality.defects.count
    var done = 0
    func through(_ name: String) {
      done += 1
      tell(done, total, name)
    }
    var report = ProofReport(catalogue: catalogue)
    let honest = try await references(&report, through)
    try await mutants(of: honest.correct, &report)
    // The effect of a mutation cannot be separated from violations that the subject already has.
    report.isStopped = material.bendsSubjects && !(report.baseline + report.unjudged).isEmpty
    if report.isStopped { return report }
    report.trials = try await trials(knownToBreak: honest.advised, through)
    report.vacuity = try await vacuity(through)
    try await variants(&report, through)
    report.apart = material.crosstalk.apart
    report.crosstalk = try await crosstalk(honest.violated, through)
    report.equality = try await equality(through)
    return report
  }

  /// The results of the references.
  private struct Honest {
    /// The results that depend on one subject, so that a mutation can be attributed to this subject. Results of chains
    /// are left out.
    var correct: [CaseResult] = []
    var violated: [Place: Set<RequirementID>] = [:]
    /// The requirements about which a reference has an advisory finding.
    var advised: Set<RequirementID> = []
  }

  private func references(_ report: inout ProofReport, _ through: (String) -> Void) async throws -> Honest {
    var honest = Honest()
    for substitute in material.references {
      let results = try await wholeRun(substitute, in: [], cases: referenceCases(of: substitute.role))
      // If two subjects form a chain, a change cannot be attributed to one of them. Each of them also has transcripts
      // of its own.
      if !isChain(substitute.role) { honest.correct += results }
      for (dialect, results) in Dictionary(grouping: results, by: \.transcript.header.instance.dialect) {
        honest.violated[Place(role: substitute.role, dialect: dialect)] = results.violatedRequirements
      }
      honest.advised.formUnion(
        results.flatMap(\.settled).filter { $0.disposition == .advisory }.map(\.requirement.id))
      for one in results.flatMap(\.settled) where one.disposition == .advisory {
        report.ordinary[one.requirement.id, default: []].insert(one.verdict.outcome.findings.shape)
      }
      report.baseline += complaints(substitute, results, .fail)
      report.unjudged += complaints(substitute, results, .error)
      through(substitute.name)
    }
    return honest
  }

  private func mutants(of results: [CaseResult], _ report: inout ProofReport) async throws {
    guard let judge = material.judge else { return }
    let reasons = catalogue.equivalentMutants
    report.reasons = material.ownReasons ?? reasons
    report.mutants = try await MutantTrials(
      judge: judge, reasons: (material.ownReasons ?? []) + reasons, results: results
    ).run(jobs: cores)
  }

  private func trials(
    knownToBreak: Set<RequirementID>, _ through: (String) -> Void
  ) async throws -> [ProofReport.Trial] {
    var trials: [ProofReport.Trial] = []
    let atOnce = material.defective.contains { meetsEveryCase($0.defect) } ? cores : cores * Self.trialsPerCore
    try await material.defective.forEachResult(atOnce: atOnce) { defect, substitute in
      try await trial(defect, substitute, knownToBreak)
    } _: { trial in
      trials.append(trial)
      through(trial.defect.id.rawValue)
    }
    return trials.sorted { $0.defect.id < $1.defect.id }
  }

  /// Runs the no-op implementations. Several run for each core, since in real time they mostly wait for events that
  /// never occur.
  private func vacuity(_ through: (String) -> Void) async throws -> [ProofReport.Idle] {
    var idle: [Int: ProofReport.Idle] = [:]
    try await material.idle.enumerated().forEachResult(atOnce: cores * Self.idlersPerCore) { index, substitute in
      (index, ProofReport.Idle(name: substitute.name, passed: try await passed(substitute, in: turn(index))))
    } _: { index, result in
      idle[index] = result
      through(result.name)
    }
    return material.idle.indices.compactMap { idle[$0] }
  }

  private func variants(_ report: inout ProofReport, _ through: (String) -> Void) async throws {
    for (index, substitute) in material.variants.enumerated() {
      let results = try await wholeRun(substitute, in: turn(index))
      report.falseAlarms.append(.init(name: substitute.name, failed: complaints(substitute, results, .fail)))
      report.unjudged += complaints(substitute, results, .error)
      through(substitute.name)
    }
  }

  /// A role and a dialect.
  struct Place: Hashable {
    var role: Role
    var dialect: Dialect
  }

  /// Whether two subjects play the role together, as in a chain.
  private func isChain(_ role: Role) -> Bool {
    let parts = catalogue.definition.parts(of: role)
    return parts.driven != nil && parts.called != nil
  }

  /// The results of the selected cases against a subject. `jobs` is the number of cases that run at the same time; nil
  /// means as many as suit the subject.
  func verdicts(
    _ substitute: Substitute, _ selection: Selection, gate: Gate, jobs: Int? = nil
  ) async throws -> [CaseResult] {
    let testbed = try await substitute.plugIn()
    let collector = Collector()
    let plan = try Plan(catalogue: catalogue, selection: selection)
    do {
      let jobs = jobs ?? testbed.jobs(cores: cores)
      _ = try await testbed.runner(for: plan, by: Settlement(gate: gate), jobs: jobs).run(for: collector)
    } catch {
      await testbed.close()
      throw error
    }
    await testbed.close()
    return collector.results
  }

  /// The results of a correct implementation. If `cases` is empty, all cases of its role run. If `dialects` is empty,
  /// the cases run in all dialects of the material.
  private func wholeRun(
    _ substitute: Substitute, in dialects: [Dialect], cases: [String] = []
  ) async throws -> [CaseResult] {
    let selection = Selection(
      roles: [substitute.role], dialects: dialects.isEmpty ? material.dialects : dialects, cases: cases)
    return try await verdicts(substitute, selection, gate: .positions)
  }

  /// The cases of this role that the references must pass.
  private func referenceCases(of role: Role) -> [String] {
    material.referenceCases.filter { name in
      catalogue.case(CaseID(String(name.prefix { $0 != "[" })))?.role == role
    }
  }

  /// The dialects in which the substitute at this index runs: one of them in turn, or an empty list for all.
  private func turn(_ index: Int) -> [Dialect] {
    let dialects = catalogue.definition.dialects
    return everyDialect || dialects.isEmpty ? [] : [dialects[index % dialects.count]]
  }

  private func complaints(
    _ substitute: Substitute, _ results: [CaseResult], _ disposition: Disposition
  ) -> [ProofReport.Complaint] {
    results.flatMap(\.settled).filter { $0.disposition == disposition }.map {
      ProofReport.Complaint(subject: substitute.name, verdict: $0.verdict)
    }
  }

  /// The mandatory requirements that a no-op implementation passes.
  private func passed(_ substitute: Substitute, in dialects: [Dialect]) async throws -> [ProofReport.Complaint] {
    let selection = Selection(roles: [substitute.role], dialects: dialects)
    return try await verdicts(substitute, selection, gate: .positions).flatMap { result in
      // The reference that runs together with a no-op part meets its own requirements, so these do not count.
      let own = result.settled.filter { [substitute.role, substitute.part].contains($0.requirement.role) }
      return own.filter { $0.requirement.level.isRequired && $0.verdict.outcome == .conforms }.map {
        ProofReport.Complaint(subject: substitute.name, verdict: $0.verdict)
      }
    }
  }

  /// Whether a defect runs against every case, and not only the case that must detect it.
  private func meetsEveryCase(_ defect: Defect) -> Bool { laysBlame || defect.caseName == nil }

  /// The dialects in which a defect runs; empty for all dialects.
  func dialects(of defect: Defect) -> [Dialect] {
    if let dialect = defect.dialect { return [dialect] }
    guard material.dialects.isEmpty else { return material.dialects }
    guard !everyDialect else { return [] }
    let named = defect.caseName.flatMap { name in catalogue.case(CaseID(String(name.prefix { $0 != "[" }))) }
    let cases = named.map { [$0] } ?? catalogue.cases.filter { $0.role == defect.side }
    let first = catalogue.definition.dialects.first { dialect in
      cases.contains { one in one.claims(anyOf: defect.breaks, in: dialect) }
    }
    return first.map { [$0] } ?? []
  }

  /// Runs the cases for a defect against an implementation with this defect. `advised` are the requirements with
  /// advisory findings even without the defect.
  private func trial(
    _ defect: Defect, _ substitute: Substitute, _ advised: Set<RequirementID>
  ) async throws -> ProofReport.Trial {
    let isWhole = meetsEveryCase(defect)
    let cases = isWhole ? [] : defect.caseName.map { [$0] } ?? []
    let selection = Selection(roles: [substitute.role], dialects: dialects(of: defect), cases: cases)
    let results = try await verdicts(substitute, selection, gate: .strict)
    var trial = ProofReport.Trial(
      defect: defect, results: results, accountable: isWhole ? defect.accountable(in: catalogue) : nil,
      advised: advised, isUnbent: substitute.bender.map { $0.changes == 0 } ?? false,
      cards: cards)
    for (index, card) in (trial.blame?.cards ?? []).enumerated() {
      trial.blame?.cards[index].isReproduced = try await isReproduced(card, substitute)
    }
    return trial
  }

  /// Runs the example of a card alone. Returns whether the result is a violation again.
  private func isReproduced(_ card: Card, _ substitute: Substitute) async throws -> Bool {
    let selection = Selection(
      roles: [substitute.role], dialects: [card.example.dialect], cases: [card.example.name],
      requirements: [card.requirement])
    return try await verdicts(substitute, selection, gate: .strict).flatMap(\.settled).contains {
      $0.verdict.instance == card.example && $0.requirement.id == card.requirement && $0.verdict.isViolated
    }
  }
}

extension Case {
  /// Whether the case has a claim about one of these requirements in this dialect.
  fileprivate func claims(anyOf wanted: [RequirementID], in dialect: Dialect) -> Bool {
    dialects.contains(dialect)
      && scenarios.contains { scenario in
        scenario.claims.contains { wanted.contains($0.requirement) && $0.dialects?.contains(dialect) ?? true }
      }
  }
}

/// Collects the results of a run.
final class Collector: Runner.Audience {
  private let kept = LockedValue<[CaseResult]>([])

  var results: [CaseResult] { kept.value }

  func result(_ result: CaseResult) { kept.change { $0.append(result) } }
}

extension Proof.Material {
  /// Whether some of the defects are mutations of a conforming subject.
  fileprivate var bendsSubjects: Bool { defective.contains { $0.substitute.bender != nil } }
}
