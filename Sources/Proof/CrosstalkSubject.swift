import ConformanceModel
import JSONKit
import Templates

/// An implementation with several defects at once, chosen at random from a seed.
package struct CrosstalkSubject: Hashable, Sendable {
  package var number: Int
  package var role: Role
  package var dialect: Dialect
  /// Two to eight defects, in the order of their ids.
  package var defects: [Defect]
  /// The capabilities that the implementation does not have.
  package var lacks: [String]
  /// Whether the implementation rejects callbacks that are registered before the set-up.
  package var refusesEarly: Bool

  package init(
    number: Int, role: Role, dialect: Dialect, defects: [Defect], lacks: [String] = [], refusesEarly: Bool = false
  ) {
    self.number = number
    self.role = role
    self.dialect = dialect
    self.defects = defects
    self.lacks = lacks
    self.refusesEarly = refusesEarly
  }

  /// The name, such as `subject 3 (sdk, spec)`.
  package var name: String { "subject \(number) (\(role), \(dialect))" }
}

/// Chooses implementations with several defects at random.
package struct CrosstalkDrawing: Sendable {
  /// The number of defects that an implementation may have.
  package static let sizes = 2...8

  let catalogue: Catalogue
  /// The defects that can be switched on, or caused by mutations.
  let defects: [Defect]
  /// For each role that an adapter drives, the capabilities that can be missing.
  let capabilities: [Role: [String]]
  /// The roles whose implementations can reject callbacks that are registered before the set-up.
  let early: Set<Role>

  package init(
    catalogue: Catalogue, defects: [Defect], capabilities: [Role: [String]] = [:], early: Set<Role> = []
  ) {
    self.catalogue = catalogue
    self.defects = defects.filter { $0.mustSurvive == nil }.sorted { $0.id < $1.id }
    self.capabilities = capabilities
    self.early = early
  }

  /// Chooses this number of implementations; the roles take turns. An implementation for which fewer than two defects
  /// can be on together is left out.
  package func subjects(_ count: Int, seed: UInt64) -> [CrosstalkSubject] {
    var random = SeededRandom(seed: seed)
    let places = self.places
    guard !places.isEmpty else { return [] }
    return (0..<count).compactMap { index in
      let (role, dialects) = places[index % places.count]
      return subject(index + 1, role, dialects, &random)
    }
  }

  /// The pairs of defects of one role that violate different requirements, but are never on together. The text is the
  /// reason.
  package var apart: [(DefectID, DefectID, String)] {
    defects.indices.flatMap { index in
      defects[(index + 1)...].compactMap { other in
        let one = defects[index]
        guard one.side == other.side, Set(one.breaks).isDisjoint(with: other.breaks) else { return nil }
        return one.exclusion(of: other).map { (one.id, other.id, $0) }
      }
    }
  }

  /// The roles, each with the dialects in which cases can notice at least two defects of the role.
  private var places: [(Role, [Dialect])] {
    catalogue.definition.roleNames.compactMap { role in
      let dialects = catalogue.definition.dialects.filter { candidates(role, $0).count >= Self.sizes.lowerBound }
      return dialects.isEmpty ? nil : (role, dialects)
    }
  }

  /// The defects of a role that some case can notice in a dialect.
  private func candidates(_ role: Role, _ dialect: Dialect) -> [Defect] {
    let cases = catalogue.cases.filter { $0.role == role }
    let claimed = cases.reduce(into: Set<RequirementID>()) { $0.formUnion($1.requirements(in: dialect)) }
    return defects.filter { defect in
      defect.side == role && defect.dialect ?? dialect == dialect && !claimed.isDisjoint(with: defect.breaks)
    }
  }

  private func subject(
    _ number: Int, _ role: Role, _ dialects: [Dialect], _ random: inout SeededRandom
  ) -> CrosstalkSubject? {
    let dialect = dialects[Int.random(in: dialects.indices, using: &random)]
    let size = Int.random(in: Self.sizes, using: &random)
    var order = candidates(role, dialect).shuffled(using: &random)
    // Half of the subjects begin with a defect that violates only positions, if there is one.
    if Bool.random(using: &random), let position = order.firstIndex(where: breaksOnlyPositions) {
      order.swapAt(0, position)
    }
    var drawn: [Defect] = []
    for defect in order where drawn.count < size {
      if drawn.allSatisfy({ $0.exclusion(of: defect) == nil }) { drawn.append(defect) }
    }
    guard drawn.count >= Self.sizes.lowerBound else { return nil }
    return CrosstalkSubject(
      number: number, role: role, dialect: dialect, defects: drawn.sorted { $0.id < $1.id },
      lacks: lacks(of: role, &random), refusesEarly: early.contains(role) && Int.random(in: 0..<4, using: &random) == 0)
  }

  /// The capabilities that a subject lacks: one or two for a third of the subjects, and none for the others.
  private func lacks(of role: Role, _ random: inout SeededRandom) -> [String] {
    guard let known = capabilities[role], !known.isEmpty, Int.random(in: 0..<3, using: &random) == 0 else { return [] }
    return Array(known.shuffled(using: &random).prefix(Int.random(in: 1...2, using: &random))).sorted()
  }

  private func breaksOnlyPositions(_ defect: Defect) -> Bool {
    defect.breaks.allSatisfy { catalogue.requirement($0)?.basis == .position }
  }
}

extension Case {
  /// The requirements that the case has claims about in a dialect.
  fileprivate func requirements(in dialect: Dialect) -> Set<RequirementID> {
    guard dialects.contains(dialect) else { return [] }
    return Set(
      scenarios.flatMap(\.claims).filter { $0.dialects?.contains(dialect) ?? true }.map(\.requirement))
  }
}

extension Defect {
  /// Explains why the two defects cannot be on together. Returns nil if they can.
  package func exclusion(of other: Defect) -> String? {
    let broken = Set(breaks).intersection(other.breaks)
    if !broken.isEmpty { return "both break \(broken.sorted().list)" }
    guard let bend, let others = other.bend else { return nil }
    if bend.isAboutTime, others.isAboutTime { return "at most one mutation delays or reorders" }
    guard bend.subject == others.subject, bend.name == nil || others.name == nil || bend.name == others.name else {
      return nil
    }
    if let shared = bend.paths.first(where: { $0.overlaps(anyOf: others.paths) }) { return "both change \(shared)" }
    let hidden =
      bend.paths.first { $0.overlaps(anyOf: others.readPaths) }
      ?? others.paths.first { $0.overlaps(anyOf: bend.readPaths) }
    return hidden.map { "one changes \($0), by which the other chooses" }
  }
}

extension Defect.Bend {
  /// The paths of the members that the mutation changes; empty if it changes an event as a whole.
  fileprivate var paths: [JSONPath] {
    switch change {
    case .remove(let path), .retype(let path): [path]
    case .set(let replacements): replacements.map(\.path)
    case .rename(let renamings): renamings.map(\.path)
    case .repeat, .lose, .delay, .reorder, .rewrite: []
    }
  }

  /// The members by which the mutation selects the messages that it changes.
  fileprivate var readPaths: [JSONPath] { filter?.node.paths(below: .root) ?? [] }
}

extension Template.Node {
  /// The paths of the innermost members that the template names.
  fileprivate func paths(below path: JSONPath) -> [JSONPath] {
    guard case .object(let members) = self else { return [path] }
    return members.flatMap { $0.value.paths(below: path.appending(key: $0.key)) }
  }
}

extension JSONPath {
  /// Whether the paths are equal, or one path begins with the other.
  fileprivate func overlaps(_ other: JSONPath) -> Bool {
    zip(steps, other.steps).allSatisfy { $0 == $1 }
  }

  fileprivate func overlaps(anyOf others: [JSONPath]) -> Bool { others.contains { overlaps($0) } }
}
