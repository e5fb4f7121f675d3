import ConformanceModel
import ConformanceVerdict

/// The changes between two records: each verdict that became worse, became better, is new or is gone, with the cause.
package struct RecordDiff: Hashable, Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    case worse, better, new, gone
  }

  /// The cause of a change, as far as the records show it.
  package enum Cause: String, Sendable {
    /// The subject behaves differently: the case is the same, but the outcome is different.
    case subject
    /// The pack of the kit is different: the text of the case or of the requirement has changed.
    case kit
    /// The outcome is the same, but the gate, the baseline or the selected positions of the runs are different.
    case terms
    /// Only one of the runs selected the case or judged the requirement.
    case selection
    /// One of the runs ended before it performed the case.
    case incomplete
  }

  package struct Change: Hashable, Sendable {
    package var kind: Kind
    package var requirement: RequirementID
    package var instance: CaseInstance
    package var old: Disposition?
    package var new: Disposition?
    package var cause: Cause
    /// The headline of the new verdict. If the verdict is gone, the headline of the old one. Nil for a pass.
    package var text: String?
  }

  /// A fact about the runs, such as the version of the kit, with its value in the old and in the new record.
  package struct Fact: Hashable, Sendable {
    package var name: String
    package var old: String
    package var new: String

    package var isSame: Bool { old == new }
  }

  package let facts: [Fact]
  /// The changes, sorted by kind, requirement and case.
  package let changes: [Change]
  /// The number of verdicts that both records have and that became neither worse nor better.
  package let unchanged: Int

  /// Compares two records of one protocol.
  package init(from old: RunRecord, to new: RunRecord) {
    let comparison = Comparison(old: old, new: new)
    facts = Self.facts(old, new)
    let changes = comparison.changes
    self.changes = changes.sorted { $0.order < $1.order }
    unchanged = comparison.common - changes.count { $0.kind == .worse || $0.kind == .better }
  }

  package func changes(_ kind: Kind) -> [Change] { changes.filter { $0.kind == kind } }

  /// Whether a verdict became worse.
  package var isWorse: Bool { changes.contains { $0.kind == .worse } }

  private static func facts(_ old: RunRecord, _ new: RunRecord) -> [Fact] {
    func fact(_ name: String, _ value: (RunRecord) -> String) -> Fact {
      Fact(name: name, old: value(old), new: value(new))
    }
    return [
      fact("subject") {
        $0.subjects.map { "\($0.role) \($0.subject.name) \($0.subject.version)" }.joined(separator: ", ")
      },
      fact("kit") { $0.header.kit },
      fact("revision") { $0.header.specRevision },
      fact("pack") { $0.header.packDigest },
      fact("gate") { $0.header.gate.rawValue },
      fact("baseline") { $0.header.baseline?.digest ?? "none" },
      fact("positions switched off") { $0.header.withoutPositions.map(\.rawValue).joined(separator: ", ") },
      fact("selection") { $0.header.extentOfRun },
      fact("conclusion") { $0.conclusion.word.rawValue },
    ]
  }
}

extension RecordDiff.Change {
  fileprivate var order: (Int, RequirementID, String) {
    (RecordDiff.Kind.allCases.firstIndex(of: kind) ?? 0, requirement, "\(instance)")
  }
}

extension RunRecord.Header {
  /// The command-line options that selected the run's part of the pack.
  fileprivate var extentOfRun: String {
    let words = selection + (shard?.words ?? [])
    return words.isEmpty ? "everything" : words.joined(separator: " ")
  }
}

/// A comparison of two records.
private struct Comparison {
  private struct Key: Hashable {
    var requirement: RequirementID
    var instance: CaseInstance
  }

  private let old: RunRecord
  private let new: RunRecord
  private let before: [Key: RunRecord.Ruling]
  private let after: [Key: RunRecord.Ruling]
  private let texts: (old: [CaseInstance: String], new: [CaseInstance: String])

  init(old: RunRecord, new: RunRecord) {
    (self.old, self.new) = (old, new)
    (before, after) = (Self.rulings(old), Self.rulings(new))
    texts = (Self.digests(old), Self.digests(new))
  }

  private static func rulings(_ record: RunRecord) -> [Key: RunRecord.Ruling] {
    Dictionary(record.rulings.map { (Key(requirement: $0.requirement, instance: $0.instance), $0) }) { _, last in last }
  }

  private static func digests(_ record: RunRecord) -> [CaseInstance: String] {
    Dictionary(record.cases.map { ($0.instance, $0.caseDigest) }) { _, last in last }
  }

  /// The number of verdicts that both records have.
  var common: Int { before.keys.count { after[$0] != nil } }

  var changes: [RecordDiff.Change] {
    before.compactMap { key, ruling in
      guard let later = after[key] else { return change(.gone, key, ruling, nil, cause(ofLack: new, key)) }
      guard let kind = Self.kind(ruling.disposition, later.disposition) else { return nil }
      return change(kind, key, ruling, later, cause(ruling, later, key))
    }
      + after.compactMap { key, ruling in
        before[key] == nil ? change(.new, key, nil, ruling, cause(ofLack: old, key)) : nil
      }
  }

  private func change(
    _ kind: RecordDiff.Kind, _ key: Key, _ old: RunRecord.Ruling?, _ new: RunRecord.Ruling?, _ cause: RecordDiff.Cause
  ) -> RecordDiff.Change {
    RecordDiff.Change(
      kind: kind, requirement: key.requirement, instance: key.instance, old: old?.disposition, new: new?.disposition,
      cause: cause, text: (new ?? old)?.headline)
  }

  /// The kind of the change from one disposition to another; nil if the verdict became neither better nor worse. A
  /// verdict that became unjudged is worse even if it failed before, since the violation may still exist.
  private static func kind(_ old: Disposition, _ new: Disposition) -> RecordDiff.Kind? {
    if old == new { return nil }
    if new == .error { return .worse }
    let ranks = (rank(old), rank(new))
    return ranks.0 == ranks.1 ? nil : ranks.0 < ranks.1 ? .worse : .better
  }

  private static func rank(_ disposition: Disposition) -> Int {
    switch disposition {
    case .pass, .stale: 0
    case .skipped: 1
    case .advisory: 2
    case .known: 3
    case .error: 4
    case .fail: 5
    }
  }

  private func cause(_ one: RunRecord.Ruling, _ other: RunRecord.Ruling, _ key: Key) -> RecordDiff.Cause {
    if texts.old[key.instance] != texts.new[key.instance] || one.rule != other.rule { return .kit }
    return one.verdict.outcome.word == other.verdict.outcome.word ? .terms : .subject
  }

  /// The reason why `record` does not have the verdict that the other record has.
  private func cause(ofLack record: RunRecord, _ key: Key) -> RecordDiff.Cause {
    // The run of the case exists, so the case was selected. This run judges other requirements.
    if texts.old[key.instance] != nil, texts.new[key.instance] != nil {
      return texts.old[key.instance] == texts.new[key.instance] ? .selection : .kit
    }
    if !old.header.isAsWide(as: new.header) { return .selection }
    if old.header.packDigest != new.header.packDigest { return .kit }
    return record.cases.count < record.header.planned ? .incomplete : .selection
  }
}

extension RunRecord.Header {
  /// Whether both runs selected the same part of their packs.
  fileprivate func isAsWide(as other: RunRecord.Header) -> Bool {
    selection == other.selection && roles == other.roles && dialects == other.dialects && shard == other.shard
      && withoutPositions == other.withoutPositions
  }
}
