/// Rows of texts in columns, each as wide as its widest cell.
package struct ColumnTable: Hashable, Sendable {
  /// How the cells of a column stand.
  package struct Column: Hashable, Sendable {
    /// Whether the cells end below each other, as figures do, and do not begin there.
    package var isAlignedRight: Bool
    /// How many characters the column has at least.
    package var minimumWidth: Int

    package init(isAlignedRight: Bool = false, minimumWidth: Int = 0) {
      self.isAlignedRight = isAlignedRight
      self.minimumWidth = minimumWidth
    }
  }

  /// What stands between two columns.
  package static let gap = "  "

  package var rows: [[String]]
  /// Those that are not given are aligned left.
  package var columns: [Column]

  package init(_ rows: [[String]], columns: [Column] = []) {
    self.rows = rows
    self.columns = columns
  }

  /// The cells, each as wide as its column; the last of a row has no spaces behind it.
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

  /// A line a row.
  package var lines: [String] { cells.map { $0.joined(separator: Self.gap) } }
}
