import ConformanceModel
import ConformanceVerdict

/// The outcomes of one subject in one role, from all its records.
struct MatrixColumn {
  struct Key: Hashable {
    var requirement: RequirementID
    var instance: CaseInstance
  }

  let subject: String
  /// The catalogue of an earlier revision, if the column's records were made with it; nil if they were made with the
  /// catalogue of the matrix.
  let earlier: Catalogue?
  private(set) var outcomes: [Key: Verdict.Outcome] = [:]
  /// The statements of the records on whether the adapter really calls the SDK, without repetitions. Empty for servers
  /// and references.
  private(set) var adapters: [String] = []

  /// The columns of the records with cases of the role. The columns are in the order in which their names first occur.
  static func columns(
    of sources: [ParityMatrix.Source], _ role: Role
  ) throws(ParityMatrix.Disagreement) -> [MatrixColumn] {
    var columns: [MatrixColumn] = []
    for source in sources {
      guard let subject = subject(of: source, role) else { continue }
      if !columns.contains(where: { $0.subject == subject }) {
        columns.append(MatrixColumn(subject: subject, earlier: source.earlier))
      }
      for index in columns.indices where columns[index].subject == subject {
        try columns[index].take(source.record, role)
      }
    }
    return columns
  }

  private init(subject: String, earlier: Catalogue?) {
    self.subject = subject
    self.earlier = earlier
  }

  /// The name of the column for a record: its label or, without a label, the names of its subjects with this role. It
  /// is nil if the record has no cases of the role.
  static func subject(of source: ParityMatrix.Source, _ role: Role) -> String? {
    let record = source.record
    guard record.cases.contains(where: { $0.role == role }) else { return nil }
    if let label = source.label { return label.visibleOnOneLine }
    let own = record.subjects.filter { $0.role == role }
    let named = (own.isEmpty ? record.subjects : own).map { "\($0.subject.name) \($0.subject.version)" }
    return named.isEmpty ? nil : named.joined(separator: " + ").visibleOnOneLine
  }

  /// Adds the outcomes of a record. If the records have different outcomes of the same verdict, one that is not
  /// unjudged replaces one that is unjudged. If neither is unjudged, this is an error.
  private mutating func take(_ record: RunRecord, _ role: Role) throws(ParityMatrix.Disagreement) {
    // A case of an SDK and a server together has verdicts about requirements of both.
    let own = Set(record.cases.filter { $0.role == role }.map(\.instance))
    for text in record.subjects.compactMap(\.driving?.text) where !adapters.contains(text) { adapters.append(text) }
    for ruling in record.distinctRulings where own.contains(ruling.instance) {
      let key = Key(requirement: ruling.requirement, instance: ruling.instance)
      let outcome = ruling.verdict.outcome
      guard let known = outcomes[key], !known.isUnjudged else {
        outcomes[key] = outcome
        continue
      }
      guard outcome.isUnjudged || outcome.isSameKind(as: known) else {
        throw ParityMatrix.Disagreement(subject: subject, requirement: key.requirement, instance: key.instance)
      }
    }
  }

  func has(_ dialect: Dialect) -> Bool { outcomes.keys.contains { $0.instance.dialect == dialect } }
}

extension Verdict.Outcome {
  fileprivate var isUnjudged: Bool { if case .unjudged = self { true } else { false } }

  fileprivate func isSameKind(as other: Self) -> Bool {
    switch (self, other) {
    case (.conforms, .conforms), (.violates, .violates), (.unjudged, .unjudged), (.notApplicable, .notApplicable): true
    default: false
    }
  }
}
