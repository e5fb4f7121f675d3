import ConformanceJudge
import ConformanceModel

/// Shows that the kit works: it catches every defect by the claim that names it, passes nothing that does nothing, and
/// fails nothing that is right.
public struct Proof: Sendable {
  /// Something that is put in the place of a subject.
  public struct Stand: Sendable {
    /// What it is called: a defect's id, `null SDK`.
    public var name: String
    public var role: Role
    public var plugIn: @Sendable () async throws -> Testbed

    public init(name: String, role: Role, plugIn: @escaping @Sendable () async throws -> Testbed) {
      self.name = name
      self.role = role
      self.plugIn = plugIn
    }
  }

  /// A part of a proof, which can be made alone.
  public enum Part: String, CaseIterable, Sendable {
    /// Each defect is noticed by the claim that names it.
    case defects
    /// Subjects that do nothing pass nothing that is required.
    case idle
    /// Legal variants fail nothing.
    case variants
    /// Whatever is bent in what a correct subject did is noticed, or legal for a reason.
    case mutants
  }

  /// What is proven with; what is empty is not proven.
  public struct Material: Sendable {
    /// Judges mutants; nil to do without them.
    public var judge: Judge?
    public var references: [Stand]
    /// The references with one defect each.
    public var defective: [(defect: Defect, stand: Stand)]
    /// Subjects that do nothing, or say yes to everything.
    public var idle: [Stand]
    /// The references with one legal variation each.
    public var variants: [Stand]

    public init(
      judge: Judge?, references: [Stand], defective: [(defect: Defect, stand: Stand)], idle: [Stand], variants: [Stand]
    ) {
      self.judge = judge
      self.references = references
      self.defective = defective
      self.idle = idle
      self.variants = variants
    }
  }

  /// How many defects are tried at once on a core: most of a trial is starting a process.
  private static let trialsPerCore = 4

  let catalogue: Catalogue
  let material: Material
  let cores: Int
  let everyDialect: Bool

  /// With `everyDialect`, each defect, idle subject and variant is tried in all dialects; without it the references
  /// are, and the others in one each: a defect in the first in which its claim is made, the others in turn.
  public init(catalogue: Catalogue, material: Material, cores: Int, everyDialect: Bool = true) {
    self.catalogue = catalogue
    self.material = material
    self.cores = cores
    self.everyDialect = everyDialect
  }

  /// Runs all of it; `tell` hears of each stand that is through.
  public func run(
    tell: @escaping @Sendable (_ done: Int, _ total: Int, _ name: String) -> Void
  ) async throws -> ProofReport {
    let total =
      material.references.count + material.defective.count + material.idle.count + material.variants.count
    var done = 0
    func through(_ name: String) {
      done += 1
      tell(done, total, name)
    }
    var report = ProofReport(catalogue: catalogue)
    var correct: [CaseResult] = []
    for stand in material.references {
      let results = try await wholeRun(stand, in: [])
      correct += results
      report.baseline += complaints(stand, results, .fail)
      report.unjudged += complaints(stand, results, .error)
      through(stand.name)
    }
    if let judge = material.judge {
      report.mutants = try await MutantTrials(judge: judge, results: correct).run(jobs: cores)
    }
    correct = []
    try await material.defective.forEachResult(atOnce: cores * Self.trialsPerCore) { defect, stand in
      try await trial(defect, stand)
    } _: { trial in
      report.trials.append(trial)
      through(trial.defect.id.rawValue)
    }
    for (index, stand) in material.idle.enumerated() {
      report.vacuity.append(.init(name: stand.name, passed: try await passed(stand, in: turn(index))))
      through(stand.name)
    }
    for (index, stand) in material.variants.enumerated() {
      let results = try await wholeRun(stand, in: turn(index))
      report.falseAlarms.append(.init(name: stand.name, failed: complaints(stand, results, .fail)))
      report.unjudged += complaints(stand, results, .error)
      through(stand.name)
    }
    report.trials.sort { $0.defect.id < $1.defect.id }
    return report
  }

  /// Every verdict on a subject, of the cases that a selection picks.
  private func verdicts(_ stand: Stand, _ selection: Selection, gate: Gate) async throws -> [CaseResult] {
    let testbed = try await stand.plugIn()
    let collector = Collector()
    let plan = try Plan(catalogue: catalogue, selection: selection)
    do {
      _ = try await testbed.runner(for: plan, gate: gate, jobs: testbed.jobs(cores: cores)).run(for: collector)
    } catch {
      await testbed.close()
      throw error
    }
    await testbed.close()
    return collector.results
  }

  /// Every case of a correct subject's role, in these dialects or all.
  private func wholeRun(_ stand: Stand, in dialects: [Dialect]) async throws -> [CaseResult] {
    try await verdicts(stand, Selection(roles: [stand.role], dialects: dialects), gate: .positions)
  }

  /// The dialect of the subject whose turn it is; none stands for all.
  private func turn(_ index: Int) -> [Dialect] {
    let dialects = catalogue.definition.dialects
    return everyDialect || dialects.isEmpty ? [] : [dialects[index % dialects.count]]
  }

  private func complaints(
    _ stand: Stand, _ results: [CaseResult], _ disposition: Disposition
  ) -> [ProofReport.Complaint] {
    results.flatMap(\.settled).filter { $0.disposition == disposition }.map {
      ProofReport.Complaint(subject: stand.name, verdict: $0.verdict)
    }
  }

  /// The required rules that a subject passes which does nothing.
  private func passed(_ stand: Stand, in dialects: [Dialect]) async throws -> [ProofReport.Complaint] {
    let selection = Selection(roles: [stand.role], dialects: dialects)
    return try await verdicts(stand, selection, gate: .positions).flatMap { result in
      result.settled.filter { $0.requirement.level.isRequired && $0.verdict.outcome == .conforms }.map {
        ProofReport.Complaint(subject: stand.name, verdict: $0.verdict)
      }
    }
  }

  /// Where a defect is tried; none stands for all.
  private func dialects(of defect: Defect) -> [Dialect] {
    if let dialect = defect.dialect { return [dialect] }
    let id = CaseID(String(defect.caseName.prefix { $0 != "[" }))
    guard !everyDialect, let one = catalogue.case(id) else { return [] }
    let claims = one.scenarios.flatMap(\.claims).filter { $0.requirement == defect.requirement }
    let first = one.dialects.first { dialect in claims.contains { $0.dialects?.contains(dialect) ?? true } }
    return first.map { [$0] } ?? []
  }

  private func trial(_ defect: Defect, _ stand: Stand) async throws -> ProofReport.Trial {
    let selection = Selection(roles: [stand.role], dialects: dialects(of: defect), cases: [defect.caseName])
    let results = try await verdicts(stand, selection, gate: .strict)
    return ProofReport.Trial(defect: defect, results: results)
  }
}

/// Keeps the results of a run.
final class Collector: Runner.Audience {
  private let kept = Kept<[CaseResult]>([])

  var results: [CaseResult] { kept.value }

  func result(_ result: CaseResult) { kept.change { $0.append(result) } }
}
