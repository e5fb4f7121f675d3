import ConformanceModel

extension [Step] {
  /// The abilities on the adapter's machine that the kit needs for these steps.
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
