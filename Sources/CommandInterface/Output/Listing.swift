import ArgumentParser
import JSONKit
import TextKit

/// The output of `conform list`: one line for each part of the catalogue, in named columns.
package struct Listing {
  /// The format of the lines.
  package enum Format: String, CaseIterable, ExpressibleByArgument {
    case tsv, table, json
  }

  let columns: [String]
  let rows: [[String]]

  package init(columns: [String], rows: [[String]]) {
    self.columns = columns
    self.rows = rows
  }

  package func text(as format: Format) -> TerminalText {
    switch format {
    case .tsv: .lines(rows.map { $0.map(\.visibleOnOneLine).joined(separator: "\t") + "\n" }.joined())
    case .table:
      .lines(ColumnTable([columns] + rows.map { $0.map(\.visibleOnOneLine) }).lines.map { $0 + "\n" }.joined())
    case .json: .lines(json.prettyText + "\n")
    }
  }

  /// An array with one object for each line. The members have the names of the columns.
  private var json: JSON {
    .array(
      rows.map { row in
        .object(JSON.Object(zip(columns, row).map { .init(key: $0, value: .string($1)) }))
      })
  }
}
