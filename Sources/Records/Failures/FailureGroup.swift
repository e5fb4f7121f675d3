import ConformanceModel
import ConformanceVerdict

/// Violations that probably have one cause, grouped by requirement. The requirement from which the others follow is the
/// lead.
package struct FailureGroup {
  /// The verdicts on one requirement.
  package struct Part {
    package var requirement: RequirementID
    /// The rulings. The one that is easiest to understand comes first.
    package var rulings: [RunRecord.Ruling]

    package var rule: RunRecord.Rule { rulings[0].rule }
    var instances: [CaseInstance] { rulings.map(\.instance) }
  }

  /// The requirement to look at first, with its rulings.
  package var lead: Part
  /// The other requirements that are violated in the same way.
  package var followers: [Part]
  /// The requirements that are unjudged because a requirement of the group is violated, or because the subject died.
  package var silenced: [Part] = []
  /// The place at which every requirement of the group has a finding; nil if the group has a single requirement or no
  /// such place.
  package var shared: String?

  package var requirements: Set<RequirementID> { Set([lead.requirement] + followers.map(\.requirement)) }
}

extension FailureGroup {
  /// The groups of the violations among these rulings, each with the verdicts that are unjudged because of the group.
  /// `conforming` is the number of green verdicts on each requirement.
  ///
  /// Two requirements belong to one group if a violation of one has the same mark as a violation of the other. The lead
  /// is the requirement from which most of the others follow according to the catalogue. If the same number follows
  /// from several requirements, the requirements that are violated at least as often as kept come first, and then the
  /// requirement that the document states first. Positions of the kit come last.
  static func groups(
    of violations: [RunRecord.Ruling], silenced: [RunRecord.Ruling], conforming: [RequirementID: Int]
  ) -> [FailureGroup] {
    let parts = Dictionary(grouping: violations, by: \.requirement).map { id, rulings in
      Part(requirement: id, rulings: rulings.simplestFirst)
    }
    let precedence = precedence(of: parts)
    /// The rank of a part. The part with the smallest rank leads.
    func rank(_ part: Part) -> (Int, Int, DocumentPlace) {
      let isMostlyKept = conforming[part.requirement, default: 0] > part.rulings.count
      let place = DocumentPlace(of: part.rule, part.requirement)
      return (-precedence[part.requirement, default: 0], isMostlyKept ? 1 : 0, place)
    }
    let sorted = parts.map { (rank($0), $0) }.sorted { $0.0 < $1.0 }.map(\.1)
    var groups = joined(sorted)
    let waiting = Dictionary(grouping: silenced) { $0.verdict.cause }
    let uncaused = Dictionary(grouping: waiting[nil] ?? [], by: \.instance)
    var told: Set<CaseInstance> = []
    for index in groups.indices {
      let deaths = groups[index].deaths.subtracting(told)
      told.formUnion(deaths)
      let own =
        groups[index].requirements.flatMap { waiting[$0] ?? [] } + deaths.flatMap { uncaused[$0] ?? [] }
      groups[index].silenced = Dictionary(grouping: own, by: \.requirement).sorted { $0.key < $1.key }.map {
        Part(requirement: $0, rulings: $1)
      }
    }
    return groups
  }

  /// For each requirement, the number of requirements that follow from it, minus the number of requirements from which
  /// it follows. Two requirements that follow from each other do not count.
  private static func precedence(of parts: [Part]) -> [RequirementID: Int] {
    let red = Set(parts.map(\.requirement))
    let leads = Dictionary(
      parts.map { ($0.requirement, red.intersection($0.rulings[0].leadsTo).subtracting([$0.requirement])) }
    ) { first, _ in first }
    var precedence: [RequirementID: Int] = [:]
    for (rule, followers) in leads {
      for follower in followers where !leads[follower, default: []].contains(rule) {
        precedence[rule, default: 0] += 1
        precedence[follower, default: 0] -= 1
      }
    }
    return precedence
  }

  /// Joins parts that share a mark. The groups are in the order of their first parts.
  private static func joined(_ parts: [Part]) -> [FailureGroup] {
    /// For each part, the index of an earlier part of its group, or its own index.
    var first = Array(parts.indices)
    func root(_ index: Int) -> Int {
      var index = index
      while first[index] != index { index = first[index] }
      return index
    }
    var seen: [FailureMark: Int] = [:]
    for (index, part) in parts.enumerated() {
      for mark in Set(part.rulings.flatMap(\.findings).map(FailureMark.init)) {
        if let other = seen[mark] {
          let (one, two) = (root(index), root(other))
          first[max(one, two)] = min(one, two)
        } else {
          seen[mark] = index
        }
      }
    }
    let groups = Dictionary(grouping: parts.indices, by: root).sorted { $0.key < $1.key }
    return groups.map { _, members in
      let members = members.map { parts[$0] }
      return FailureGroup(
        lead: members[0], followers: Array(members.dropFirst()), shared: Self.shared(by: members))
    }
  }

  /// The first place at which every part has a finding; nil if there is none.
  private static func shared(by parts: [Part]) -> String? {
    guard parts.count > 1, let first = parts.first else { return nil }
    let places = parts.map { part in Set(part.rulings.flatMap(\.findings).map(\.place)) }
    let common = places.dropFirst().reduce(places[0]) { $0.intersection($1) }
    return first.rulings.flatMap(\.findings).map(\.place).first(where: common.contains)
  }

  /// The runs of cases in which the subject died, according to a finding.
  private var deaths: Set<CaseInstance> {
    Set(
      ([lead] + followers).flatMap(\.rulings).filter { $0.findings.contains(where: \.isDeath) }.map(\.instance))
  }
}

extension Finding {
  /// The subject and the path, without labels and filters.
  fileprivate var place: String {
    let subject = FailureMark.withoutParticulars(subject).split(separator: " ").joined(separator: " ")
    return path == .root ? subject : "\(subject) \(path)"
  }

  /// Whether the finding is that a process of the subject ended by itself. The judge calls the subject of such a
  /// finding `the process`.
  fileprivate var isDeath: Bool { subject == "the process" }
}

extension [RunRecord.Ruling] {
  /// The rulings sorted by the length of their findings and stories, the shortest first.
  fileprivate var simplestFirst: [RunRecord.Ruling] {
    map { (length: $0.findings.count * 4 + $0.story.count, name: "\($0.instance)", ruling: $0) }
      .sorted { ($0.length, $0.name) < ($1.length, $1.name) }.map(\.ruling)
  }
}
