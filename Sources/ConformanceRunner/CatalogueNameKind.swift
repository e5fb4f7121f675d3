import ConformanceModel

/// A kind of name that options of the command line accept.
package enum CatalogueNameKind: String, CaseIterable, Sendable {
  case testCase = "case"
  case requirement, feature, dialect, profile, role, defect

  /// The names of this kind. For cases, the list also contains the name of each row (`case[row]`), and the former names
  /// of renamed cases.
  package func names(in catalogue: Catalogue) -> [String] {
    let definition = catalogue.definition
    return switch self {
    case .testCase:
      catalogue.cases.flatMap { one in
        ([one.id] + one.aliases).flatMap { id in
          [id.rawValue] + one.scenarios.compactMap(\.row).map { "\(id)[\($0)]" }
        }
      }
    case .requirement: catalogue.requirements.map(\.id.rawValue)
    case .feature: definition.features.map { "\($0.number)" }
    case .dialect: definition.dialects.map(\.rawValue)
    case .profile: definition.profiles.map(\.name)
    case .role: definition.roleNames.map(\.rawValue)
    case .defect: catalogue.defects.map(\.id.rawValue)
    }
  }

  /// The option of `conform run` that accepts names of this kind.
  var option: String { "--\(rawValue)" }

  /// The argument with which `conform list` shows the names of this kind.
  var list: String { self == .role || self == .profile ? "requirements" : rawValue + "s" }

  /// A hint that names the option or command that accepts the word, if the word is a name, but not of the kind `kind`;
  /// otherwise nil.
  package static func hint(for word: String, besides kind: Self? = nil, in catalogue: Catalogue) -> String? {
    if let other = allCases.first(where: { $0 != kind && $0.names(in: catalogue).contains(word) }) {
      return "it is a \(other.rawValue): give it with \(other.option)"
    }
    if catalogue.positions.contains(where: { $0.id.rawValue == word }) {
      return "it is a position: give it with --without-position"
    }
    if catalogue.definition.capabilities.contains(where: { $0.name == word }) {
      return "it is a capability: 'conform explain \(word)' shows the cases that need it"
    }
    let feature = catalogue.definition.features.first { $0.name.lowercased() == word.lowercased() }
    return feature.map { "it is a feature: give it with --feature \($0.number)" }
  }
}
