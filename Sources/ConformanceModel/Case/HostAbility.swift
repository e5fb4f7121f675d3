/// Something that the kit can do on the machine on which an adapter runs. On its own machine, the kit has all
/// abilities.
package enum HostAbility: String, CaseIterable, Comparable, Sendable {
  /// The kit can kill the app's process at any moment, and the app then loses its memory.
  case kill
  /// The storage of the app is a folder that the kit can search.
  case files

  package static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
}

extension [Step] {
  /// The abilities that the steps need.
  package var hostAbilities: Set<HostAbility> { reduce(into: []) { $0.formUnion($1.action.hostAbilities) } }
}

extension Step.Action {
  fileprivate var hostAbilities: Set<HostAbility> {
    switch self {
    case .restart(let restart): restart.ending == .kill ? [.kill] : []
    case .search: [.files]
    case .together(let steps), .repeat(_, _, let steps), .perform(_, let steps): steps.hostAbilities
    case .attempt(let attempt): attempt.ways.flatMap(\.steps).hostAbilities
    case .call, .send, .answer, .operate, .fault, .heal, .release, .await, .settle, .advance, .surroundings, .explore:
      []
    }
  }
}
