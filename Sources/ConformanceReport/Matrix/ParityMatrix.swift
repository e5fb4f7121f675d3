import ConformanceModel

/// Feature × subject, computed from verdicts: what a subject does, does in part, or lacks, in the protocol's own order.
///
/// A cell rests on every verdict that the catalogue asks for. A run that left some out cannot make a cell *Done*.
package struct ParityMatrix: Hashable, Sendable {
  /// What a cell says.
  package enum Status: String, CaseIterable, Sendable {
    /// Every required rule of the feature holds.
    case done = "Done"
    /// Some required rules hold and some are violated.
    case partial = "Partial"
    /// None holds, and at least one is violated.
    case missing = "Missing"
    /// No rule is violated as far as was judged, and not everything was.
    case unjudged = "Unjudged"
    /// The feature has no required rule for the subject in this dialect.
    case none = "–"
  }

  /// A required rule that does not hold.
  package struct Flaw: Hashable, Sendable {
    package var requirement: RequirementID
    package var text: String
    /// The runs of cases that violate it, or that were not judged.
    package var instances: [CaseInstance]
    /// Whether the record has any verdict on it.
    package var wasRun: Bool
  }

  /// What is known of one feature of one subject in one dialect.
  package struct Cell: Hashable, Sendable {
    package var status: Status
    /// How many required rules hold, of how many that bind the subject.
    package var held: Int
    package var required: Int
    package var violated: [Flaw]
    package var unjudged: [Flaw]
  }

  /// One feature.
  package struct Row: Hashable, Sendable {
    package var feature: ProtocolDefinition.Feature
    /// In the order of ``ParityMatrix/subjects``.
    package var cells: [Cell]
  }

  /// The features as servers of one dialect see them.
  package struct Part: Hashable, Sendable {
    package var dialect: Dialect
    package var rows: [Row]
  }

  package var protocolName: String
  package var revision: String
  package var role: Role
  package var gate: Gate
  /// The columns, such as `beacon-dart 1.2.0`; of several that are called the same, the second ends in ` (2)`.
  package var subjects: [String]
  package var parts: [Part]

  /// Computes the matrix of records, each of one subject of the role; a record without the role gives no column.
  ///
  /// `dialects` are the parts; those that the records hold, in the protocol's order, when there are none.
  package init(
    of records: [RunRecord], catalogue: Catalogue, role: Role, dialects: [Dialect] = [], gate: Gate = .stated
  ) {
    let definition = catalogue.definition
    protocolName = definition.name
    revision = definition.revision
    self.role = role
    self.gate = gate
    let columns = records.compactMap { Column($0, role) }
    subjects = columns.indices.map { index in
      let name = columns[index].subject
      let earlier = columns[..<index].count { $0.subject == name }
      return earlier == 0 ? name : "\(name) (\(earlier + 1))"
    }
    let wanted = dialects.isEmpty ? definition.dialects.filter { one in columns.contains { $0.has(one) } } : dialects
    parts = wanted.map { dialect in
      let duties = Duties(catalogue, role, dialect, Settlement(gate: gate))
      let rows = definition.features.map { feature in
        Row(feature: feature, cells: columns.map { duties.cell(of: feature.number, for: $0) })
      }
      return Part(dialect: dialect, rows: rows)
    }
  }
}

/// What a record says of its subject in one role.
private struct Column {
  struct Key: Hashable {
    var requirement: RequirementID
    var instance: CaseInstance
  }

  let subject: String
  let outcomes: [Key: Verdict.Outcome]

  /// Where several take part in a role, none of them is called like it: all are named.
  init?(_ record: RunRecord, _ role: Role) {
    guard record.cases.contains(where: { $0.role == role }) else { return nil }
    let own = record.subjects.filter { $0.role == role }
    let named = (own.isEmpty ? record.subjects : own).map { "\($0.subject.name) \($0.subject.version)" }
    guard !named.isEmpty else { return nil }
    subject = named.joined(separator: " + ").visibleOnOneLine
    let rulings = record.distinctRulings.filter { $0.rule.role == role }
    outcomes = Dictionary(
      rulings.map { (Key(requirement: $0.requirement, instance: $0.instance), $0.verdict.outcome) }
    ) { first, _ in first }
  }

  func has(_ dialect: Dialect) -> Bool { outcomes.keys.contains { $0.instance.dialect == dialect } }
}

/// The required rules of one role in one dialect, each with the runs of cases that judge it.
private struct Duties {
  private typealias Duty = (requirement: Requirement, instances: [CaseInstance])

  private let byFeature: [Int: [Duty]]
  private let settlement: Settlement

  init(_ catalogue: Catalogue, _ role: Role, _ dialect: Dialect, _ settlement: Settlement) {
    self.settlement = settlement
    var instances: [RequirementID: [CaseInstance]] = [:]
    for one in catalogue.cases where one.role == role && one.dialects.contains(dialect) {
      for scenario in one.scenarios {
        let claims = scenario.claims.filter { $0.dialects?.contains(dialect) ?? true }
        let instance = CaseInstance(id: one.id, row: scenario.row, dialect: dialect)
        for id in Set(claims.map(\.requirement)) { instances[id, default: []].append(instance) }
      }
    }
    let required = catalogue.requirements.filter {
      $0.role == role && $0.withdrawn == nil && settlement.demands($0) && instances[$0.id] != nil
    }
    let duties = required.map { ($0, (instances[$0.id] ?? []).sorted()) }
    byFeature = Dictionary(grouping: duties) { $0.0.feature ?? 0 }
  }

  func cell(of feature: Int, for column: Column) -> ParityMatrix.Cell {
    var cell = ParityMatrix.Cell(status: .none, held: 0, required: 0, violated: [], unjudged: [])
    for duty in byFeature[feature] ?? [] {
      let results = duty.instances.map { instance in
        let outcome = column.outcomes[.init(requirement: duty.requirement.id, instance: instance)]
        return (instance, outcome.map { settlement.disposition(of: $0, duty.requirement) })
      }
      let applying = results.filter { $0.1 != .skipped }
      if applying.isEmpty { continue }
      cell.required += 1
      func flaw(_ instances: [CaseInstance]) -> ParityMatrix.Flaw {
        .init(
          requirement: duty.requirement.id, text: duty.requirement.text, instances: instances,
          wasRun: results.contains { $0.1 != nil })
      }
      let violating = applying.filter { $0.1 == .fail }.map(\.0)
      let open = applying.filter { $0.1 == .error || $0.1 == nil }.map(\.0)
      if !violating.isEmpty {
        cell.violated.append(flaw(violating))
      } else if !open.isEmpty {
        cell.unjudged.append(flaw(open))
      } else {
        cell.held += 1
      }
    }
    cell.status = Self.status(of: cell)
    return cell
  }

  private static func status(of cell: ParityMatrix.Cell) -> ParityMatrix.Status {
    if cell.required == 0 { return .none }
    if !cell.violated.isEmpty { return cell.held == 0 ? .missing : .partial }
    return cell.unjudged.isEmpty ? .done : .unjudged
  }
}
