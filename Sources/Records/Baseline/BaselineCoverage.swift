import ConformanceModel
import ConformanceVerdict

/// Converts the member `covers` of a baseline entry into runs of cases, and converts runs of cases into as few names of
/// cases as possible.
struct BaselineCoverage: Sendable {
  private let runs: JudgedRuns
  private let dialects: Set<Dialect>

  init(_ catalogue: Catalogue) {
    runs = JudgedRuns(catalogue)
    dialects = Set(catalogue.definition.dialects)
  }

  /// The places that an entry covers. Each place is a requirement in a run of a case.
  func places(of entry: Baseline.Entry) -> Set<JudgedPlace> {
    Set(
      entry.covers.flatMap { id, patterns in
        patterns.flatMap { runs.runs(of: id, in: $0, entry.dialects) }.map { JudgedPlace(id, in: $0) }
      })
  }

  /// The entry without the given places; nil if no place is left. A pattern with `*` stays unless all its places are
  /// removed.
  func entry(_ entry: Baseline.Entry, without gone: Set<JudgedPlace>) -> Baseline.Entry? {
    let rest = places(of: entry).subtracting(gone)
    guard !rest.isEmpty else { return nil }
    var left = entry
    guard entry.covers.values.contains(where: { $0.contains(where: \.isWide) }) else {
      (left.covers, left.dialects) = patterns(of: rest)
      if left.covers[left.cause] == nil { left.cause = left.covers.keys.min() ?? left.cause }
      return left
    }
    for (id, patterns) in entry.covers {
      let kept = patterns.flatMap { pattern -> [CasePattern] in
        let instances = runs.runs(of: id, in: pattern, entry.dialects)
        let open = instances.filter { rest.contains(JudgedPlace(id, in: $0)) }
        if open.count == instances.count || pattern.isWide && !open.isEmpty { return [pattern] }
        return open.map { CasePattern("\($0)") }
      }
      left.covers[id] = kept.isEmpty ? nil : kept
    }
    if left.covers[left.cause] == nil { left.cause = left.covers.keys.min() ?? left.cause }
    return left
  }

  /// The shortest names of cases and runs that cover exactly these places, and the dialects in which they cover them.
  /// An empty list of dialects means all dialects.
  func patterns(of places: Set<JudgedPlace>) -> (covers: [RequirementID: [CasePattern]], dialects: [Dialect]) {
    let byRequirement = Dictionary(grouping: places, by: \.requirement).mapValues { Set($0.map(\.instance)) }
    let isEverywhere = byRequirement.allSatisfy { id, instances in
      Set(instances.map(\.id)).allSatisfy { one in
        let names = Set(instances.filter { $0.id == one }.map(\.name))
        return runs.runs(of: id, in: one).allSatisfy { !names.contains($0.name) || instances.contains($0) }
      }
    }
    let meant = isEverywhere ? dialects : Set(places.map(\.instance.dialect))
    let covers = byRequirement.map { id, instances in
      (id, Dictionary(grouping: instances, by: \.id).flatMap { patterns(of: id, in: $0, Set($1), meant) }.sorted())
    }
    let isForAll = isEverywhere || meant == dialects
    return (Dictionary(uniqueKeysWithValues: covers), isForAll ? [] : meant.sorted())
  }

  /// The shortest patterns that match these runs of one case, and match no other runs that judge the requirement in the
  /// dialects `meant`.
  private func patterns(
    of id: RequirementID, in one: CaseID, _ instances: Set<CaseInstance>, _ meant: Set<Dialect>
  ) -> [CasePattern] {
    let judging = runs.runs(of: id, in: one).filter { meant.contains($0.dialect) }
    if Set(instances.map(\.name)).count > 1, instances.isSuperset(of: judging) { return [CasePattern(one.rawValue)] }
    return Dictionary(grouping: instances, by: \.name).flatMap { name, group in
      judging.allSatisfy { $0.name != name || instances.contains($0) }
        ? [CasePattern(name)] : group.map { CasePattern("\($0)") }
    }
  }
}
