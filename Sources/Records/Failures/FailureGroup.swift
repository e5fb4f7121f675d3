import ConformanceModel
import ConformanceVerdict

/// Violations that probably have one cause, grouped by requirement. The requirement from which the others follow is the
/// lead.
package struct FailureGroup {
  /// One requirement, with the rulings on it.
  package struct Part {
    package var requirement: RequirementID
    /// The rulings on the requirement. The ruling that is easiest to understand comes first.
    package var rulings: [RunRecord.Ruling]

    package var rule: RunRecord.Rule { rulings[0].rule }
    var instances: [CaseInstance] { rulings.map(\.instance) }
  }

  /// The requirement that a developer should look at first, with its rulings.
  package var lead: Part
  /// The other violated requirements of the group.
  package var followers: [Part]
  /// The requirements that are unjudged because a requirement of the group is violated, or because the subject died.
  package var silenced: [Part] = []
  /// A place, such as `event requests $.body`, at which every requirement of the group has a finding. Nil if the group
  /// has only one requirement, or if its requirements do not share a place.
  package var shared: String?
  /// The lead of an earlier group from which this group may follow, according to the catalogue. Nil if this group
  /// follows from no earlier group.
  package var origin: RequirementID?

  package var requirements: Set<RequirementID> { Set([lead.requirement] + followers.map(\.requirement)) }
}

extension FailureGroup {
  /// Groups these violations. Each group also gets those of the `silenced` rulings that are unjudged because of it.
  /// `conforming` is the number of passes of each requirement.
  ///
  /// Two requirements belong to one group if a violation of one concerns the same observation as a violation of the
  /// other, or has the same mark. If both findings count observations, and one requirement follows from the other
  /// according to the catalogue, the two marks are allowed to have different labels, filters and expected numbers. The
  /// lead of a group is the requirement from which most of the others follow according to the catalogue. If
  /// equally many follow from two requirements, a requirement with at least as many violations as passes is preferred.
  /// If this is true of both or of neither, the one with the smaller ``DocumentPlace`` is preferred.
  static func groups(
    of violations: [RunRecord.Ruling], silenced: [RunRecord.Ruling], conforming: [RequirementID: Int]
  ) -> [FailureGroup] {
    let parts = Dictionary(grouping: violations, by: \.requirement).map { id, rulings in
      Part(requirement: id, rulings: rulings.simplestFirst)
    }
    let precedence = precedence(of: parts)
    /// The rank of a part. In each group, the part with the smallest rank becomes the lead.
    func rank(_ part: Part) -> (Int, Int, DocumentPlace) {
      let isMostlyKept = conforming[part.requirement, default: 0] > part.rulings.count
      let place = DocumentPlace(of: part.rulings[0])
      return (-precedence[part.requirement, default: 0], isMostlyKept ? 1 : 0, place)
    }
    let sorted = parts.map { (rank($0), $0) }.sorted { $0.0 < $1.0 }.map(\.1)
    var groups = joined(sorted)
    let explained = Explanations(groups)
    var told: Set<CaseInstance> = []
    let deaths = groups.map { group in
      let deaths = group.deaths.subtracting(told)
      told.formUnion(deaths)
      return deaths
    }
    let causes = Dictionary(groups.enumerated().flatMap { index, group in group.requirements.map { ($0, index) } }) {
      first, _ in first
    }
    let waiting = Dictionary(grouping: silenced) { ruling -> Int? in
      if let cause = ruling.verdict.cause, let index = causes[cause] { return index }
      let death = ruling.verdict.cause == nil ? deaths.firstIndex { $0.contains(ruling.instance) } : nil
      return death ?? explained.group(of: ruling)
    }
    for index in groups.indices {
      groups[index].silenced = Dictionary(grouping: waiting[index] ?? [], by: \.requirement)
        .sorted { $0.key < $1.key }.map { Part(requirement: $0, rulings: $1) }
    }
    return groups.naming(originsIn: [])
  }

  /// Maps each requirement to the number of requirements that follow from it, minus the number of requirements from
  /// which it follows. If two requirements follow from each other, neither counts for the other.
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

  /// Joins the parts that share an observation or a mark into groups. The groups are in the order of their first parts.
  private static func joined(_ parts: [Part]) -> [FailureGroup] {
    /// For each part, the index of an earlier part of its group, or its own index.
    var first = Array(parts.indices)
    func root(_ index: Int) -> Int {
      var index = index
      while first[index] != index { index = first[index] }
      return index
    }
    func join(_ one: Int, _ other: Int) {
      let (one, two) = (root(one), root(other))
      first[max(one, two)] = min(one, two)
    }
    var marks: [FailureMark: Int] = [:]
    var observations: [Observation: Int] = [:]
    var coarse: [FailureMark: [Int]] = [:]
    for (index, part) in parts.enumerated() {
      let findings = part.rulings.flatMap { ruling in ruling.findings.map { ($0, ruling.instance) } }
      for observation in Set(findings.map(Observation.init)) {
        if let other = observations[observation] { join(index, other) } else { observations[observation] = index }
      }
      for mark in Set(findings.map { FailureMark($0.0) }) {
        if let other = marks[mark] { join(index, other) } else { marks[mark] = index }
      }
      for mark in Set(findings.map(\.0).filter(\.countsObservations).map(FailureMark.init(coarse:))) {
        for other in coarse[mark, default: []] where part.follows(parts[other]) || parts[other].follows(part) {
          join(index, other)
        }
        coarse[mark, default: []].append(index)
      }
    }
    let groups = Dictionary(grouping: parts.indices, by: root).sorted { $0.key < $1.key }
    return groups.map { _, members in
      let members = members.map { parts[$0] }
      return FailureGroup(
        lead: members[0], followers: Array(members.dropFirst()), shared: Self.shared(by: members))
    }
  }

  /// A place at which every part has a finding; nil if the parts do not share a place.
  private static func shared(by parts: [Part]) -> String? {
    guard parts.count > 1, let first = parts.first else { return nil }
    let places = parts.map { part in Set(part.rulings.flatMap(\.findings).map(\.place)) }
    let common = places.dropFirst().reduce(places[0]) { $0.intersection($1) }
    return first.rulings.flatMap(\.findings).map(\.place).first(where: common.contains)
  }

  /// The runs of cases in which a process of the subject ended by itself, according to a finding of the group.
  private var deaths: Set<CaseInstance> {
    Set(
      ([lead] + followers).flatMap(\.rulings).filter { $0.findings.contains(where: \.isDeath) }.map(\.instance))
  }
}

extension [FailureGroup] {
  /// The groups, each with its origin: the lead of another group from which the lead of this group follows according to
  /// the catalogue. The groups in `earlier` are searched first, then the groups before this group.
  func naming(originsIn earlier: [FailureGroup]) -> [FailureGroup] {
    enumerated().map { index, group in
      var group = group
      let before = earlier + prefix(index)
      group.origin = before.first { group.lead.follows($0.lead) }?.lead.requirement
      return group
    }
  }
}

/// Finds the group of violations that explains an unjudged verdict, by the symptoms of the violations.
private struct Explanations {
  private var groups: [Symptom: Set<Int>] = [:]

  init(_ all: [FailureGroup]) {
    for (index, group) in all.enumerated() {
      let findings = ([group.lead] + group.followers).flatMap(\.rulings).flatMap(\.findings)
      for symptom in Set(findings.flatMap(Symptom.all)) { groups[symptom, default: []].insert(index) }
    }
  }

  /// Searches the reason of this unjudged ruling for the first symptom that only one group has. Returns the index of
  /// this group. Nil if the search finds no symptom.
  func group(of ruling: RunRecord.Ruling) -> Int? {
    let symptoms = Symptom.all(in: ruling.verdict.outcome.reason ?? "")
    let candidates = symptoms.compactMap { groups[$0] }.first { $0.count == 1 }
    return candidates?.first
  }
}

extension FailureGroup.Part {
  /// Whether the requirement follows from another one according to the catalogue.
  fileprivate func follows(_ other: Self) -> Bool { other.rulings[0].leadsTo.contains(requirement) }
}

extension Finding {
  /// The subject and the path of the finding, without labels and filters, such as `event requests $.body`.
  fileprivate var place: String {
    let subject = FailureMark.withoutParticulars(subject).split(separator: " ").joined(separator: " ")
    return path == .root ? subject : "\(subject) \(path)"
  }

  /// Whether the finding is that a process of the subject ended by itself. The judge calls the subject of such a
  /// finding `the process`.
  fileprivate var isDeath: Bool { subject == "the process" }
}

extension [RunRecord.Ruling] {
  /// The rulings sorted by the length of their findings and step-by-step accounts, the shortest first, and then by
  /// their cases. Among the runs of one case, the shortest names of rows and dialects come first: the row `-1` comes
  /// before the row `-168`.
  fileprivate var simplestFirst: [RunRecord.Ruling] {
    map { ($0.plainness, $0) }.sorted { $0.0 < $1.0 }.map(\.1)
  }
}

extension RunRecord.Ruling {
  /// The key by which rulings are sorted, so that the one that is easiest to understand comes first.
  fileprivate struct Plainness: Comparable {
    var length: Int
    var testCase: String
    var nameLengths: (row: Int, dialect: Int)
    var name: String

    static func == (one: Self, other: Self) -> Bool { !(one < other) && !(other < one) }

    static func < (one: Self, other: Self) -> Bool {
      if one.length != other.length { return one.length < other.length }
      if one.testCase != other.testCase { return one.testCase < other.testCase }
      if one.nameLengths != other.nameLengths { return one.nameLengths < other.nameLengths }
      return one.name < other.name
    }
  }

  fileprivate var plainness: Plainness {
    Plainness(
      length: findings.count * 4 + story.count, testCase: instance.id.rawValue,
      nameLengths: (instance.row?.count ?? 0, instance.dialect.rawValue.count), name: "\(instance)")
  }
}
