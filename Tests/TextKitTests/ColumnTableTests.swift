import Testing
import TextKit

@Suite struct ColumnTableTests {
  private static let rows = [["id", "länge", "what it is"], ["a-long-id", "7", "x"]]

  @Test func columnsAreAsWideAsTheirWidestCell() {
    #expect(ColumnTable(Self.rows).lines == ["id         länge  what it is", "a-long-id  7      x"])
  }

  @Test func figuresEndBelowEachOther() {
    let table = ColumnTable(
      Self.rows, columns: [.init(), .init(isAlignedRight: true, minimumWidth: 7), .init(isAlignedRight: true)])
    #expect(table.lines == ["id           länge  what it is", "a-long-id        7           x"])
    #expect(table.cells[1] == ["a-long-id", "      7", "         x"])
  }

  @Test(arguments: [([], []), ([[]], [""]), ([["a", "b"], ["cc"]], ["a   b", "cc"])] as [([[String]], [String])])
  func rowsMayBeShort(rows: [[String]], lines: [String]) {
    #expect(ColumnTable(rows).lines == lines)
  }
}
