import ConformanceModel
import ConformanceSpec
import JSONKit
import TextKit

/// A table of coverage. A row is about a thing, such as a member, and a column is about a circumstance. Each cell
/// contains the number of cases or claims for the thing in this circumstance, or the reason why there are none.
package struct CoverageGrid: Hashable, Sendable {
  /// A cell of the table.
  package struct Cell: Hashable, Sendable {
    /// The number of cases or claims.
    package var count: Int
    /// The reason why the count is 0; nil if no reason is given.
    package var reason: String?

    package var isEmpty: Bool { count == 0 && reason == nil }
  }

  /// A column: a circumstance.
  package struct Column: Hashable, Sendable {
    package var name: String
    /// The heading of the column.
    package var heading: String
    package var text: String
  }

  /// A row: a thing, with the group that it belongs to.
  package struct Row: Hashable, Sendable {
    package var group: String
    package var name: String
    /// One cell for each column; nil if the row and the column cannot be combined.
    package var cells: [Cell?]
  }

  package var columns: [Column]
  package var rows: [Row]
  /// The unit of the counts, such as `claims`.
  package var unit: String

  package init(columns: [Column], rows: [Row], unit: String) {
    self.columns = columns
    self.rows = rows
    self.unit = unit
  }

  /// The name of a cell, such as `Link.code reset`. A reason in `coverage.yaml` refers to cells by name.
  static func name(of row: Row, _ column: Column) -> String { "\(row.group)\(row.name) \(column.name)" }

  /// Every existing cell, with its name.
  package var cells: [(name: String, cell: Cell)] {
    rows.flatMap { row in
      zip(row.cells, columns).compactMap { cell, column in cell.map { (Self.name(of: row, column), $0) } }
    }
  }

  /// The same table with these reasons in the cells whose count is 0.
  func explained(by reasons: [CoverageNotes.Reason]) -> CoverageGrid {
    let known = reasons.map { (Wildcard($0.pattern), $0.text) }
    var result = self
    for (index, row) in rows.enumerated() {
      for (place, column) in columns.enumerated() where row.cells[place]?.count == 0 {
        let name = Self.name(of: row, column)
        result.rows[index].cells[place]?.reason = known.first { $0.0.matches(name) }?.1
      }
    }
    return result
  }

  /// The names of the cells whose count is 0.
  package var openCells: [String] { cells.filter { $0.cell.count == 0 }.map(\.name) }
}

// MARK: Views

extension CoverageGrid {
  /// The width of the table in characters, so that it fits a narrow terminal.
  private static let width = 80
  /// The indentation of a row in a group.
  private static let indent = "  "

  /// The table for people. A cell that cannot exist shows `.`. A cell whose count is 0 shows a letter that refers to a
  /// reason below the table, or nothing if no reason is given.
  package var text: String {
    let reasons = rows.flatMap(\.cells).compactMap { $0?.reason }.reduce(into: [String]()) { known, reason in
      if !known.contains(reason) { known.append(reason) }
    }
    let marks = Dictionary(uniqueKeysWithValues: reasons.enumerated().map { ($0.element, Self.mark($0.offset)) })
    let legend = columns.flatMap { Self.entry($0.heading, $0.text, indent: 10) }
    let notes = reasons.flatMap { Self.entry(marks[$0] ?? "", $0, indent: 4) }
    let parts = [legend, table(marks), notes, summary.wrapped(at: Self.width)].filter { !$0.isEmpty }
    return parts.map { $0.joined(separator: "\n") }.joined(separator: "\n\n") + "\n"
  }

  /// The sums, such as `120 cells: 80 with claims, 12 with a reason, 28 empty`.
  package var summary: String {
    let cells = cells.map(\.cell)
    return "\(cells.count) cells: \(cells.count { $0.count > 0 }) with \(unit), "
      + "\(cells.count { $0.reason != nil }) with a reason, \(cells.count(where: \.isEmpty)) empty"
  }

  /// The lines of the table. A group has its own line, and so has a name that is too long for the space before its
  /// cells.
  private func table(_ marks: [String: String]) -> [String] {
    let widths = columns.map { max(3, $0.heading.count) }
    let gap = ColumnTable.gap.count
    let longest = rows.map { $0.name.count + ($0.group.isEmpty ? 0 : Self.indent.count) }.max() ?? 0
    let room = min(longest, Self.width - widths.reduce(0) { $0 + $1 + gap })
    func line(_ name: String, _ cells: [String]) -> String {
      let right = zip(cells, widths).map { ColumnTable.gap + $0.aligned(to: $1) }
      let whole = name.padded(to: room) + right.joined()
      return String(whole.reversed().drop { $0 == " " }.reversed())
    }
    var lines = [line("", columns.map(\.heading))]
    var group = ""
    for row in rows {
      if row.group != group {
        group = row.group
        lines.append(String(group.drop { $0 == "." }.reversed().drop { $0 == "." }.reversed()))
      }
      let name = (group.isEmpty ? "" : Self.indent) + row.name
      let cells = row.cells.map { cell in
        guard let cell else { return "." }
        return cell.count > 0 ? String(cell.count) : cell.reason.flatMap { marks[$0] } ?? ""
      }
      if name.count > room { lines.append(name) }
      lines.append(line(name.count > room ? "" : name, cells))
    }
    return lines
  }

  private static func entry(_ mark: String, _ text: String, indent: Int) -> [String] {
    let margin = String(repeating: " ", count: indent)
    return text.wrapped(at: width, margin: margin).enumerated().map { index, line in
      index == 0 ? mark.padded(to: indent) + line.dropFirst(indent) : line
    }
  }

  /// The mark for the reason with this index: `a` to `z`, then `aa` and so on.
  private static func mark(_ index: Int) -> String {
    let letters = Array("abcdefghijklmnopqrstuvwxyz")
    let last = String(letters[index % letters.count])
    return index < letters.count ? last : mark(index / letters.count - 1) + last
  }

  /// The table as JSON for programs. A cell that cannot exist has no member.
  package var json: JSON {
    [
      "unit": .string(unit),
      "columns": .array(columns.map { ["name": .string($0.name), "text": .string($0.text)] }),
      "rows": .array(
        rows.map { row in
          let cells = zip(columns, row.cells).compactMap { column, cell in
            cell.map { JSON.Object.Member(key: column.name, value: $0.json) }
          }
          return ["name": .string(row.group + row.name), "cells": .object(JSON.Object(cells))]
        }),
    ]
  }
}

extension CoverageGrid.Cell {
  fileprivate var json: JSON {
    .object(compact: [("count", .int(count)), ("reason", reason.map(JSON.string))])
  }
}
