import Concurrency
import ConformanceModel
import ConformanceRunner
import ConformanceVerdict
import Processes
import TextKit

/// Runs the cases of a plan with the adapter of an SDK, but with a version of the SDK that is broken on purpose. If a
/// requirement still holds with the broken SDK, the adapter does work that the SDK should do.
package struct DriveCheck: Sendable {
  let catalogue: Catalogue
  let jobs: Int

  package init(catalogue: Catalogue, jobs: Int) {
    self.catalogue = catalogue
    self.jobs = jobs
  }

  /// Runs the plan with the broken SDK. Returns whether the adapter drives the SDK, or which requirements held without
  /// it. Closes the testbed `broken`.
  ///
  /// - Parameters:
  ///   - broken: the adapter around the broken SDK.
  ///   - honest: the subjects under test.
  /// - Throws: ``BadInput`` if the two adapters introduce themselves differently, or if the adapter around the broken
  ///   SDK answers nothing.
  package func driving(
    of plan: Plan, on broken: Testbed, like honest: Testbed
  ) async throws -> RunRecord.Driving {
    do {
      try expectSame(broken, honest)
      let kept = Kept()
      _ = try await broken.runner(for: plan, by: Settlement(gate: .positions), jobs: jobs).run(for: kept)
      await broken.close()
      if Task.isCancelled || plan.items.isEmpty { return .notShown }
      guard kept.cases > 0 else {
        throw BadInput(
          "the adapter of --sdk-broken answered no command in \("case".counted(plan.items.count)), which shows nothing: "
            + "an adapter around a broken SDK runs, and answers with the errors of the SDK")
      }
      // A protocol may list requirements that an SDK meets if the SDK does nothing or refuses everything.
      let idle = catalogue.idlePasses.filter { $0.subject.hasPrefix("null ") || $0.subject.hasPrefix("refusing ") }
      let held = kept.held.subtracting(idle.flatMap(\.keeps)).sorted()
      return held.isEmpty ? .drives(cases: kept.cases) : .answersWithout(held, cases: kept.cases)
    } catch {
      await broken.close()
      throw error
    }
  }

  /// Throws if the adapter around the broken SDK and the adapter around the SDK under test introduce themselves
  /// differently.
  private func expectSame(_ broken: Testbed, _ honest: Testbed) throws {
    for (role, subject) in honest.subjects {
      guard let other = broken.subjects[role], other != subject else { continue }
      throw BadInput(
        "the adapter of --sdk-broken introduces itself as \(other.name) \(other.version) with "
          + "\("capability".counted(other.capabilities.count)), that of --sdk as \(subject.name) \(subject.version) with "
          + "\("capability".counted(subject.capabilities.count)): give the same adapter around a broken SDK")
    }
  }

  /// The number of cases in which the adapter answered a command, and the mandatory requirements that held in one of
  /// these cases.
  private final class Kept: Runner.Audience {
    private let state = LockedValue<(cases: Int, held: Set<RequirementID>)>((0, []))

    var cases: Int { state.value.cases }
    var held: Set<RequirementID> { state.value.held }

    func result(_ result: CaseResult) {
      let hasAnswered = result.transcript.entries.contains { entry in
        if case .reply(let reply) = entry.event { reply.outcome != .noReply } else { false }
      }
      guard hasAnswered else { return }
      let held = result.settled.filter { $0.requirement.level.isRequired && $0.verdict.outcome == .conforms }
      state.change {
        $0.cases += 1
        $0.held.formUnion(held.map(\.requirement.id))
      }
    }
  }
}
