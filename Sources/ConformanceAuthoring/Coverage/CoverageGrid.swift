import ConformanceModel
import ConformanceSpec
import JSONKit

/// A table of what is looked at: things in rows, circumstances in columns, and in each cell how often somebody looks, or
/// why nobody does.
package struct CoverageGrid: Hashable, Sendable {
  /// What stands where a row and a column meet.
  package struct Cell: Hashable, Sendable {
    /// How many look.
    package var count: Int
    /// Why nobody does, where somebody has said so.
    package var reason: String?

    package var isEmpty: Bool { count == 0 && reason == nil }
  }

  /// A circumstance.
  package struct Column: Hashable, Sendable {
    package var name: String
    /// What stands over it in the table.
    package var heading: String
    package var text: String
  }

  /// A thing, below others of its group.
  package struct Row: Hashable, Sendable {
    package var group: String
    package var name: String
    /// One for each column; nil where there is nothing to be looked at.
    package var cells: [Cell?]
  }

  package var columns: [Column]
  package var rows: [Row]
  /// What is counted, such as `claims`.
  package var unit: String

  package init(columns: [Column], rows: [Row], unit: String) {
    self.columns = columns
    self.rows = rows
    self.unit = unit
  }

  /// What a reason calls a cell: `Link.code reset`.
  static func name(of row: Row, _ column: Column) -> String { "\(row.group)\(row.name) \(column.name)" }

  /// Every cell that there is, with its name.
  var cells: [(name: String, cell: Cell)] {
    rows.flatMap { row in
      zip(row.cells, columns).compactMap { cell, column in cell.map { (Self.name(of: row, column), $0) } }
    }
  }

  /// The grid with these reasons in the cells that nobody looks at.
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

  /// Those of the reasons that explain nothing: each of their cells is looked at, or there is none.
  func stale(_ reasons: [Located<CoverageNotes.Reason>]) -> [Located<CoverageNotes.Reason>] {
    let open = cells.filter { $0.cell.count == 0 }.map(\.name)
    return reasons.filter { reason in
      let pattern = Wildcard(reason.value.pattern)
      return !open.contains(where: pattern.matches)
    }
  }
}

// MARK: Views

extension CoverageGrid {
  /// The width of the table, that of the narrowest terminal.
  private static let width = 80
  /// Before the name of a member of a group.
  private static let indent = "  "

  /// The table for people: `.` where there is nothing to look at, a letter where a reason below says why nobody looks,
  /// and nothing where nobody does and nobody has said why.
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

  /// `120 cells: 80 looked at by claims, 12 with a reason, 28 empty`.
  package var summary: String {
    let cells = cells.map(\.cell)
    return "\(cells.count) cells: \(cells.count { $0.count > 0 }) with \(unit), "
      + "\(cells.count { $0.reason != nil }) with a reason, \(cells.count(where: \.isEmpty)) empty"
  }

  /// Groups have a line of their own, and so has a name that is too long to stand before its cells.
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

  /// `a` to `z`, then `aa`.
  private static func mark(_ index: Int) -> String {
    let letters = Array("abcdefghijklmnopqrstuvwxyz")
    let last = String(letters[index % letters.count])
    return index < letters.count ? last : mark(index / letters.count - 1) + last
  }

  /// The table for programs: a cell that there is not is absent.
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
