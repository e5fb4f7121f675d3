import ConformanceModel
import ConformanceSpec
import JSONKit

extension Linter {
  /// Rules about certificates: the names in `certification:` and `disputed:` exist.
  static let certificationRules = [
    LintRule("disputed-name", "The requirements of 'disputed' are those of the protocol.") { subject in
      let located = subject.sources.definition
      let known = subject.sources.requirements.map(\.value.id.rawValue)
      let fields = (try? located.document.root.member("disputed")?.elements()) ?? []
      return fields.compactMap { $0.member("requirement") }.compactMap { field in
        LintFinding(
          in: located.document, at: field.path, unknown: field.value.string ?? "", "a requirement", known: known)
      }
    },
    LintRule("tier-name", "The roles, dialects, profiles and capabilities that a tier names are those of the protocol.")
    {
      subject in
      let located = subject.sources.definition
      return located.value.certification.enumerated().flatMap { index, tier in
        unknownNames(of: tier, at: JSONPath([.key("certification"), .index(index)]), in: located)
      }
    },
  ]

  private static func unknownNames(
    of tier: CertificationTier, at place: JSONPath, in located: Located<ProtocolDefinition>
  ) -> [LintFinding] {
    let definition = located.value
    let capabilities = definition.capabilities.filter { !Set($0.roles).isDisjoint(with: tier.roles) }.map(\.name)
    let lists: [(key: String, names: [String], noun: String, known: [String])] = [
      ("roles", tier.roles.map(\.rawValue), "a role", definition.roleNames.map(\.rawValue)),
      ("dialects", tier.dialects.map(\.rawValue), "a dialect", definition.dialects.map(\.rawValue)),
      ("profiles", tier.profiles, "a profile", definition.profiles.map(\.name)),
      ("mayLack", tier.mayLack ?? [], "a capability of the tier's roles", capabilities),
    ]
    return lists.flatMap { list in
      list.names.enumerated().compactMap { index, name in
        LintFinding(
          in: located.document, at: place.appending(key: list.key).appending(index: index), unknown: name, list.noun,
          known: list.known)
      }
    }
  }
}
