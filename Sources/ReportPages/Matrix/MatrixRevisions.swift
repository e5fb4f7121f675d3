import ConformanceModel
import ConformanceVerdict

/// The revisions of a protocol that a matrix shows side by side.
struct MatrixRevisions {
  /// Maps the digest of a catalogue to its revision in parentheses. This text follows the titles of the columns with
  /// this catalogue. Empty if all columns have the same catalogue.
  private let marks: [String: String]
  private let digest: String

  init(_ sources: [ParityMatrix.Source], _ catalogue: Catalogue) {
    digest = catalogue.digest
    let all = [catalogue] + sources.compactMap(\.earlier)
    let revisions = Dictionary(all.map { ($0.digest, $0.definition.revision) }) { first, _ in first }
    let isUnique = Set(revisions.values).count == revisions.count
    marks =
      revisions.count < 2
      ? [:]
      : revisions.reduce(into: [:]) { marks, one in
        marks[one.key] = isUnique ? " (\(one.value))" : " (\(one.value), pack \(one.key.prefix(8)))"
      }
  }

  /// Returns the sources. If they belong to several revisions, the label of each source then ends with its revision.
  func marked(_ sources: [ParityMatrix.Source], _ role: Role) -> [ParityMatrix.Source] {
    if marks.isEmpty { return sources }
    return sources.map { source in
      var source = source
      let mark = marks[source.earlier?.digest ?? digest] ?? ""
      source.label = MatrixColumn.subject(of: source, role).map { $0 + mark }
      return source
    }
  }

  /// The dialects of the first catalogue, followed by the dialects that only other catalogues have.
  static func dialects(_ catalogues: [Catalogue]) -> [Dialect] {
    var seen: Set<Dialect> = []
    return catalogues.flatMap(\.definition.dialects).filter { seen.insert($0).inserted }
  }

  /// The features of the first catalogue, followed by the features that only other catalogues have.
  static func features(_ catalogues: [Catalogue]) -> [ProtocolDefinition.Feature] {
    var seen: Set<Int> = []
    return catalogues.flatMap(\.definition.features).filter { seen.insert($0.number).inserted }
  }

  /// The mandatory requirements of each catalogue, by the digest of the catalogue.
  static func duties(
    _ catalogues: [Catalogue], _ role: Role, _ dialect: Dialect, _ settlement: Settlement
  ) -> [String: MatrixDuties] {
    catalogues.reduce(into: [:]) { duties, catalogue in
      if duties[catalogue.digest] == nil {
        duties[catalogue.digest] = MatrixDuties(catalogue, role, dialect, settlement)
      }
    }
  }
}
