import ConformanceModel
import ConformanceTranscript
import Templates

/// The plan of a run: every run of a case, in a fixed order. It is complete before anything starts.
package struct Plan: Sendable {
  /// The plan's decision about one run of a case.
  package enum Action: Hashable, Sendable {
    case perform
    /// The case does not run, because the subject lacks something that the case needs.
    case skip(Lack)
  }

  /// One run of a case.
  package struct Item: Sendable {
    package var testCase: Case
    package var scenario: Case.Scenario
    package var instance: CaseInstance
    /// The requirements for which the case gives a verdict.
    package var requirements: [Requirement]
    package var action = Action.perform
  }

  package var items: [Item]
  /// Runs whose verdicts another machine reports. This machine also performs them, because its later runs depend on
  /// their results.
  package var soundings: [Item] = []

  /// The runs of the selected cases, sorted by name and dialect; empty if no case matches all parts of the selection.
  /// Throws for an unknown name in the selection.
  package init(catalogue: Catalogue, selection: Selection) throws(SelectionError) {
    try selection.check(against: catalogue)
    items = catalogue.cases.flatMap { one in
      one.scenarios.flatMap { scenario in
        one.dialects.compactMap { dialect in
          Self.item(one, scenario, dialect, catalogue: catalogue, selection: selection)
        }
      }
    }
    // Each name is built once, not at every comparison.
    items = items.map { ("\($0.instance)", $0) }.sorted { $0.0 < $1.0 }.map(\.1)
  }

  /// The plan for these subjects. It skips a case if it needs a capability that no subject has, or an ability that the
  /// kit lacks on a subject's machine, or if the subjects do not support its dialect.
  package func fitted(to subjects: [Subject], speaking dialects: [Dialect]? = nil) -> Plan {
    changed { item in
      let missing = item.testCase.needs.first { name in !subjects.contains { $0.capabilities.contains(name) } }
      let dialect = item.instance.dialect
      let isSpoken = dialects?.contains(dialect) ?? true
      let impossible = item.scenario.steps.hostAbilities.intersection(subjects.flatMap(\.lacks)).min()
      let lack: Lack? =
        isSpoken ? missing.map { .capability($0) } ?? impossible.map { .host($0) } : .dialect(dialect)
      item.action = lack.map { .skip($0) } ?? .perform
    }
  }

  /// This plan, except that it skips cases which would wait too long in real time.
  ///
  /// - Parameter reality: returns the real duration of a logical time.
  package func bearable(_ reality: (LogicalTime) -> Duration) -> Plan {
    changed { item in
      guard item.action == .perform else { return }
      let span = item.scenario.span(.best(rest: .zero))
      if reality(span) > Self.longestWait { item.action = .skip(.virtualClock(span)) }
    }
  }

  /// The same plan, in an order that follows from a seed.
  package func shuffled(by seed: UInt64) -> Plan {
    var random = SeededRandom(seed: seed)
    var plan = self
    plan.items.shuffle(using: &random)
    return plan
  }

  private func changed(_ change: (inout Item) -> Void) -> Plan {
    var plan = self
    for index in plan.items.indices { change(&plan.items[index]) }
    for index in plan.soundings.indices { change(&plan.soundings[index]) }
    return plan
  }

  /// The longest real time for which the steps of a case may wait.
  private static let longestWait = Duration.seconds(600)

  /// The requirements of the selected roles that no case judges in the dialects of a run. A summary lists them;
  /// otherwise they would seem to have passed. Withdrawn and untestable requirements are left out. Empty if the
  /// selection names cases.
  package static func rulesWithoutCase(
    in catalogue: Catalogue, _ selection: Selection
  ) -> [RequirementID] {
    guard selection.cases.isEmpty else { return [] }
    let dialects = selection.dialects.isEmpty ? catalogue.definition.dialects : selection.dialects
    let judged = catalogue.cases.reduce(into: Set<RequirementID>()) { judged, one in
      for dialect in one.dialects where dialects.contains(dialect) {
        for claim in one.scenarios.flatMap(\.claims) where claim.dialects?.contains(dialect) ?? true {
          judged.insert(claim.requirement)
        }
      }
    }
    return catalogue.requirements.filter { requirement in
      selection.roles.contains(requirement.role) && requirement.withdrawn == nil && requirement.untestable == nil
        && selection.includes(requirement, in: catalogue.definition) && !judged.contains(requirement.id)
    }.map(\.id)
  }

  private static func item(
    _ one: Case, _ scenario: Case.Scenario, _ dialect: Dialect, catalogue: Catalogue, selection: Selection
  ) -> Item? {
    let instance = CaseInstance(id: one.id, row: scenario.row, dialect: dialect)
    guard selection.includes(one, instance, in: catalogue.definition) else { return nil }
    var wanted: [Requirement] = []
    for claim in scenario.claims where claim.dialects?.contains(dialect) ?? true {
      guard !wanted.contains(where: { $0.id == claim.requirement }),
        let requirement = catalogue.requirement(claim.requirement),
        requirement.withdrawn == nil, selection.includes(requirement, in: catalogue.definition)
      else { continue }
      wanted.append(requirement)
    }
    return wanted.isEmpty ? nil : Item(testCase: one, scenario: scenario, instance: instance, requirements: wanted)
  }
}
