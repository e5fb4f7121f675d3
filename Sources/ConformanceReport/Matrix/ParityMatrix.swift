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
  /// The columns, such as `linkforty-dart 1.2.0`; of several that are called the same, the second ends in ` (2)`.
  package var subjects: [String]
  package var parts: [Part]

  /// Computes the matrix of records, each of one subject of the role; a record without the role gives no column.
  ///
  /// `dialects` are the parts; those that the records hold, in the protocol's order, when there are none.
  package init(
    of records: [RunRecord], catalogue: Catalogue, role: Role = .sdk, dialects: [Dialect] = [], gate: Gate = .stated
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
      let duties = Duties(catalogue, role, dialect, gate)
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

  /// Subjects stand in a record in the order in which the roles were run.
  init?(_ record: RunRecord, _ role: Role) {
    var roles: [Role] = []
    for one in record.cases where !roles.contains(one.role) { roles.append(one.role) }
    guard let index = roles.firstIndex(of: role), record.subjects.indices.contains(index) else { return nil }
    subject = "\(record.subjects[index].name) \(record.subjects[index].version)".visibleOnOneLine
    let own = record.distinctRulings.filter { $0.rule.role == role }
    outcomes = Dictionary(
      own.map { (Key(requirement: $0.requirement, instance: $0.instance), $0.verdict.outcome) }
    ) { first, _ in first }
  }

  func has(_ dialect: Dialect) -> Bool { outcomes.keys.contains { $0.instance.dialect == dialect } }
}

/// The required rules of one role in one dialect, each with the runs of cases that judge it.
private struct Duties {
  private typealias Duty = (requirement: Requirement, instances: [CaseInstance])

  private let byFeature: [Int: [Duty]]

  init(_ catalogue: Catalogue, _ role: Role, _ dialect: Dialect, _ gate: Gate) {
    var instances: [RequirementID: [CaseInstance]] = [:]
    for one in catalogue.cases where one.role == role && one.dialects.contains(dialect) {
      for scenario in one.scenarios {
        let claims = scenario.claims.filter { $0.dialects?.contains(dialect) ?? true }
        let instance = CaseInstance(id: one.id, row: scenario.row, dialect: dialect)
        for id in Set(claims.map(\.requirement)) { instances[id, default: []].append(instance) }
      }
    }
    let required = catalogue.requirements.filter {
      $0.role == role && $0.withdrawn == nil && gate.demands($0.level, $0.basis) && instances[$0.id] != nil
    }
    let duties = required.map { ($0, (instances[$0.id] ?? []).sorted()) }
    byFeature = Dictionary(grouping: duties) { $0.0.feature ?? 0 }
  }

  func cell(of feature: Int, for column: Column) -> ParityMatrix.Cell {
    var cell = ParityMatrix.Cell(status: .none, held: 0, required: 0, violated: [], unjudged: [])
    for duty in byFeature[feature] ?? [] {
      let outcomes = duty.instances.map { instance in
        (instance, column.outcomes[.init(requirement: duty.requirement.id, instance: instance)])
      }
      let applying = outcomes.filter { if case .notApplicable = $0.1 { false } else { true } }
      if applying.isEmpty { continue }
      cell.required += 1
      func flaw(_ instances: [CaseInstance]) -> ParityMatrix.Flaw {
        .init(
          requirement: duty.requirement.id, text: duty.requirement.text, instances: instances,
          wasRun: outcomes.contains { $0.1 != nil })
      }
      let violating = applying.filter { if case .violates = $0.1 { true } else { false } }.map(\.0)
      let open = applying.filter { if case .unjudged? = $0.1 { true } else { $0.1 == nil } }.map(\.0)
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
