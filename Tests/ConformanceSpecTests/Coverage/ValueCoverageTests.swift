import JSONKit
import Testing

@testable import ConformanceSpec
@testable import Coverage

/// The classes of the values that cases give, for a protocol of one command and one exchange.
@Suite struct ValueCoverageTests {
  private func coverage(_ steps: [String], rows: String = "", reasons: String = "") async throws -> ValueCoverage {
    let small = SmallProtocol(definition: Self.definition, exchange: ("event", Self.event))
    return ValueCoverage(try await small.sources(steps, rows: rows, reasons: reasons))
  }

  private func given(_ coverage: ValueCoverage) -> Set<String> {
    Set(coverage.grids.flatMap(\.grid.cells).filter { $0.cell.count > 0 }.map(\.name))
  }

  @Test(
    arguments: [
      ("a+b", ["signs"]), ("a%2Fb", ["escape"]), ("a\\\\b", ["escape"]), ("ITEM", ["capital"]),
      ("e\\u0301", ["marks", "non-ascii"]), ("\\u00e9", ["non-ascii"]),
      ("\\U0001F600", ["supplementary", "non-ascii"]), (" a", ["blank"]),
      ("a\\\"b", ["quote"]), ("a\\nb", ["control"]), ("", ["empty"]), ("plain", []), ("${unique}", []),
      ("${unique}+", ["signs"]), ("${answered.code.$escaped}", ["escape"]),
    ] as [(String, [String])])
  func aTextIsClassedByWhatEncodersChange(text: String, classes: [String]) async throws {
    let coverage = try await coverage([
      "await: { response: event }, as: answered", "call: track, with: { name: \"\(text)\" }",
    ])
    #expect(given(coverage) == Set(classes.map { "call track.name \($0)" }))
  }

  @Test(
    arguments: [
      ("0", ["zero"]), ("-0", ["zero"]), ("-1.5", ["negative", "fraction"]), ("9007199254740993", ["large", "digits"]),
      ("0.1234567890123456", ["fraction", "digits"]), ("1.0e+20", ["large"]), ("7", []),
    ] as [(String, [String])])
  func aNumberIsClassedByWhatNarrowTypesLose(number: String, classes: [String]) async throws {
    let coverage = try await coverage(["call: track, with: { count: \(number) }"])
    #expect(given(coverage) == Set(classes.map { "call track.count \($0)" }))
  }

  @Test func listsAreCountedByTheirLengthAndRepeatedTextsAreLong() async throws {
    let coverage = try await coverage([
      "call: track, with: { name: { $repeat: \"+\", times: 300 }, tags: [] }",
      "call: track, with: { tags: [a, \" \"] }",
    ])
    #expect(
      given(coverage) == [
        "call track.name long", "call track.name signs", "call track.tags none", "call track.tags many",
        "call track.tags[] blank",
      ])
  }

  @Test func membersWithoutADefinedNameAreOneRowAndTheirNamesAnother() async throws {
    let coverage = try await coverage(
      ["call: track, with: { data: { \"a b\": \"${text}\", \"%41\": x, \"$$p\": 1 } }"],
      rows: "    rows: [ { row: one, text: \"a=b\" }, { row: two, text: \"a\\nb\" } ]\n")
    #expect(
      given(coverage) == ["call track.data.* signs", "call track.data.* control", "call track.data.names escape"])
  }

  @Test(
    arguments: [
      ("with: { code: \"a;b\" }", ["code signs"]), ("set: { $.code: \"a;b\" }", ["code signs"]),
      ("set: { $.more: [ { tag: \"\" } ] }", ["more one", "more[].* empty"]),
      ("headers: { X-State: \"I\" }", ["state capital"]), ("headers: { X-Other: \"I\" }", []),
    ] as [(String, [String])])
  func answersCountByTheirHoles(members: String, cells: [String]) async throws {
    let coverage = try await coverage(["answer: event, response: plain, \(members)"])
    #expect(given(coverage) == Set(cells.map { "answer event.\($0)" }))
  }

  @Test(
    arguments: [
      ("with: { name: \"a;b\" }", ["name signs"]), ("with: { \"name?\": \"a;b\" }", ["name signs"]),
      ("set: { $.name: \"a;b\" }", ["name signs"]), ("body: { name: \"a;b\", other: \"\" }", ["name signs"]),
      ("body: { name: { $list: 1, times: 3 } }", ["name many"]), ("headers: { X-Key: \"Key I\" }", ["key capital"]),
      ("headers: { X-Key: \"I\" }", []), ("bindings: long", ["name blank"]),
    ] as [(String, [String])])
  func requestsCountByTheirHoles(members: String, cells: [String]) async throws {
    let coverage = try await coverage(["send: event, \(members)"])
    #expect(given(coverage) == Set(cells.map { "send event.\($0)" }))
  }

  @Test func operatorsAndExplorationsGiveValues() async throws {
    let explore = """
      explore: { runs: 1, operations: 2, values: { word: [ "a-${run}", "I" ] },
        draw: [ { send: event, with: { name: "${word}" } }, { call: track, with: { name: "${word}" } } ] }
      """
    let coverage = try await coverage([
      "operate: operated, with: { name: \"a;b\" }", explore.split(separator: "\n").joined(separator: " "),
    ])
    #expect(given(coverage) == ["call operated.name signs", "call track.name capital", "send event.name capital"])
  }

  @Test func membersThatNoCaseGivesAreOpenUntilThereIsAReason() async throws {
    let coverage = try await coverage(
      ["settle: 1s"], reasons: "values: [ { cell: \"call track.name *\", reason: Names are words. } ]\n")
    #expect(coverage.openCells.contains("call track.name signs"))
    let cells = coverage.grids.flatMap(\.grid.cells)
    #expect(cells.first { $0.name == "call track.name signs" }?.cell.reason == "Names are words.")
    #expect(cells.first { $0.name == "call track.count zero" }?.cell.isEmpty == true)
    #expect(!cells.contains { $0.name.hasPrefix("call track.handle") })
  }

  private static let definition = """
    kit: 2
    protocol: small
    title: Small
    document: Small
    revision: "1"
    services: [ { name: api, text: A. } ]
    roles: { sdk: { driver: true, upstream: [api] }, server: { downstream: [api] } }
    dialects: [spec]
    commands:
      - command: track
        text: A.
        params:
          type: object
          properties:
            name: { type: string }
            count: { type: number }
            tags: { type: array }
            data: { type: object }
            handle: { type: string }
        result: { type: "null" }
      - command: operated
        text: A.
        role: server
        params: { type: object, properties: { name: { type: string } } }
        result: { type: "null" }

    """

  private static let event = """
    {
      "kit": 2, "exchange": "event", "text": "An event.", "at": "api",
      "request": {
        "method": "POST", "path": "/events", "headers": { "X-Key": "Key ${key}" }, "body": { "name": "${name:text}" }
      },
      "responses": {
        "default": { "any": { "status": 200, "body": {} } },
        "plain": {
          "any": {
            "status": 200, "headers": { "X-State": "${state}" },
            "body": { "code": "${code:text}", "more": "${more:array}" }
          }
        }
      },
      "bindings": { "default": { "name": "n", "key": "k", "code": "c" }, "long": { "name": " n", "code": "+" } }
    }
    """
}
