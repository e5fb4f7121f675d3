import ConformanceModel
import ConformanceSpec
import JSONKit
import TextKit

/// The cases that judge each requirement, or the reason why no case judges it.
package struct Coverage: Sendable {
  /// A requirement with the cases that judge it.
  package struct Row: Hashable, Sendable {
    package var requirement: Requirement
    /// The names of the cases, in the order of the catalogue.
    package var cases: [CaseID]

    /// Explains why no case judges the requirement; `uncovered` if no reason is given. nil if a case judges it.
    package var reason: String? {
      guard cases.isEmpty else { return nil }
      if let withdrawn = requirement.withdrawn { return "withdrawn: \(withdrawn)" }
      return requirement.untestable.map { "untestable: \($0)" } ?? "uncovered"
    }

    /// Whether the requirement has neither a case nor a reason for the missing case.
    package var isUncovered: Bool {
      cases.isEmpty && requirement.untestable == nil && requirement.withdrawn == nil
    }
  }

  /// The requirements, in the order of the catalogue.
  package let rows: [Row]

  package init(_ catalogue: Catalogue) {
    var cases: [RequirementID: [CaseID]] = [:]
    for one in catalogue.cases {
      for id in Set(one.scenarios.flatMap { $0.claims.map(\.requirement) }) { cases[id, default: []].append(one.id) }
    }
    rows = catalogue.requirements.map { Row(requirement: $0, cases: cases[$0.id] ?? []) }
  }

  /// The names of the columns.
  package static let columns = ["id", "role", "level", "basis", "feature", "cases-or-reason"]

  /// The table as lines with tabs: the names of the columns first, then one line for each requirement.
  package var tsv: String {
    ([Self.columns] + rows.map(\.cells)).map { $0.joined(separator: "\t") + "\n" }.joined()
  }

  /// The table for people, with aligned columns and a line with the sums at the end.
  package var table: String {
    let table = ColumnTable([Self.columns] + rows.map(\.cells))
    return (table.lines + ["", summary]).joined(separator: "\n") + "\n"
  }

  /// The table as JSON for programs.
  package var json: JSON {
    [
      "requirements": .array(
        rows.map { row in
          .object(compact: [
            ("id", .string(row.requirement.id.rawValue)), ("role", .string(row.requirement.role.rawValue)),
            ("level", .string(row.requirement.level.rawValue)), ("basis", .string(row.requirement.basis.rawValue)),
            ("feature", row.requirement.feature.map(JSON.int)),
            ("cases", .array(row.cases.map { .string($0.rawValue) })),
            ("reason", row.reason.map(JSON.string)),
          ])
        })
    ]
  }

  /// The sums, such as `159 requirements: 150 covered by 163 cases, 4 untestable, 0 withdrawn, 5 uncovered`.
  package var summary: String {
    let cases = Set(rows.flatMap(\.cases)).count
    let bare = rows.filter(\.cases.isEmpty)
    let withdrawn = bare.count { $0.requirement.withdrawn != nil }
    let uncovered = bare.count(where: \.isUncovered)
    return "\(rows.count) requirements: \(rows.count - bare.count) covered by \(cases) cases, "
      + "\(bare.count - withdrawn - uncovered) untestable, \(withdrawn) withdrawn, \(uncovered) uncovered"
  }
}

extension Coverage.Row {
  /// One text for each column, without tabs and line ends.
  fileprivate var cells: [String] {
    let feature = requirement.feature.map { String($0) } ?? "-"
    let last = reason ?? cases.map(\.rawValue).joined(separator: " ")
    let cells = [
      requirement.id.rawValue, requirement.role.rawValue, requirement.level.rawValue, requirement.basis.rawValue,
      feature, last,
    ]
    return cells.map { $0.split { $0 == "\t" || $0.isNewline }.joined(separator: " ") }
  }
}
