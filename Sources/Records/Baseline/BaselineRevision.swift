import ConformanceModel
import ConformanceTranscript
import ConformanceVerdict

/// Compares a baseline with run records, and makes the baseline that expects the failures of these records.
package struct BaselineRevision: Sendable {
  /// A ruling of a record, and whether the baseline must expect it.
  private struct Seen {
    var ruling: RunRecord.Ruling
    /// Whether the baseline must expect the ruling: without the baseline, the ruling makes a run not conformant, and
    /// the case did not end because of the machine, an interruption or an error of the kit.
    var isDebt: Bool

    var holds: Bool { ruling.verdict.outcome == .conforms }
  }

  private let records: [RunRecord]
  private let catalogue: Catalogue
  private let coverage: BaselineCoverage
  private var seen: [JudgedPlace: [Seen]] = [:]
  private let subjects: [Subject]

  /// The records must be about one subject. If the words of a finding differ between the records, the entry for this
  /// finding contains `*` in place of the words.
  package init(_ records: [RunRecord], _ catalogue: Catalogue) {
    self.records = records
    self.catalogue = catalogue
    coverage = BaselineCoverage(catalogue)
    subjects = records.flatMap(\.subjects).map(\.subject)
    for record in records {
      let endings = Dictionary(record.cases.map { ($0.instance, $0.ending.kind) }) { first, _ in first }
      for ruling in record.rulings where !ruling.verdict.outcome.isNotApplicable {
        let isDebt = ruling.isDebt && !(endings[ruling.instance]?.isOfTheKit ?? false)
        seen[JudgedPlace(ruling), default: []].append(Seen(ruling: ruling, isDebt: isDebt))
      }
    }
  }

  /// The baseline that expects all failures of the records. The baseline has an entry for each cause or, if `smallest`,
  /// for the fewest causes that explain all failures. An entry of the old baseline stays unchanged if it still matches
  /// the records. Other entries are replaced. The new entries get the reasons, links, expiry dates and conditions of
  /// the replaced ones.
  package func written(over old: Baseline, smallest: Bool = false) -> Baseline {
    var entries: [Baseline.Entry] = []
    var replaced: [Baseline.Entry] = []
    for entry in old.entries {
      let judged = judged(by: entry)
      if judged.allSatisfy({ seen[$0, default: []].allSatisfy { isStillSaid($0, by: entry) } }) {
        entries.append(entry)
      } else {
        replaced.append(entry)
        if let rest = coverage.entry(entry, without: judged) { entries.append(rest) }
      }
    }
    let terms = BaselineTerms(Baseline(protocolName: old.protocolName, entries: entries), on: "", for: subjects)
    let open = seen.filter { place, found in
      found.contains(where: \.isDebt) && terms.entry(covering: place.requirement, in: place.instance) == nil
    }
    for isFlaky in [false, true] {
      let chosen = open.filter { $0.value.contains(where: \.holds) == isFlaky }.keys
      entries += causes(of: chosen, smallest).map { self.entry($0, isFlaky: isFlaky, inheriting: replaced) }
    }
    return Baseline(protocolName: catalogue.definition.name, entries: entries)
  }

  private func isStillSaid(_ seen: Seen, by entry: Baseline.Entry) -> Bool {
    seen.isDebt && entry.expects(seen.ruling.verdict) || entry.isFlaky && seen.holds
  }

  /// The causes of the violations at these places. A report has one card for each of these causes.
  private func causes(of places: some Collection<JudgedPlace>, _ smallest: Bool) -> [FailureCause] {
    if places.isEmpty { return [] }
    let owed = places.compactMap { place -> RunRecord.Ruling? in
      guard var ruling = seen[place]?.first(where: \.isDebt)?.ruling else { return nil }
      ruling.disposition = ruling.findings.isEmpty ? .error : .fail
      return ruling
    }
    let kept = (records.first?.rulings ?? []).filter { $0.disposition == .pass }
    return smallest ? FailureCause.fewest(of: owed + kept) : FailureCause.all(of: owed + kept)
  }

  private func entry(
    _ cause: FailureCause, isFlaky: Bool, inheriting replaced: [Baseline.Entry]
  ) -> Baseline.Entry {
    let places = Set(cause.rulings.map(JudgedPlace.init))
    let old =
      replaced.first { $0.cause == cause.lead }
      ?? replaced.first { entry in places.contains { entry.covers($0.requirement, in: $0.instance) } }
    let (covers, dialects) = coverage.patterns(of: places)
    return Baseline.Entry(
      cause: cause.lead, covers: covers, dialects: dialects, expects: expectations(of: cause),
      reason: old?.reason ?? "", isFlaky: isFlaky || old?.isFlaky ?? false, link: old?.link, expires: old?.expires,
      condition: old?.condition)
  }

  /// The expectations of an entry for a cause. If the cause is a violation, the verdicts that are unjudged because of
  /// it need no expectation, since their reasons name the violated requirement.
  private func expectations(of cause: FailureCause) -> [Baseline.Expectation] {
    let isViolation = cause.rulings.contains { !$0.findings.isEmpty }
    var all: Set<Baseline.Expectation> = []
    for ruling in cause.rulings {
      let owed = seen[JudgedPlace(ruling), default: []].filter(\.isDebt).map(\.ruling.verdict)
      all.formUnion(Self.expectations(owed.filter { !isViolation || $0.cause == nil || $0.outcome.reason == nil }))
    }
    return all.sorted { $0.sortingKey.lexicographicallyPrecedes($1.sortingKey) }
  }

  /// Expectations that match all these verdicts, which several records have at one place.
  private static func expectations(_ verdicts: [Verdict]) -> [Baseline.Expectation] {
    verdicts.map(\.expectations).reduce([]) { merged, next in
      guard merged.count == next.count else { return merged + next.filter { !merged.contains($0) } }
      let pairs = zip(merged, next).map { $0.fitting($1) }
      return pairs.contains(nil) ? merged + next.filter { !merged.contains($0) } : pairs.compactMap(\.self)
    }
  }

  /// The baseline without entries, or parts of entries, that the records show to be obsolete. Also returns a sentence
  /// about each entry that the method changed or that a person should change.
  package func pruned(_ old: Baseline) -> (baseline: Baseline, changes: [String]) {
    var changes: [String] = []
    let entries = old.entries.compactMap { entry -> Baseline.Entry? in
      if entry.isFlaky {
        guard isCalm(entry) else { return entry }
        changes.append("\(entry.title): removed, since it did not fail in the last \(records.count) records")
        return nil
      }
      let gone = judged(by: entry).filter { place in seen[place]?.allSatisfy(\.holds) ?? false }
      guard !gone.isEmpty else { return entry }
      guard let rest = coverage.entry(entry, without: gone) else {
        changes.append("\(entry.title): removed, since it is gone")
        return nil
      }
      let names = gone.map { "\($0.requirement) in \($0.instance)" }.sorted()
      let shown = names.prefix(3).joined(separator: ", ") + (names.count > 3 ? " and \(names.count - 3) more" : "")
      changes.append(
        rest == entry
          ? "\(entry.title): gone is \(shown), not all; narrow its cases"
          : "\(entry.title): removed \(shown), since it is gone")
      return rest
    }
    return (Baseline(protocolName: old.protocolName, entries: entries), changes)
  }

  /// The flaky entries that did not fail in any of the records. A single passing record does not prove that an entry is
  /// obsolete.
  package func calmEntries(of baseline: Baseline) -> [Baseline.Entry] {
    baseline.entries.filter { $0.isFlaky && isCalm($0) }
  }

  private func isCalm(_ entry: Baseline.Entry) -> Bool {
    let judged = judged(by: entry)
    return records.count > 1 && !judged.isEmpty
      && judged.allSatisfy { seen[$0, default: []].count == records.count && seen[$0, default: []].allSatisfy(\.holds) }
  }

  /// The places that an entry covers and for which the records have verdicts. Empty if the entry's condition is false
  /// for the subjects of the records.
  private func judged(by entry: Baseline.Entry) -> Set<JudgedPlace> {
    guard entry.condition?.holds(for: subjects) ?? true else { return [] }
    return coverage.places(of: entry).filter { seen[$0] != nil }
  }
}

extension RunRecord.Ruling {
  /// Whether a run is not conformant because of the ruling, or would not be conformant without the baseline.
  fileprivate var isDebt: Bool {
    switch (verdict.outcome, disposition) {
    case (.violates, .fail), (.violates, .known), (.unjudged, .error), (.unjudged, .known): true
    default: false
    }
  }
}

extension TranscriptEntry.Ending.Kind {
  /// Whether the case ended for a reason that says nothing about the subject.
  fileprivate var isOfTheKit: Bool { [.machine, .interrupted, .kitError].contains(self) }
}

extension Verdict {
  /// The expectations of a baseline entry that match exactly this verdict.
  fileprivate var expectations: [Baseline.Expectation] {
    switch outcome {
    case .violates(let findings):
      findings.map {
        let wording = $0.wording
        return .finding(
          subject: wording.subject, path: $0.path, expected: wording.expected, observed: wording.observed)
      }
    case .unjudged(let reason): [.unjudged(reason: reasonWording ?? reason)]
    case .conforms, .notApplicable: []
    }
  }
}

extension Baseline.Expectation {
  /// The texts by which the expectations of an entry are sorted in the baseline file.
  fileprivate var sortingKey: [String] {
    switch self {
    case .finding(let subject, let path, let expected, let observed):
      [subject, path.description, expected, observed ?? ""]
    case .unjudged(let reason): ["\u{FFFF}", reason]
    }
  }

  /// An expectation that matches everything that one of the two expectations matches, with `*` for the words that
  /// differ. Nil if one expects a finding and the other an unjudged verdict, or if their paths differ.
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
  /// The text with `*` for each word that differs from the other text. Only `*` if the texts have different numbers of
  /// words.
  fileprivate func fitting(_ other: String) -> String {
    if self == other { return self }
    let words = split(separator: " ", omittingEmptySubsequences: false)
    let others = other.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == others.count else { return "*" }
    return zip(words, others).map { $0 == $1 ? String($0) : "*" }.joined(separator: " ")
  }
}
