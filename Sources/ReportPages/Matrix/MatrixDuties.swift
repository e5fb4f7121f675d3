import ConformanceModel
import ConformanceVerdict

/// The mandatory requirements of one role in one dialect, each with the runs of cases that judge it.
struct MatrixDuties {
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
      $0.withdrawn == nil && settlement.demands($0) && instances[$0.id] != nil
    }
    let duties = required.map { ($0, (instances[$0.id] ?? []).sorted()) }
    byFeature = Dictionary(grouping: duties) { $0.0.feature ?? 0 }
  }

  func cell(of feature: Int, for column: MatrixColumn) -> ParityMatrix.Cell {
    var cell = ParityMatrix.Cell(status: .none, held: 0, required: 0, violated: [], unjudged: [])
    var skips: [String] = []
    for duty in byFeature[feature] ?? [] {
      let results = duty.instances.map { instance in
        (instance, column.outcomes[.init(requirement: duty.requirement.id, instance: instance)])
      }
      let applying = results.filter { !($0.1?.isNotApplicable ?? false) }
      if applying.isEmpty {
        let reasons = results.compactMap(\.1?.reason)
        skips += reasons
        cell.exempt.append(.init(requirement: duty.requirement.id, reason: reasons.first ?? "no reason is given"))
        continue
      }
      cell.required += 1
      let flaw = ParityMatrix.Flaw(
        requirement: duty.requirement.id, text: duty.requirement.text, instances: [],
        wasRun: results.contains { $0.1 != nil })
      let violating = applying.filter { !($0.1?.findings.isEmpty ?? true) }.map(\.0)
      let open = applying.filter { $0.1.map { $0.reason != nil } ?? true }.map(\.0)
      if !violating.isEmpty {
        cell.violated.append(flaw.about(violating, lacking: capability(duty, violating, column)))
      } else if !open.isEmpty {
        cell.unjudged.append(flaw.about(open))
        if !flaw.wasRun { cell.absent += 1 }
      } else {
        cell.held += 1
      }
    }
    // If the feature binds the subject but was not tested at all, the cell is neither done nor empty.
    if cell.required == 0 { cell.skipped = skips.first }
    cell.status = Self.status(of: cell)
    return cell
  }

  /// The missing capability, if all findings in these runs of cases report that the subject lacks this one capability;
  /// nil otherwise.
  private func capability(_ duty: Duty, _ instances: [CaseInstance], _ column: MatrixColumn) -> String? {
    let findings = instances.flatMap { instance in
      column.outcomes[.init(requirement: duty.requirement.id, instance: instance)]?.findings ?? []
    }
    let names = Set(findings.map { $0.isMissingCapability ? $0.subject : "" })
    return names.count == 1 ? names.first.flatMap { $0.isEmpty ? nil : $0 } : nil
  }

  private static func status(of cell: ParityMatrix.Cell) -> ParityMatrix.Status {
    if cell.required == 0 { return cell.skipped == nil ? .none : .unjudged }
    // A violation decides, even if other requirements are unjudged.
    if !cell.violated.isEmpty { return cell.held > 0 ? .partial : .missing }
    return cell.unjudged.isEmpty ? .done : .unjudged
  }
}

extension ParityMatrix.Flaw {
  fileprivate func about(_ instances: [CaseInstance], lacking capability: String? = nil) -> Self {
    var flaw = self
    flaw.instances = instances
    flaw.capability = capability
    return flaw
  }
}
