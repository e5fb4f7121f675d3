import ConformanceModel

/// Some capabilities that an SDK does not declare, and the number of requirements that the kit could judge in addition
/// if the SDK declared them.
package struct NextCapabilities: Hashable, Sendable {
  package var capabilities: [String]
  /// The commands of these capabilities, in the order of the protocol.
  package var commands: [String]
  /// The number of additional requirements that can be judged.
  package var requirementCount: Int

  /// The capabilities to implement next, in steps. Each step adds as many judged requirements for each of its
  /// capabilities as possible, and assumes that the SDK already declares the capabilities of the steps before it.
  ///
  /// - Parameter declared: the capabilities that the SDK declares now.
  package static func steps(
    for role: Role, declared: [String], in catalogue: Catalogue
  ) throws(SelectionError) -> [NextCapabilities] {
    let items = try Plan(catalogue: catalogue, selection: Selection(roles: [role])).items
    var rest = items.map { (needs: Set($0.testCase.needs), requirements: Set($0.requirements.map(\.id))) }
    var known = Set(declared)
    var judged: Set<RequirementID> = []
    var steps: [NextCapabilities] = []
    while true {
      for item in rest where item.needs.isSubset(of: known) { judged.formUnion(item.requirements) }
      rest.removeAll { $0.requirements.isSubset(of: judged) }
      let candidates = Set(rest.map { $0.needs.subtracting(known) })
      let gains = candidates.map { candidate in
        let unlocked = rest.filter { $0.needs.isSubset(of: known.union(candidate)) }
        return (names: candidate.sorted(), count: unlocked.reduce(into: judged) { $0.formUnion($1.requirements) }.count)
      }
      let best = gains.min { left, right in
        let ours = (left.count - judged.count) * right.names.count
        let theirs = (right.count - judged.count) * left.names.count
        return ours != theirs ? ours > theirs : left.names.lexicographicallyPrecedes(right.names)
      }
      guard let best else { return steps }
      let names = Set(best.names)
      steps.append(
        NextCapabilities(
          capabilities: best.names,
          commands: catalogue.definition.commands.filter { !names.isDisjoint(with: $0.capabilities) }.map(\.name),
          requirementCount: best.count - judged.count))
      known.formUnion(names)
    }
  }
}
