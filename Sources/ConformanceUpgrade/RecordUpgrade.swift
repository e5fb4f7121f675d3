import ConformanceJudge
import ConformanceModel
import ConformanceRunner
import ConformanceTranscript
import ConformanceVerdict

/// Compares the verdicts of a record with the verdicts that the same run would have with a different pack.
///
/// If both packs contain the same text of a case, the case's verdicts are recomputed from the evidence of the run. The
/// other cases must run again.
package struct RecordUpgrade: Hashable, Sendable {
  /// A verdict whose recomputed disposition differs from the disposition in the record.
  package struct Change: Hashable, Sendable {
    package var requirement: RequirementID
    package var instance: CaseInstance
    /// The disposition in the record; nil if the run did not judge this requirement.
    package var old: Disposition?
    /// The recomputed disposition; nil if the case does not judge this requirement in the new pack.
    package var new: Disposition?
    /// The first finding of the new verdict, or the reason why the requirement is not judged; nil for a pass.
    package var text: String?
  }

  /// A case that must run again.
  package struct OpenCase: Hashable, Sendable {
    package enum Reason: String, CaseIterable, Sendable {
      case isNew = "new"
      case hasOtherText = "its text has changed"
      case hasNoEvidence = "its evidence is not here"
    }

    package var instance: CaseInstance
    package var reason: Reason
  }

  package let old: PackRevision
  package let new: PackRevision
  /// The participants with their versions.
  package let subjects: [String]
  /// The changes, sorted by requirement and case.
  package private(set) var changes: [Change] = []
  /// The number of recomputed verdicts that have not changed.
  package private(set) var unchanged = 0
  package private(set) var open: [OpenCase] = []
  /// The runs of cases that the record contains, but the new pack does not.
  package private(set) var gone: [CaseInstance] = []
  package private(set) var requirements: [RequirementChange] = []
  /// Explains which name in the record's selection the new pack does not know. The whole suite is then compared. Nil if
  /// the pack knows all names.
  package let selectionProblem: String?
  /// The command that repeats the run with the new pack.
  package let rerun: String

  /// Compares a record with the pack of the judge.
  ///
  /// - Parameter evidence: returns the transcript of a run of a case; nil if it is not available.
  package init(
    of record: RunRecord, to judge: Judge, evidence: (RunRecord.CaseRun) -> Transcript?
  ) {
    let (header, catalogue) = (record.header, judge.catalogue)
    old = PackRevision(kit: header.kit, revision: header.specRevision, digest: header.packDigest)
    new = PackRevision(kit: nil, revision: catalogue.definition.revision, digest: catalogue.digest)
    subjects = record.subjects.map { "\($0.role) \($0.subject.name) \($0.subject.version)" }
    rerun = header.wholeRerun
    let runs = Dictionary(record.cases.map { ($0.instance, $0) }) { first, _ in first }
    let rulings = Dictionary(grouping: record.rulings) { $0.verdict.instance }
    let (items, problem) = Self.items(like: header, in: catalogue)
    selectionProblem = problem
    var found: Set<CaseInstance> = []
    for item in items {
      guard let run = item.formerInstances.lazy.compactMap({ runs[$0] }).first else {
        open.append(OpenCase(instance: item.instance, reason: .isNew))
        continue
      }
      found.insert(run.instance)
      take(item, run, rulings[run.instance] ?? [], judge, header.gate, evidence)
    }
    gone = runs.keys.filter { !found.contains($0) }.sorted()
    changes.sort { ($0.requirement, $0.instance) < ($1.requirement, $1.instance) }
    requirements = RequirementChange.all(from: record, to: catalogue, asked: Self.asked(by: items, header, catalogue))
  }

  /// Whether at least one recomputed verdict is worse than the verdict in the record.
  package var isWorse: Bool { changes.contains(where: \.isWorse) }

  /// The runs of cases that the options of the record select in the new pack. If the pack does not know a name in the
  /// selection, returns all runs of the pack, and a text about that name.
  private static func items(
    like header: RunRecord.Header, in catalogue: Catalogue
  ) -> (items: [Plan.Item], problem: String?) {
    let dialects = header.dialects.filter(catalogue.definition.dialects.contains)
    func planned(_ words: [String]) throws(SelectionError) -> [Plan.Item] {
      var selection = try Selection(words: words)
      selection.dialects = dialects
      var items: [Plan.Item] = []
      for role in header.roles {
        selection.roles = [role]
        items += try Plan(catalogue: catalogue, selection: selection).items
      }
      return items
    }
    do throws(SelectionError) { return (try planned(header.selection), nil) } catch {
      return ((try? planned([])) ?? [], error.text)
    }
  }

  /// The requirements that a run with the record's options covers in the new pack. If the options do not narrow the
  /// run, these include the requirements without a case.
  private static func asked(
    by items: [Plan.Item], _ header: RunRecord.Header, _ catalogue: Catalogue
  ) -> [Requirement] {
    var seen: Set<RequirementID> = []
    let judged = items.flatMap(\.requirements)
    let others = catalogue.requirements.filter {
      header.selection.isEmpty && header.roles.contains($0.role) && $0.withdrawn == nil && $0.untestable == nil
    }
    return (judged + others).filter { seen.insert($0.id).inserted }
  }

  private mutating func take(
    _ item: Plan.Item, _ run: RunRecord.CaseRun, _ rulings: [RunRecord.Ruling], _ judge: Judge, _ gate: Gate,
    _ evidence: (RunRecord.CaseRun) -> Transcript?
  ) {
    guard item.testCase.digest == run.caseDigest else {
      return open.append(OpenCase(instance: item.instance, reason: .hasOtherText))
    }
    guard let transcript = evidence(run), let verdicts = try? judge.verdicts(for: transcript) else {
      return open.append(OpenCase(instance: item.instance, reason: .hasNoEvidence))
    }
    for settled in Settlement(gate: gate).settle(verdicts, on: item.requirements) {
      compare(settled, with: rulings.first { $0.verdict.requirement == settled.requirement.id })
    }
    let asked = Set(item.requirements.map(\.id))
    for ruling in rulings where !asked.contains(ruling.verdict.requirement) {
      changes.append(
        Change(requirement: ruling.verdict.requirement, instance: run.instance, old: ruling.disposition, new: nil))
    }
  }

  private mutating func compare(_ settled: SettledVerdict, with ruling: RunRecord.Ruling?) {
    var disposition = settled.disposition
    // A violation that the baseline excused before is still excused.
    if ruling?.baseline != nil, [.fail, .advisory, .error].contains(disposition) { disposition = .known }
    if ruling?.disposition == .stale, disposition == .pass { disposition = .stale }
    guard ruling?.disposition != disposition else { return unchanged += 1 }
    let outcome = settled.verdict.outcome
    changes.append(
      Change(
        requirement: settled.requirement.id, instance: settled.verdict.instance, old: ruling?.disposition,
        new: disposition, text: outcome.findings.first?.description ?? outcome.reason))
  }
}

extension RecordUpgrade.Change {
  /// Whether the new verdict fails or is unjudged. Only such a change counts as worse.
  package var isWorse: Bool { new.map { [.fail, .error].contains($0) } ?? false }
}

extension Plan.Item {
  /// The name of the run of the case in this pack, and then its former names.
  fileprivate var formerInstances: [CaseInstance] {
    [instance]
      + testCase.aliases.map { CaseInstance(id: $0, row: instance.row, dialect: instance.dialect) }
  }
}
