import ConformanceModel
import ConformancePack
import JSONKit
import TextKit

/// The part of a catalogue that options select for a run. An empty list selects everything of its kind.
package struct Selection: Hashable, Sendable {
  package var roles: [Role]
  package var dialects: [Dialect]
  /// The names of cases, with or without a row, such as `offline.capacity` or `offline.capacity[101]`; `*` matches any
  /// text.
  package var cases: [String]
  package var requirements: [RequirementID]
  package var features: [Int]
  /// The names of profiles.
  package var profiles: [String]

  package init(
    roles: [Role] = [], dialects: [Dialect] = [], cases: [String] = [], requirements: [RequirementID] = [],
    features: [Int] = [], profiles: [String] = []
  ) {
    self.roles = roles
    self.dialects = dialects
    self.cases = cases
    self.requirements = requirements
    self.features = features
    self.profiles = profiles
  }
}

/// The error if options select nothing, because of an unknown name of a case or an impossible shard.
package struct SelectionError: Error, Hashable, Sendable, CustomStringConvertible {
  package var text: String

  package init(_ text: String) { self.text = text }

  package var description: String { text }
}

extension Selection {
  /// Throws for a name that the catalogue does not contain. If it did not, a misspelled name would select nothing, and
  /// the run would pass.
  package func check(against catalogue: Catalogue) throws(SelectionError) {
    let definition = catalogue.definition
    for role in roles where !definition.roleNames.contains(role) {
      throw Self.unknown(.role, role.rawValue, in: catalogue)
    }
    for name in profiles where definition.profile(name) == nil {
      throw Self.unknown(.profile, name, in: catalogue)
    }
    for dialect in dialects where !definition.dialects.contains(dialect) {
      throw Self.unknown(.dialect, dialect.rawValue, in: catalogue)
    }
    for number in features where !definition.features.contains(where: { $0.number == number }) {
      throw Self.unknown(.feature, "\(number)", in: catalogue)
    }
    for id in requirements where catalogue.requirement(id) == nil {
      throw Self.unknown(.requirement, id.rawValue, in: catalogue)
    }
    let names = CatalogueNameKind.testCase.names(in: catalogue)
    for pattern in cases where !names.contains(where: { Wildcard(pattern).matches($0) }) {
      throw Self.unknown(.testCase, pattern, in: catalogue)
    }
  }

  /// The error for an unknown name. If the word is a name of another kind, it suggests the option for that kind.
  /// Otherwise it suggests a name with a similar spelling.
  private static func unknown(_ kind: CatalogueNameKind, _ word: String, in catalogue: Catalogue) -> SelectionError {
    let what = "unknown \(kind.rawValue) '\(word)'"
    if let hint = CatalogueNameKind.hint(for: word, besides: kind, in: catalogue) {
      return SelectionError("\(what); \(hint)")
    }
    let all = "('conform list \(kind.list)' shows all)"
    let known = kind.names(in: catalogue)
    if known.isEmpty { return SelectionError("\(what): the protocol \(catalogue.definition.name) has none") }
    let near = Nearest.words(to: word, in: known)
    if !near.isEmpty { return SelectionError("\(what); did you mean \(near.joined(separator: " or "))? \(all)") }
    for other in CatalogueNameKind.allCases where other != kind {
      guard let nearest = Nearest.spellings(of: word, in: other.names(in: catalogue)).first else { continue }
      return SelectionError("\(what); did you mean the \(other.rawValue) \(nearest)? Give it with \(other.option)")
    }
    return SelectionError("\(what); known: \(known.prefix(12).joined(separator: ", ")) \(all)")
  }

  func includes(_ one: Case, _ instance: CaseInstance, in definition: ProtocolDefinition) -> Bool {
    guard roles.isEmpty || roles.contains(where: { definition.performs(one, as: $0) }),
      dialects.isEmpty || dialects.contains(instance.dialect)
    else { return false }
    let names = ([one.id] + one.aliases).flatMap { id in
      [id.rawValue] + (instance.row.map { ["\(id)[\($0)]"] } ?? [])
    }
    return cases.isEmpty || cases.contains { pattern in names.contains { Wildcard(pattern).matches($0) } }
  }

  /// If the selection contains a pair, maps each keyword that needs a mock server (see ``Case/mockNeed``) to the number
  /// of the SDK's cases that are left out because they contain it. Otherwise empty.
  package func leftOut(of catalogue: Catalogue) -> [String: Int] {
    let definition = catalogue.definition
    let driven = roles.filter(definition.isPair).compactMap { definition.parts(of: $0).driven }
    return catalogue.cases.filter { driven.contains($0.role) && !roles.contains($0.role) }.compactMap(\.mockNeed)
      .reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }

  /// Whether the selection includes verdicts about this requirement.
  package func includes(_ requirement: Requirement, in definition: ProtocolDefinition) -> Bool {
    let patterns = profiles.compactMap { definition.profile($0) }.flatMap(\.requirements)
    return (requirements.isEmpty || requirements.contains(requirement.id))
      && (features.isEmpty || requirement.feature.map(features.contains) ?? false)
      && (profiles.isEmpty || patterns.contains { Wildcard($0).matches(requirement.id.rawValue) })
  }
}

extension ProtocolDefinition {
  /// Whether a run of this role performs a case. A run performs the cases of its role. If the role is a pair (an SDK
  /// and a server), the run also performs the cases of the SDK's role that need no mock server.
  fileprivate func performs(_ one: Case, as role: Role) -> Bool {
    if one.role == role { return true }
    return isPair(role) && one.role == parts(of: role).driven && one.mockNeed == nil
  }
}
