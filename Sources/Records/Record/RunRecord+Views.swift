import ConformanceModel
import ConformanceVerdict

extension RunRecord {
  /// One ruling for each requirement and run of a case, sorted by requirement and case. If the record contains several
  /// rulings about the same requirement and run, the worst of them represents all. If the worst ruling has findings,
  /// the findings of the others are added to it.
  package var distinctRulings: [Ruling] {
    // Each name is made once, not at every comparison, and the sorted values are small.
    let places = rulings.indices.map { (rulings[$0].requirement, "\(rulings[$0].instance)", $0) }.sorted { $0 < $1 }
    var distinct: [Ruling] = []
    distinct.reserveCapacity(places.count)
    var rest = places[...]
    while let (requirement, instance, _) = rest.first {
      let alike = rest.prefix { $0.0 == requirement && $0.1 == instance }
      rest = rest[alike.endIndex...]
      if let merged = Self.merged(alike.map { rulings[$0.2] }) { distinct.append(merged) }
    }
    return distinct
  }

  private static func merged(_ rulings: [Ruling]) -> Ruling? {
    if rulings.count == 1 { return rulings[0] }
    guard var worst = rulings.worst else { return nil }
    let findings = rulings.flatMap(\.findings)
    if !findings.isEmpty, !worst.findings.isEmpty { worst.verdict.outcome = .violates(findings) }
    return worst
  }

  /// Maps each run of a case to the record's line about it.
  package var runs: [CaseInstance: CaseRun] { Dictionary(cases.map { ($0.instance, $0) }) { _, last in last } }
}

extension RunRecord.Ruling {
  package var instance: CaseInstance { verdict.instance }
  package var requirement: RequirementID { verdict.requirement }
  package var findings: [Finding] { verdict.outcome.findings }

  /// The name of the ruling in reports. It is unique in a record.
  package var testName: String { "\(requirement) \(instance.title)".visibleOnOneLine }

  /// One line about the ruling: the first finding of a violation, the advice to remove a stale entry of the baseline,
  /// or the reason of any other verdict. Nil for a pass.
  package var headline: String? {
    let text: String? =
      switch disposition {
      case .pass: nil
      case .fail, .advisory, .known:
        findings.first?.description ?? verdict.outcome.reason ?? "violated, without a finding"
      case .stale: "the baseline expects a violation that is no longer there: remove its entry"
      case .error, .skipped: verdict.outcome.reason ?? "no reason is given"
      }
    return text?.visibleOnOneLine
  }

  /// The headline without ports, ids and numbers of entries. So rulings with the same result have the same headline in
  /// all runs, and programs can group rulings by it.
  package var normalHeadline: String? {
    switch disposition {
    case .fail, .advisory, .known:
      (findings.first?.normalDescription ?? verdict.reasonWording ?? headline)?.visibleOnOneLine
    case .error, .skipped: (verdict.reasonWording ?? headline)?.visibleOnOneLine
    case .pass, .stale: headline
    }
  }
}

extension Finding {
  /// The description of the finding without ports, ids and numbers of entries, such as `event requests: expected 1,
  /// observed 2`.
  fileprivate var normalDescription: String {
    let place = path == .root ? wording.subject : "\(wording.subject) \(path)"
    return "\(place): expected \(wording.expected), observed \(wording.observed)"
  }
}

extension RunRecord.Rule {
  /// The source of the requirement, such as `Some specification, 13 Offline resilience, revision 2026-03-12 (stated)`.
  package var citation: String {
    "\(source.document), \(source.section), revision \(source.revision) (\(basis.rawValue))"
  }
}

extension CaseInstance {
  /// The title of the run of a case, such as `offline.capacity[101] @core-1.21`.
  package var title: String { "\(name) @\(dialect)" }
}

extension Double {
  /// The value, a time in milliseconds, without decimals; 0 if it is negative, not a number or too large.
  package var wholeMilliseconds: Int { self >= 0 && self <= 1e15 ? Int(rounded()) : 0 }
}

extension Sequence<RunRecord.Ruling> {
  /// The ruling whose disposition is worst: the first of them if there are several, and nil without any ruling.
  package var worst: RunRecord.Ruling? {
    var worst: RunRecord.Ruling?
    for one in self where worst.map({ $0.disposition.severity < one.disposition.severity }) ?? true { worst = one }
    return worst
  }
}

extension Disposition {
  /// The severity of a ruling with this disposition. The worst ruling is the one with the greatest severity.
  fileprivate var severity: Int {
    switch self {
    case .pass: 0
    case .skipped: 1
    case .advisory: 2
    case .known: 3
    case .error: 4
    case .stale: 5
    case .fail: 6
    }
  }
}
