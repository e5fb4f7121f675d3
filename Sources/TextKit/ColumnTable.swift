/// Rows of texts in columns. Each column is as wide as its widest cell.
package struct ColumnTable: Hashable, Sendable {
  /// The alignment and the width of a column.
  package struct Column: Hashable, Sendable {
    /// True if the cells of the column are aligned right, as for numbers.
    package var isAlignedRight: Bool
    /// The minimum width of the column, in characters.
    package var minimumWidth: Int

    package init(isAlignedRight: Bool = false, minimumWidth: Int = 0) {
      self.isAlignedRight = isAlignedRight
      self.minimumWidth = minimumWidth
    }
  }

  /// The text between two columns.
  package static let gap = "  "

  package var rows: [[String]]
  /// The columns. If a row has more cells than there are columns, the additional cells are aligned left.
  package var columns: [Column]

  package init(_ rows: [[String]], columns: [Column] = []) {
    self.rows = rows
    self.columns = columns
  }

  /// The cells of all rows, padded with spaces to the widths of their columns. The last cell of a row has no spaces
  /// after it.
  package var cells: [[String]] {
    let count = rows.map(\.count).max() ?? 0
    let columns = self.columns + Array(repeating: Column(), count: max(0, count - self.columns.count))
    let widths = (0..<count).map { column in
      rows.reduce(columns[column].minimumWidth) { max($0, column < $1.count ? $1[column].count : 0) }
    }
    return rows.map { row in
      row.indices.map { index in
        if columns[index].isAlignedRight { return row[index].aligned(to: widths[index]) }
        return index == row.indices.last ? row[index] : row[index].padded(to: widths[index])
      }
    }
  }

  /// The table, with one line for each row.
  package var lines: [String] { cells.map { $0.joined(separator: Self.gap) } }
}
