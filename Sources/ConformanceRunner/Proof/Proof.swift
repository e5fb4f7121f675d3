import ConformanceBench
import ConformanceJudge
import ConformanceModel

/// Shows that the kit works: it catches every defect by the claim that names it, passes nothing that does nothing, and
/// fails nothing that is right.
package struct Proof: Sendable {
  /// Something that is put in the place of a subject.
  package struct Substitute: Sendable {
    /// What it is called: a defect's id, `null SDK`.
    package var name: String
    package var role: Role
    /// What makes an honest subject wrong; nil for one that is itself what it is called.
    package var bender: Bender?
    package var plugIn: @Sendable () async throws -> Testbed

    package init(
      name: String, role: Role, bender: Bender? = nil, plugIn: @escaping @Sendable () async throws -> Testbed
    ) {
      self.name = name
      self.role = role
      self.bender = bender
      self.plugIn = plugIn
    }
  }

  /// A part of a proof, which can be made alone.
  package enum Part: String, CaseIterable, Sendable {
    /// Each defect is noticed by the claim that names it.
    case defects
    /// Each defect turns the rules red that it breaks, and no others: every case runs against every defect.
    case blame
    /// Subjects that do nothing pass nothing that is required.
    case idle
    /// Legal variants fail nothing.
    case variants
    /// Whatever is bent in what a correct subject did is noticed, or legal for a reason.
    case mutants
    /// Of several defects at once each violates its own requirement, and nothing else is accused.
    case crosstalk
    /// Verdicts are the same in the whole run, in a run of one requirement, and on a transcript alone.
    case equality

    /// The parts of a proof that names none: the others run every case many times.
    package static let usual = Set(allCases).subtracting([.blame, .crosstalk, .equality])
  }

  /// What is proven with; what is empty is not proven.
  package struct Material: Sendable {
    /// Judges mutants; nil to do without them.
    package var judge: Judge?
    /// Why nothing has to notice some changes to what subjects of somebody else's do, besides the catalogue's reasons, which
    /// are about the references; nil for those.
    package var ownReasons: [EquivalentMutant]?
    package var references: [Substitute]
    /// The cases that the references have to pass; empty for all of their roles.
    package var referenceCases: [String]
    /// The references with one defect each.
    package var defective: [(defect: Defect, substitute: Substitute)]
    /// Subjects that do nothing, or say yes to everything.
    package var idle: [Substitute]
    /// The references with one legal variation each.
    package var variants: [Substitute]
    /// The dialects that the subjects speak; empty for all.
    package var dialects: [Dialect]
    /// Implementations with several defects at once.
    package var crosstalk = Crosstalk()
    /// The defects under which verdicts are compared, and what judges a transcript alone; empty to do without it.
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
    /// Makes an implementation with these defects that leaves out these things.
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

  /// The defects under which verdicts are compared.
  package struct Equality: Sendable {
    package var defects: [(defect: Defect, substitute: Substitute)] = []
    package var judge: Judge?

    package init(defects: [(defect: Defect, substitute: Substitute)] = [], judge: Judge? = nil) {
      self.defects = defects
      self.judge = judge
    }
  }

  /// The rules that lead the cards of a report about these verdicts, in the order of the cards.
  package typealias Cards = @Sendable ([SettledVerdict]) -> [RequirementID]

  /// How many defects are tried at once on a core: most of a trial is starting a process.
  private static let trialsPerCore = 4
  /// How many subjects that do nothing are: each meets every case of its role.
  private static let idlersPerCore = 2

  let catalogue: Catalogue
  let material: Material
  let cores: Int
  let everyDialect: Bool
  let laysBlame: Bool
  let seed: UInt64
  let cards: Cards

  /// With `everyDialect`, each defect, idle subject and variant is tried in all dialects; without it the references
  /// are, and the others in one each: a defect in the first in which its claim is made, the others in turn. With
  /// `laysBlame`, a defect meets every case, not only the one that must notice it, and `cards` says what its report begins
  /// with.
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

  /// Runs all of it; `tell` hears of each substitute that is through.
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
    var correct: [CaseResult] = []
    var advised: Set<RequirementID> = []
    var honest: [Place: Set<RequirementID>] = [:]
    for substitute in material.references {
      let results = try await wholeRun(substitute, in: [], cases: referenceCases(of: substitute.role))
      // Of two subjects together no change says which of them has made it; each shows its own transcripts alone.
      if !isChain(substitute.role) { correct += results }
      for (dialect, results) in Dictionary(grouping: results, by: \.transcript.header.instance.dialect) {
        honest[Place(role: substitute.role, dialect: dialect)] = results.violatedRequirements
      }
      advised.formUnion(results.flatMap(\.settled).filter { $0.disposition == .advisory }.map(\.requirement.id))
      report.baseline += complaints(substitute, results, .fail)
      report.unjudged += complaints(substitute, results, .error)
      through(substitute.name)
    }
    if let judge = material.judge {
      let reasons = catalogue.equivalentMutants
      report.reasons = material.ownReasons ?? reasons
      report.mutants = try await MutantTrials(
        judge: judge, reasons: (material.ownReasons ?? []) + reasons, results: correct
      ).run(jobs: cores)
    }
    correct = []
    // What a bend does to a subject that is wrong already cannot be told from what it does itself.
    report.isStopped = material.bendsSubjects && !(report.baseline + report.unjudged).isEmpty
    if report.isStopped { return report }
    let knownToBreak = advised
    let atOnce = material.defective.contains { meetsEveryCase($0.defect) } ? cores : cores * Self.trialsPerCore
    try await material.defective.forEachResult(atOnce: atOnce) { defect, substitute in
      try await trial(defect, substitute, knownToBreak)
    } _: { trial in
      report.trials.append(trial)
      through(trial.defect.id.rawValue)
    }
    // Those in real time mostly wait for what never comes.
    var idle: [Int: ProofReport.Idle] = [:]
    try await material.idle.enumerated().forEachResult(atOnce: cores * Self.idlersPerCore) { index, substitute in
      (index, ProofReport.Idle(name: substitute.name, passed: try await passed(substitute, in: turn(index))))
    } _: { index, result in
      idle[index] = result
      through(result.name)
    }
    report.vacuity = material.idle.indices.compactMap { idle[$0] }
    for (index, substitute) in material.variants.enumerated() {
      let results = try await wholeRun(substitute, in: turn(index))
      report.falseAlarms.append(.init(name: substitute.name, failed: complaints(substitute, results, .fail)))
      report.unjudged += complaints(substitute, results, .error)
      through(substitute.name)
    }
    report.trials.sort { $0.defect.id < $1.defect.id }
    report.apart = material.crosstalk.apart
    report.crosstalk = try await crosstalk(honest, through)
    report.equality = try await equality(through)
    return report
  }

  /// A role and a dialect.
  struct Place: Hashable {
    var role: Role
    var dialect: Dialect
  }

  /// Whether two subjects play the role together.
  private func isChain(_ role: Role) -> Bool {
    let parts = catalogue.definition.parts(of: role)
    return parts.driven != nil && parts.called != nil
  }

  /// Every verdict on a subject, of the cases that a selection picks.
  func verdicts(_ substitute: Substitute, _ selection: Selection, gate: Gate) async throws -> [CaseResult] {
    let testbed = try await substitute.plugIn()
    let collector = Collector()
    let plan = try Plan(catalogue: catalogue, selection: selection)
    do {
      _ = try await testbed.runner(for: plan, by: Settlement(gate: gate), jobs: testbed.jobs(cores: cores)).run(
        for: collector)
    } catch {
      await testbed.close()
      throw error
    }
    await testbed.close()
    return collector.results
  }

  /// Every case of a correct subject's role, or those that are named, in these dialects or all.
  private func wholeRun(
    _ substitute: Substitute, in dialects: [Dialect], cases: [String] = []
  ) async throws -> [CaseResult] {
    let selection = Selection(
      roles: [substitute.role], dialects: dialects.isEmpty ? material.dialects : dialects, cases: cases)
    return try await verdicts(substitute, selection, gate: .positions)
  }

  /// Those of the cases that references have to pass which are about this role.
  private func referenceCases(of role: Role) -> [String] {
    material.referenceCases.filter { name in
      catalogue.case(CaseID(String(name.prefix { $0 != "[" })))?.role == role
    }
  }

  /// The dialect of the subject whose turn it is; none stands for all.
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

  /// The required rules that a subject passes which does nothing.
  private func passed(_ substitute: Substitute, in dialects: [Dialect]) async throws -> [ProofReport.Complaint] {
    let selection = Selection(roles: [substitute.role], dialects: dialects)
    return try await verdicts(substitute, selection, gate: .positions).flatMap { result in
      result.settled.filter { $0.requirement.level.isRequired && $0.verdict.outcome == .conforms }.map {
        ProofReport.Complaint(subject: substitute.name, verdict: $0.verdict)
      }
    }
  }

  /// Whether more than the case that must notice a defect is run.
  private func meetsEveryCase(_ defect: Defect) -> Bool { laysBlame || defect.caseName == nil }

  /// Where a defect is tried; none stands for all.
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

  /// `advised` are the rules that the subject does not keep without any defect either.
  private func trial(
    _ defect: Defect, _ substitute: Substitute, _ advised: Set<RequirementID>
  ) async throws -> ProofReport.Trial {
    let isWhole = meetsEveryCase(defect)
    let cases = isWhole ? [] : defect.caseName.map { [$0] } ?? []
    let selection = Selection(roles: [substitute.role], dialects: dialects(of: defect), cases: cases)
    let results = try await verdicts(substitute, selection, gate: .strict)
    return ProofReport.Trial(
      defect: defect, results: results, accountable: isWhole ? defect.accountable : nil,
      advised: advised, isUnbent: substitute.bender.map { $0.changes == 0 } ?? false,
      cards: cards)
  }
}

extension Case {
  /// Whether it says in this dialect something about one of these rules.
  fileprivate func claims(anyOf wanted: [RequirementID], in dialect: Dialect) -> Bool {
    dialects.contains(dialect)
      && scenarios.contains { scenario in
        scenario.claims.contains { wanted.contains($0.requirement) && $0.dialects?.contains(dialect) ?? true }
      }
  }
}

/// Keeps the results of a run.
final class Collector: Runner.Audience {
  private let kept = LockedValue<[CaseResult]>([])

  var results: [CaseResult] { kept.value }

  func result(_ result: CaseResult) { kept.change { $0.append(result) } }
}

extension Proof.Material {
  /// Whether subjects that are honest are made wrong from outside.
  fileprivate var bendsSubjects: Bool { defective.contains { $0.substitute.bender != nil } }
}
