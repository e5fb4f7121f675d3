import Certification
import CommandInterface
import ConformanceModel
import ConformanceRunner
import ConformanceSpec
import ConformanceTranscript
import ConformanceVerdict
import FoundationEssentials
import Recording
import Records
import Synchronization
import TextKit

/// Runs some cases of a certificate again with the SDK, and compares each verdict with the certificate.
///
/// The seed of the run and the choice of the cases follow from a new challenge. So an SDK cannot prepare for the run.
package struct SpotCheck {
  let source: ProtocolSource
  /// The record of the certificate.
  let recorded: RecordedVerdicts
  let options: SubjectOptions
  /// The number of cases to run.
  let count: Int
  let challenge: Challenge

  package init(
    source: ProtocolSource, recorded: RecordedVerdicts, options: SubjectOptions, count: Int, challenge: Challenge
  ) {
    self.source = source
    self.recorded = recorded
    self.options = options
    self.count = count
    self.challenge = challenge
  }

  package struct Result {
    /// The cases that were run.
    package var cases: [CaseInstance] = []
    package var verdicts = 0
    /// One sentence for each verdict of this run that differs from the certificate. A further sentence if the SDK
    /// describes itself differently from the certified SDK.
    package var differences: [String] = []
  }

  /// Runs the cases. Throws ``BadInput`` if the role of the SDK differs from the role in the record.
  package func result() async throws -> Result {
    let catalogue = try await source.catalogue()
    let pack = Packs.pack(of: catalogue)
    guard let role = try options.roles(nil, in: catalogue.definition, pack).first, recorded.header.roles.contains(role)
    else { throw BadInput("--spot: the certificate is not about the role of --sdk: leave out --spot") }
    let plan = try plan(role, catalogue.without(Set(recorded.header.withoutPositions)))
    let redaction = options.redaction(nil, vocabulary: Redaction.vocabulary(of: catalogue))
    Terminal.conceal(redaction)
    let subjects = Subjects(
      catalogue: catalogue, pack: pack, conditions: options.conditions(redaction), backend: nil)
    let testbed = try await subjects.plugIn(role, options, nil, dialects: recorded.header.dialects)
    let audience = SpotAudience()
    do {
      let settlement = Settlement(gate: recorded.header.gate)
      _ = try await testbed.runner(for: plan, by: settlement, jobs: options.jobs(for: testbed)).run(for: audience)
    } catch {
      await testbed.close()
      throw error
    }
    await testbed.close()
    let found = audience.outcomes
    return Result(
      cases: plan.items.map(\.instance), verdicts: found.count,
      differences: strangers(testbed.subjects) + recorded.differences(from: found, in: plan.items.map(\.instance)))
  }

  /// Chooses `count` cases at random with the seed of the challenge. Chooses only cases for which the record contains a
  /// verdict *conforms* or *violated*.
  private func plan(_ role: Role, _ catalogue: Catalogue) throws -> Plan {
    var plan = try Plan(catalogue: catalogue, selection: Selection(roles: [role], dialects: recorded.header.dialects))
    var random = SeededRandom(seed: challenge.seed)
    let drawn = Set(
      plan.items.map(\.instance).filter { recorded.isJudged($0) }.shuffled(using: &random).prefix(count))
    plan.items.removeAll { !drawn.contains($0.instance) }
    guard !plan.items.isEmpty else { throw BadInput("--spot: the record has no verdict for the role '\(role)'") }
    return plan
  }

  private func strangers(_ subjects: [Role: Subject]) -> [String] {
    subjects.values.filter { !recorded.subjects.contains($0) }.map { subject in
      let certified = recorded.subjects.map { "\($0.name) \($0.version)" }.joined(separator: ", ")
      return "the SDK introduced itself as \(subject.name) \(subject.version) with \(subject.capabilities.count)"
        + " capabilities; the certificate is about \(certified)"
    }
  }
}

/// The outcomes of a record, by case and requirement.
package struct RecordedVerdicts {
  package let header: RunRecord.Header
  private(set) var subjects: [Subject] = []
  private var outcomes: [CaseInstance: [RequirementID: Verdict.Outcome]] = [:]

  /// Reads the lines after the header of a record. Throws ``FileProblem`` or ``LineProblem``.
  init(_ record: consuming RunRecordReader) throws {
    var reader = record
    header = reader.header
    while let line = try reader.next() {
      switch line {
      case .subject(let participant): subjects.append(participant.subject)
      case .verdict(let ruling):
        outcomes[ruling.verdict.instance, default: [:]][ruling.verdict.requirement] = ruling.verdict.outcome
      default: break
      }
    }
  }

  /// Whether the record contains a verdict *conforms* or *violated* for a case.
  func isJudged(_ instance: CaseInstance) -> Bool {
    outcomes[instance]?.values.contains { $0.isJudgement } ?? false
  }

  /// One sentence for each outcome that differs in `found`, the outcomes of the new run. Compares only words such as
  /// *conforms*, and not the findings, since findings contain random values.
  func differences(
    from found: [SpotAudience.Key: Verdict.Outcome], in instances: [CaseInstance]
  ) -> [String] {
    instances.flatMap { instance in
      (outcomes[instance] ?? [:]).sorted { $0.key < $1.key }.compactMap { requirement, recorded in
        let again = found[.init(instance: instance, requirement: requirement)]
        guard again?.word != recorded.word else { return nil }
        return "\(requirement) \(instance): the certificate has '\(recorded.word)', this run"
          + " '\(again?.word ?? "nothing")'"
      }
    }
  }
}

extension Verdict.Outcome {
  /// Whether the outcome is *conforms* or *violated*.
  fileprivate var isJudgement: Bool {
    switch self {
    case .conforms, .violates: true
    default: false
    }
  }
}

/// Collects the outcomes of a run, and ignores everything else.
final class SpotAudience: Runner.Audience {
  struct Key: Hashable, Sendable {
    var instance: CaseInstance
    var requirement: RequirementID
  }

  private let found = Mutex<[Key: Verdict.Outcome]>([:])

  var outcomes: [Key: Verdict.Outcome] { found.withLock { $0 } }

  func doubt(_ doubt: RunRecord.Doubt) {}

  func result(_ result: CaseResult) {
    found.withLock { found in
      for settled in result.settled {
        found[Key(instance: result.instance, requirement: settled.requirement.id)] = settled.verdict.outcome
      }
    }
  }
}
