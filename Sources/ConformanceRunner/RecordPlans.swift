import ConformanceModel
import ConformanceVerdict
import Synchronization

/// The plans of several runs with one catalogue. Records with the same selection share a plan, because to make a plan
/// takes longer than to read a record.
package final class RecordPlans: Sendable {
  /// The members of a header that decide which cases are planned.
  private struct Key: Hashable {
    var roles: [Role]
    var dialects: [Dialect]
    var selection: [String]
    var withoutPositions: [PositionID]
  }

  /// The requirements of the catalogue, the planned runs of cases, and the requirements of the run that no case judges.
  struct Planned: Sendable {
    var requirements: [RequirementID: Requirement] = [:]
    var items: [CaseInstance: Plan.Item] = [:]
    var withoutCase: [RequirementID] = []
  }

  private let plans = Mutex<[Key: Planned]>([:])

  package init() {}

  /// The plan that follows from a header and the catalogue.
  func plan(of header: RunRecord.Header, in catalogue: Catalogue) throws(SelectionError) -> Planned {
    let key = Key(
      roles: header.roles, dialects: header.dialects, selection: header.selection,
      withoutPositions: header.withoutPositions)
    if let known = plans.withLock({ $0[key] }) { return known }
    let planned = try Self.made(header, catalogue)
    plans.withLock { $0[key] = planned }
    return planned
  }

  private static func made(_ header: RunRecord.Header, _ catalogue: Catalogue) throws(SelectionError) -> Planned {
    var planned = Planned()
    let relaxed = catalogue.without(Set(header.withoutPositions))
    planned.requirements = Dictionary(relaxed.requirements.map { ($0.id, $0) }) { first, _ in first }
    var selection = try Selection(words: header.selection)
    selection.dialects = header.dialects
    for role in header.roles {
      selection.roles = [role]
      for item in try Plan(catalogue: relaxed, selection: selection).items { planned.items[item.instance] = item }
    }
    selection.roles = header.roles
    planned.withoutCase = Plan.rulesWithoutCase(in: relaxed, selection)
    return planned
  }
}
