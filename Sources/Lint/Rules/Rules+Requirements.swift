import ConformanceModel
import ConformanceSpec
import JSONKit

extension Linter {
  /// Rules about requirements: a requirement names only ids that exist, and a case judges each requirement.
  static let requirementRules = [
    LintRule("requirement-links", "The role, feature, condition, position and included rules of a requirement exist.") {
      subject in
      let ids = subject.sources.requirements.map(\.value.id.rawValue)
      let positions = subject.sources.positions.map(\.value.id.rawValue)
      let features = subject.definition.features.map { String($0.number) }
      return subject.sources.requirements.flatMap { located in
        let requirement = located.value
        return [
          located.unknown(
            requirement.role.rawValue, at: "role", "a role of the protocol",
            known: subject.definition.roleNames.map(\.rawValue)),
          requirement.feature.flatMap {
            located.unknown(String($0), at: "feature", "the number of a feature", known: features)
          },
          requirement.condition.flatMap {
            located.unknown(
              $0, at: "condition", "a capability of the role \(requirement.role)",
              known: subject.definition.capabilities(of: requirement.role))
          },
        ].compactMap { $0 }
          + unknownIDs(in: requirement, located, positions: positions, ids: ids)
      }
    },
    LintRule("host-requirement", "Each host name of the mock servers has a requirement that a subject accepts it.") {
      subject in
      let located = subject.sources.definition
      let ids = subject.sources.requirements.map(\.value.id.rawValue)
      return located.value.hosts.enumerated().compactMap { index, host in
        LintFinding(
          in: located.document, at: JSONPath([.key("hosts"), .index(index), .key("requirement")]),
          unknown: host.requirement.rawValue, "the id of a requirement", known: ids)
      }
    },
    LintRule("rests-on-itself", "No requirement rests on itself, directly or through others.") { subject in
      let direct = Dictionary(
        subject.sources.requirements.map { ($0.value.id, $0.value.restsOn) }, uniquingKeysWith: { first, _ in first })
      return subject.sources.requirements.compactMap { located in
        let id = located.value.id
        guard grounds(below: located.value.restsOn, direct).contains(id) else { return nil }
        return located.finding(
          at: "restsOn", expected: "rules that \(id) rests on and that do not rest on it", found: "a circle")
      }
    },
    LintRule("position-named", "A requirement with the basis `position` names its position.") { subject in
      subject.sources.requirements.filter { $0.value.basis == .position && $0.value.positions.isEmpty }.map {
        $0.finding(at: "basis", expected: "'position:' beside the basis position", found: "none")
      }
    },
    LintRule("unused-position", "Each position has a requirement.", severity: .warning) { subject in
      let used = Set(subject.sources.requirements.flatMap(\.value.positions))
      return subject.sources.positions.filter { !used.contains($0.value.id) }.map {
        $0.finding(at: "id", expected: "a requirement that rests on \($0.value.id)", found: "none")
      }
    },
    LintRule("uncovered-requirement", "Each requirement has a case, or a reason why it has none.") { subject in
      subject.sources.requirements.compactMap { located in
        let requirement = located.value
        guard subject.claims[requirement.id] == nil, requirement.untestable == nil, requirement.withdrawn == nil else {
          return nil
        }
        return located.finding(
          at: "id", expected: "a claim about \(requirement.id), or 'untestable:' with the reason", found: "neither")
      }
    },
    LintRule(
      "doubly-negated", "A requirement of a NOT level names what is forbidden, without a second negation."
    ) { subject in
      subject.sources.requirements.compactMap { located in
        let requirement = located.value
        guard let keyword = requirement.level.prohibition, requirement.withdrawn == nil,
          requirement.text.ranges(of: keyword).count != 1 || requirement.text.firstMatch(of: secondNegation) != nil
        else { return nil }
        return located.finding(
          at: "text", expected: "a sentence that says '\(keyword)' once and names what is forbidden",
          found: "'\(requirement.text)'")
      }
    },
    LintRule("untestable-claimed", "No claim judges a requirement that is marked untestable.") { subject in
      subject.sources.requirements.compactMap { located in
        guard located.value.untestable != nil, let first = subject.claims[located.value.id]?.first else { return nil }
        return located.finding(
          at: "untestable", expected: "no claim about an untestable requirement",
          found: "one in \(first.value.id)")
      }
    },
  ]

  /// Matches a second negation after MUST NOT or SHOULD NOT, such as "MUST NOT send nothing" or "MUST NOT fail to
  /// send".
  nonisolated(unsafe) private static let secondNegation =
    /\b(MUST|SHOULD) NOT (((\w+ ){0,2}(no|not|never|nothing|nobody|none)|(fail|omit|neglect|refuse) to|refrain from|avoid)\b)/

  /// These requirements, and all requirements on which they depend, directly or indirectly.
  private static func grounds(
    below ids: [RequirementID], _ direct: [RequirementID: [RequirementID]]
  ) -> Set<RequirementID> {
    var all: Set<RequirementID> = []
    var next = ids
    while let id = next.popLast() {
      if all.insert(id).inserted { next += direct[id] ?? [] }
    }
    return all
  }

  /// The findings about unknown ids in the lists `position`, `includes` and `restsOn` of a requirement.
  private static func unknownIDs(
    in requirement: Requirement, _ located: Located<Requirement>, positions: [String], ids: [String]
  ) -> [LintFinding] {
    let named = requirement.positions.compactMap {
      located.unknown($0.rawValue, at: "position", "the id of a position", known: positions)
    }
    let others = [("includes", requirement.includes), ("restsOn", requirement.restsOn)].flatMap { list, others in
      others.compactMap { located.unknown($0.rawValue, at: list, "the id of a requirement", known: ids) }
    }
    return named + others
  }
}
