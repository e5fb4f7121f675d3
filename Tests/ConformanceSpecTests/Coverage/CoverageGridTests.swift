import JSONKit
import Testing

@testable import ConformanceSpec
@testable import Coverage
@testable import LinkFortyCore

@Suite struct CoverageGridTests {
  private static let grid = CoverageGrid(
    columns: [
      .init(name: "request", heading: "request", text: "in a request"),
      .init(name: "second", heading: "2nd", text: "again"),
    ],
    rows: [
      .init(group: "Link.", name: "code", cells: [.init(count: 12, reason: nil), .init(count: 0, reason: nil)]),
      .init(group: "Link.", name: "note", cells: [nil, .init(count: 0, reason: nil)]),
    ], unit: "claims")

  private static func reason(_ pattern: String) -> CoverageNotes.Reason { .init(pattern: pattern, text: "Nobody can.") }

  @Test func itIsShownWithItsReasons() {
    #expect(
      Self.grid.explained(by: [Self.reason("Link.n* second"), Self.reason("Link.code request")]).text == """
        request   in a request
        2nd       again

                request  2nd
        Link
          code       12
          note        .    a

        a   Nobody can.

        3 cells: 1 with claims, 1 with a reason, 1 empty

        """)
  }

  @Test func noLineIsWiderThanATerminal() {
    let long = CoverageGrid(
      columns: (1...8).map {
        .init(name: "c\($0)", heading: "heading\($0)", text: String(repeating: "word ", count: 40))
      },
      rows: [
        .init(
          group: "", name: String(repeating: "x", count: 40),
          cells: Array(repeating: CoverageGrid.Cell(count: 1, reason: nil), count: 8))
      ], unit: "cases")
    #expect(long.text.split(separator: "\n").allSatisfy { $0.count <= 80 }, "\(long.text)")
  }

  @Test func itIsWrittenForPrograms() throws {
    let json = Self.grid.explained(by: [Self.reason("Link.n* second")]).json
    #expect(
      json["rows"]?.array?.map(\.compactText) == [
        #"{"name":"Link.code","cells":{"request":{"count":12},"second":{"count":0}}}"#,
        #"{"name":"Link.note","cells":{"second":{"count":0,"reason":"Nobody can."}}}"#,
      ])
  }
}
