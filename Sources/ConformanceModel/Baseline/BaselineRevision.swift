/// What records show of a baseline, and the baseline as it should be after them.
package struct BaselineRevision: Sendable {
  /// What a record found of a rule in a run of a case.
  private struct Seen {
    var outcome: Verdict.Outcome
    /// Whether it keeps a run from being conformant, and the subject can be at fault.
    var isDebt: Bool
  }

  private let records: [RunRecord]
  private let catalogue: Catalogue
  private var seen: [RequirementID: [CaseInstance: [Seen]]] = [:]
  private let subjects: [Subject]

  /// The records are of one subject; where what they found differs, as ports and times do, any text will be expected.
  package init(_ records: [RunRecord], _ catalogue: Catalogue) {
    self.records = records
    self.catalogue = catalogue
    subjects = records.flatMap(\.subjects).map(\.subject)
    for record in records {
      let endings = Dictionary(record.cases.map { ($0.instance, $0.ending.kind) }) { first, _ in first }
      for ruling in record.rulings {
        let instance = ruling.verdict.instance
        let isDebt = ruling.isDebt && !(endings[instance]?.isOfTheKit ?? false)
        seen[ruling.verdict.requirement, default: [:]][instance, default: []].append(
          Seen(outcome: ruling.verdict.outcome, isDebt: isDebt))
      }
    }
  }

  /// The baseline that expects all that the records found wrong. Entries that still say what was found stay as they are;
  /// others give their reason, link and terms to those that take their place.
  package func written(over old: Baseline) -> Baseline {
    var entries: [Baseline.Entry] = []
    var replaced: [Baseline.Entry] = []
    for entry in old.entries {
      let runs = judged(by: entry)
      if runs.allSatisfy({ run in run.seen.allSatisfy { $0.isDebt && entry.expects($0.outcome) } }) {
        entries.append(entry)
      } else {
        replaced.append(entry)
        if let rest = entry.without(Set(runs.map(\.instance.dialect)), of: dialects(of: entry)) { entries.append(rest) }
      }
    }
    let terms = BaselineTerms(Baseline(protocolName: old.protocolName, entries: entries), on: "", for: subjects)
    for (requirement, runs) in seen {
      let open = runs.filter { instance, found in
        found.contains(where: \.isDebt) && terms.entry(covering: requirement, in: instance) == nil
      }
      for (name, group) in Dictionary(grouping: open, by: \.key.name) {
        entries += self.entries(requirement, name, group.map { ($0.key, $0.value) }, inheriting: replaced)
      }
    }
    return Baseline(protocolName: catalogue.definition.name, entries: entries)
  }

  /// The baseline without what the records show to be gone, and a sentence for each entry that changed or should.
  package func pruned(_ old: Baseline) -> (baseline: Baseline, changes: [String]) {
    var changes: [String] = []
    let entries = old.entries.compactMap { entry -> Baseline.Entry? in
      let runs = judged(by: entry)
      let byDialect = Dictionary(grouping: runs, by: \.instance.dialect)
      let gone = byDialect.filter { $0.value.allSatisfy(\.isGone) }.keys
      if runs.contains(where: \.isGone), gone.isEmpty {
        let instance = runs.first(where: \.isGone)?.instance
        changes.append("\(entry.title): gone in \(instance.map { "\($0)" } ?? "a case"), not in all; narrow its cases")
      }
      guard !gone.isEmpty else { return entry }
      let rest = entry.without(Set(gone), of: dialects(of: entry))
      let place = rest == nil ? "" : gone.sorted().map { " @\($0)" }.joined()
      changes.append("\(entry.title): removed\(place), since it is gone")
      return rest
    }
    return (Baseline(protocolName: old.protocolName, entries: entries), changes)
  }

  /// A run of a case that an entry covers, and what the records found there.
  private struct Run {
    var instance: CaseInstance
    var seen: [Seen]

    var isGone: Bool { seen.allSatisfy { $0.outcome == .conforms } }
  }

  /// The runs that an entry covers and the records judged; none where its condition does not hold for their subjects.
  private func judged(by entry: Baseline.Entry) -> [Run] {
    guard entry.condition?.holds(for: subjects) ?? true else { return [] }
    return (seen[entry.requirement] ?? [:]).filter { entry.covers(entry.requirement, in: $0.key) }
      .map { Run(instance: $0.key, seen: $0.value.filter { !$0.outcome.isNotApplicable }) }.filter { !$0.seen.isEmpty }
  }

  /// The dialects that an entry can be about.
  private func dialects(of entry: Baseline.Entry) -> [Dialect] {
    let cases = catalogue.cases.filter { one in
      one.scenarios.contains {
        entry.covers(caseNamed: CaseInstance(id: one.id, row: $0.row, dialect: "").name, one.id.rawValue)
      }
    }
    return judging(entry.requirement, cases)
  }

  private func judging(_ requirement: RequirementID, _ cases: [Case]) -> [Dialect] {
    catalogue.definition.dialects.filter { dialect in
      cases.contains { one in
        one.dialects.contains(dialect)
          && one.scenarios.contains { scenario in
            scenario.claims.contains { $0.requirement == requirement && $0.dialects?.contains(dialect) ?? true }
          }
      }
    }
  }

  /// An entry for each kind of finding of a rule in a case, with the dialects that show it.
  private func entries(
    _ requirement: RequirementID, _ name: String, _ runs: [(CaseInstance, [Seen])],
    inheriting replaced: [Baseline.Entry]
  ) -> [Baseline.Entry] {
    let kinds = Dictionary(grouping: runs) { _, found in Self.expectations(found.filter(\.isDebt).map(\.outcome)) }
    return kinds.map { expects, group in
      let instances = group.map(\.0).sorted()
      let all = catalogue.case(instances[0].id).map { judging(requirement, [$0]) } ?? []
      let old = replaced.first { entry in instances.contains { entry.covers(requirement, in: $0) } }
      let isEverywhere = Set(instances.map(\.dialect)).isSuperset(of: all)
      return Baseline.Entry(
        requirement: requirement, cases: name, dialects: isEverywhere ? [] : instances.map(\.dialect).sorted(),
        expects: expects, reason: old?.reason ?? "", link: old?.link, expires: old?.expires,
        condition: old?.condition)
    }
  }

  /// What an entry has to expect so that it fits all of these.
  private static func expectations(_ outcomes: [Verdict.Outcome]) -> [Baseline.Expectation] {
    outcomes.map(\.expectations).reduce([]) { merged, next in
      guard merged.count == next.count else { return merged + next.filter { !merged.contains($0) } }
      let pairs = zip(merged, next).map { $0.fitting($1) }
      return pairs.contains(nil) ? merged + next.filter { !merged.contains($0) } : pairs.compactMap(\.self)
    }
  }
}

extension RunRecord.Ruling {
  /// Whether it keeps a run from being conformant, or would without the baseline.
  fileprivate var isDebt: Bool {
    switch (verdict.outcome, disposition) {
    case (.violates, .fail), (.violates, .known), (.unjudged, .error), (.unjudged, .known): true
    default: false
    }
  }
}

extension TranscriptEntry.Ending.Kind {
  /// Whether a case that ended so says nothing of its subject.
  fileprivate var isOfTheKit: Bool { [.machine, .interrupted, .kitError].contains(self) }
}

extension Baseline.Entry {
  /// The entry without some dialects of those that it is about; nil when none is left.
  fileprivate func without(_ gone: Set<Dialect>, of all: [Dialect]) -> Baseline.Entry? {
    let rest = (dialects.isEmpty ? all : dialects).filter { !gone.contains($0) }
    guard !rest.isEmpty else { return nil }
    var entry = self
    entry.dialects = rest
    return entry
  }
}

extension Verdict.Outcome {
  /// What an entry expects that expects exactly this.
  fileprivate var expectations: [Baseline.Expectation] {
    switch self {
    case .violates(let findings):
      findings.map {
        .finding(subject: $0.subject, path: $0.path, expected: $0.expected, observed: $0.observed)
      }
    case .unjudged(let reason): [.unjudged(reason: reason)]
    case .conforms, .notApplicable: []
    }
  }
}

extension Baseline.Expectation {
  /// What fits both, with `*` for what differs; nil when they speak of different things.
  fileprivate func fitting(_ other: Self) -> Self? {
    switch (self, other) {
    case (.unjudged(let one), .unjudged(let two)): .unjudged(reason: one.fitting(two))
    case (
      .finding(let subject, let path, let expected, let observed?),
      .finding(let otherSubject, let otherPath, let otherExpected, let otherObserved?)
    ):
      path == otherPath
        ? .finding(
          subject: subject.fitting(otherSubject), path: path, expected: expected.fitting(otherExpected),
          observed: observed.fitting(otherObserved)) : nil
    default: nil
    }
  }
}

extension String {
  /// The text with `*` in the place of the part in which it differs from another.
  fileprivate func fitting(_ other: String) -> String {
    if self == other { return self }
    let prefix = commonPrefix(with: other)
    let rest = (dropFirst(prefix.count), other.dropFirst(prefix.count))
    let suffix = zip(rest.0.reversed(), rest.1.reversed()).prefix { $0 == $1 }.map(\.0).reversed()
    return prefix + "*" + String(suffix)
  }

  private func commonPrefix(with other: String) -> String { String(zip(self, other).prefix { $0 == $1 }.map(\.0)) }
}
