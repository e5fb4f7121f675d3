import ConformanceModel
import ConformanceVerdict

/// The change of one requirement from the pack of a record to the pack with which the record is compared.
package struct RequirementChange: Hashable, Sendable {
  /// The kinds of changes, in the order of reports.
  package enum Kind: String, CaseIterable, Sendable {
    case new, stricter, weaker, reworded, gone
  }

  package var kind: Kind
  package var id: RequirementID
  /// The requirement in the pack of the record; nil if it is new.
  package var old: Terms?
  /// The requirement in the new pack; nil if it is gone.
  package var new: Terms?
  /// The reason why the requirement was withdrawn; nil if the pack contains no reason.
  package var reason: String?

  /// The level and the basis of a requirement, and its sentence.
  package struct Terms: Hashable, Sendable {
    package var level: Requirement.Level
    package var basis: Requirement.Basis
    package var text: String

    init(_ rule: RunRecord.Rule) { (level, basis, text) = (rule.level, rule.basis, rule.text) }
    init(_ requirement: Requirement) {
      (level, basis, text) = (requirement.level, requirement.basis, requirement.text)
    }

    /// A number for comparing how much requirements demand. The requirements that the gate demands have higher numbers
    /// than all others. Within both groups, a MUST has a higher number than a SHOULD.
    fileprivate func rank(_ gate: Gate) -> Int {
      let level =
        switch level {
        case .observe: 0
        case .may: 1
        case .should, .shouldNot: 2
        case .must, .mustNot: 3
        }
      return (gate.demands(self.level, basis) ? 4 : 0) + level
    }
  }

  /// The change of a requirement that both packs contain; nil if level, basis and text are the same in both.
  static func between(_ old: Terms, _ new: Terms, of id: RequirementID, gate: Gate) -> RequirementChange? {
    if old == new { return nil }
    let ranks = (old.rank(gate), new.rank(gate))
    let kind: Kind = ranks.0 < ranks.1 ? .stricter : ranks.0 > ranks.1 ? .weaker : .reworded
    return RequirementChange(kind: kind, id: id, old: old, new: new)
  }

  /// All changes, sorted by kind and id.
  ///
  /// - Parameter asked: the requirements that a run with the record's options covers in the new pack.
  static func all(from record: RunRecord, to catalogue: Catalogue, asked: [Requirement]) -> [RequirementChange] {
    let rules = Dictionary(record.rulings.map { ($0.verdict.requirement, Terms($0.rule)) }) { first, _ in first }
    let known = Set(rules.keys).union(record.header.withoutCase)
    let new = asked.filter { !known.contains($0.id) }.map {
      RequirementChange(kind: .new, id: $0.id, old: nil, new: Terms($0))
    }
    let others = rules.compactMap { id, old -> RequirementChange? in
      guard let requirement = catalogue.requirement(id), requirement.withdrawn == nil else {
        let reason = catalogue.requirement(id)?.withdrawn
        return RequirementChange(kind: .gone, id: id, old: old, new: nil, reason: reason)
      }
      return between(old, Terms(requirement), of: id, gate: record.header.gate)
    }
    return (new + others).sorted { ($0.kind.place, $0.id) < ($1.kind.place, $1.id) }
  }
}

extension RequirementChange.Kind {
  fileprivate var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
