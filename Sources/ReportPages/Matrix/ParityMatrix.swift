import ConformanceModel
import ConformanceVerdict

/// A table that shows which subjects have which features, computed from verdicts. It has a row for each feature, in the
/// order of the protocol, and a column for each subject. A cell shows whether the subject has the feature, has it in
/// part, or lacks it.
///
/// A cell can be *Done* only if the records have a verdict on every mandatory requirement of the feature in every run
/// of a case that judges it.
package struct ParityMatrix: Hashable, Sendable {
  /// The status of a cell.
  package enum Status: String, CaseIterable, Sendable {
    /// The subject keeps every mandatory requirement of the feature.
    case done = "Done"
    /// The subject keeps some mandatory requirements and violates other mandatory requirements.
    case partial = "Partial"
    /// The subject violates mandatory requirements, and the records do not show that it keeps any.
    case missing = "Missing"
    /// No mandatory requirement is violated, but some are unjudged or all were skipped.
    case unjudged = "Unjudged"
    /// The feature has no mandatory requirement for the subject in this dialect.
    case none = "–"
  }

  /// A mandatory requirement for which the records do not show that the subject keeps it.
  package struct Flaw: Hashable, Sendable {
    package var requirement: RequirementID
    package var text: String
    /// The runs of cases in which the requirement is violated. If no run violates it, the runs in which it is unjudged
    /// or has no verdict.
    package var instances: [CaseInstance]
    /// Whether the subject's records have a verdict on the requirement.
    package var wasRun: Bool
    /// The capability that the subject lacks, if the requirement is violated only because of this lack; nil otherwise.
    package var capability: String?
  }

  /// The result for one feature of one subject in one dialect.
  package struct Cell: Hashable, Sendable {
    package var status: Status
    /// The number of mandatory requirements that the subject keeps; ``required`` is the number of all mandatory
    /// requirements that bind the subject.
    package var held: Int
    package var required: Int
    package var violated: [Flaw]
    package var unjudged: [Flaw]
    /// The number of mandatory requirements without a verdict, because their cases were not run.
    package var absent = 0
    /// The reason why all mandatory requirements of the feature were skipped; nil if at least one of them binds the
    /// subject.
    package var skipped: String?
    /// The mandatory requirements that do not apply to the subject. ``required`` does not include them.
    package var exempt: [Exemption] = []
  }

  /// A mandatory requirement that does not apply to a subject.
  package struct Exemption: Hashable, Sendable {
    package var requirement: RequirementID
    package var reason: String
  }

  /// One feature.
  package struct Row: Hashable, Sendable {
    package var feature: ProtocolDefinition.Feature
    /// The cells in the order of ``ParityMatrix/subjects``.
    package var cells: [Cell]
  }

  /// The rows of all features in one dialect.
  package struct Part: Hashable, Sendable {
    package var dialect: Dialect
    package var rows: [Row]
  }

  package var protocolName: String
  package var revision: String
  package var role: Role
  package var gate: Gate
  /// The columns, such as `beacon-dart 1.2.0`.
  package var subjects: [String]
  /// For each column, a text that reports whether the adapter really calls the SDK, such as `drives the SDK (603 cases
  /// with a broken one)`. The text is empty for servers and references.
  package var adapters: [String]
  package var parts: [Part]
  /// One row for each feature in all dialects together. A cell contains the worst status of the feature in any dialect,
  /// and the sums of the numbers of all dialects. Empty if the matrix has only one dialect.
  package var overall: [Row]

  /// A record for the matrix. If it has a label, the label replaces the subject's name as the title of the column.
  package struct Source: Sendable {
    package var record: RunRecord
    package var label: String?
    /// The catalogue of an earlier revision, if the record was made with it; nil if it was made with the catalogue of
    /// the matrix.
    package var earlier: Catalogue?

    package init(_ record: RunRecord, label: String? = nil, earlier: Catalogue? = nil) {
      self.record = record
      self.label = label
      self.earlier = earlier
    }
  }

  /// The error that two records of one column have different outcomes of the same verdict.
  package struct Disagreement: Error, Hashable, Sendable, CustomStringConvertible {
    package var subject: String
    package var requirement: RequirementID
    package var instance: CaseInstance

    package var description: String {
      "two records of \(subject) disagree about \(requirement) in \(instance.title): "
        + "call their columns by different names (NAME=RECORD), or leave the older one out"
    }
  }

  /// Computes the matrix of records. Records with the same subject or label form one column. A record without cases of
  /// the role is left out.
  ///
  /// - Parameter dialects: the dialects that the matrix shows. If it is empty, the matrix shows the dialects that occur
  ///   in the records, in the protocol's order.
  package init(
    of sources: [Source], catalogue: Catalogue, role: Role, dialects: [Dialect] = [], gate: Gate = .stated
  ) throws(Disagreement) {
    let definition = catalogue.definition
    protocolName = definition.name
    revision = definition.revision
    self.role = role
    self.gate = gate
    let columns = try MatrixColumn.columns(of: MatrixRevisions(sources, catalogue).marked(sources, role), role)
    subjects = columns.map(\.subject)
    adapters = columns.map { $0.adapters.joined(separator: "; ") }
    let catalogues = [catalogue] + sources.compactMap(\.earlier)
    let wanted =
      dialects.isEmpty
      ? MatrixRevisions.dialects(catalogues).filter { one in columns.contains { $0.has(one) } } : dialects
    parts = wanted.map { dialect in
      let duties = MatrixRevisions.duties(catalogues, role, dialect, Settlement(gate: gate))
      let rows = MatrixRevisions.features(catalogues).map { feature in
        Row(
          feature: feature,
          cells: columns.map { column in
            let cell = duties[column.earlier?.digest ?? catalogue.digest]?.cell(of: feature.number, for: column)
            return cell ?? Cell(status: .none, held: 0, required: 0, violated: [], unjudged: [])
          })
      }
      return Part(dialect: dialect, rows: rows)
    }
    overall = Self.overall(parts)
  }

  private static func overall(_ parts: [Part]) -> [Row] {
    guard let first = parts.first, parts.count > 1 else { return [] }
    return first.rows.indices.map { row in
      Row(
        feature: first.rows[row].feature,
        cells: first.rows[row].cells.indices.map { column in
          let cells = parts.map { $0.rows[row].cells[column] }
          let worst = cells.map(\.status).max { $0.severity < $1.severity } ?? .none
          return Cell(
            status: worst, held: cells.reduce(0) { $0 + $1.held }, required: cells.reduce(0) { $0 + $1.required },
            violated: [], unjudged: [], absent: cells.reduce(0) { $0 + $1.absent })
        })
    }
  }
}

extension ParityMatrix.Status {
  /// The severity of a status. The worst status is the one with the greatest severity.
  fileprivate var severity: Int {
    switch self {
    case .none: 0
    case .done: 1
    case .unjudged: 2
    case .partial: 3
    case .missing: 4
    }
  }
}
