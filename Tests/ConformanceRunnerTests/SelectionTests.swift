import Testing

@testable import ConformanceRunner

@Suite struct SelectionTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var selection: Selection
    /// Runs with their requirements, or the beginning of the error.
    var expected: [String]

    var testDescription: String { "\(selection)" }
  }

  private static let table = [
    "send.table[a]@fancy P-ONE-001 P-ONE-002", "send.table[a]@plain P-ONE-001 P-ONE-002",
    "send.table[b]@fancy P-ONE-001", "send.table[b]@plain P-ONE-001",
  ]
  private static let plain = ["send.plain@plain P-ONE-002"]
  private static let track = ["track.fancy@fancy P-ONE-003"]

  private static let picks: [Row] = [
    Row(selection: Selection(), expected: plain + table + track),
    Row(selection: Selection(roles: ["server"]), expected: track),
    Row(selection: Selection(roles: ["sdk", "server"]), expected: plain + table + track),
    Row(selection: Selection(dialects: ["fancy"]), expected: [table[0], table[2]] + track),
    Row(selection: Selection(cases: ["send.plain"]), expected: plain),
    Row(selection: Selection(cases: ["send.table"]), expected: table),
    Row(selection: Selection(cases: ["send.table[b]"]), expected: Array(table[2...])),
    Row(selection: Selection(cases: ["send.old[b]"]), expected: Array(table[2...])),
    Row(selection: Selection(cases: ["*"]), expected: plain + table + track),
    Row(selection: Selection(cases: ["*[a]", "track.*"]), expected: Array(table[..<2]) + track),
    Row(
      selection: Selection(requirements: ["P-ONE-002"]),
      expected: plain + ["send.table[a]@fancy P-ONE-002", "send.table[a]@plain P-ONE-002"]),
    Row(selection: Selection(profiles: ["ones"]), expected: plain + table + track),
    Row(selection: Selection(profiles: ["third"]), expected: track),
    Row(
      selection: Selection(profiles: ["first", "third"]),
      expected: [
        "send.table[a]@fancy P-ONE-001", "send.table[a]@plain P-ONE-001", table[2], table[3],
      ] + track),
    Row(
      selection: Selection(features: [1]),
      expected: [
        "send.table[a]@fancy P-ONE-001", "send.table[a]@plain P-ONE-001", table[2], table[3],
      ]),
    Row(
      selection: Selection(cases: ["send.*"], requirements: ["P-ONE-001", "P-ONE-002"], features: [2]),
      expected: plain + ["send.table[a]@fancy P-ONE-002", "send.table[a]@plain P-ONE-002"]),
  ]

  @Test(arguments: picks)
  func aSelectionPicksRunsInAFixedOrder(row: Row) throws {
    let plan = try Plan(catalogue: Sample.catalogue, selection: row.selection)
    #expect(
      plan.items.map { item in
        ([item.instance.description] + item.requirements.map(\.id.rawValue)).joined(separator: " ")
      }
        == row.expected)
  }

  private static let refusals: [Row] = [
    Row(selection: Selection(roles: ["backend"]), expected: ["unknown role 'backend'; known: sdk, server"]),
    Row(selection: Selection(dialects: ["plian"]), expected: ["unknown dialect 'plian'; did you mean plain?"]),
    Row(selection: Selection(profiles: ["fist"]), expected: ["unknown profile 'fist'; did you mean first"]),
    Row(selection: Selection(features: [9]), expected: ["unknown feature '9'"]),
    Row(
      selection: Selection(requirements: ["P-ONE-01"]),
      expected: ["unknown requirement 'P-ONE-01'; did you mean P-ONE-001"]),
    Row(selection: Selection(cases: ["send.plane"]), expected: ["unknown case 'send.plane'; did you mean send.plain"]),
    Row(selection: Selection(cases: ["send.plain", "zzz*"]), expected: ["unknown case 'zzz*'; known: "]),
    Row(selection: Selection(cases: ["send.table[c]"]), expected: ["unknown case 'send.table[c]'"]),
    Row(selection: Selection(cases: [""]), expected: ["unknown case ''"]),
    Row(
      selection: Selection(cases: ["P-ONE-001"]),
      expected: ["unknown case 'P-ONE-001'; it is a requirement: give it with --requirement"]),
    Row(
      selection: Selection(cases: ["P-ONE-01"]),
      expected: ["unknown case 'P-ONE-01'; did you mean the requirement P-ONE-001? Give it with --requirement"]),
    Row(
      selection: Selection(requirements: ["send.plain"]),
      expected: ["unknown requirement 'send.plain'; it is a case: give it with --case"]),
    Row(
      selection: Selection(cases: ["track"]),
      expected: ["unknown case 'track'; it is a feature: give it with --feature 2"]),
  ]

  @Test(arguments: refusals)
  func aWordThatSelectsNothingIsAnError(row: Row) throws {
    let error = try #require(throws: SelectionError.self) {
      try Plan(catalogue: Sample.catalogue, selection: row.selection)
    }
    #expect(error.description.hasPrefix(row.expected[0]), "\(error)")
  }

  @Test func aCapabilityIsExplained() throws {
    var definition = Sample.catalogue.definition
    definition.capabilities = [.init(name: "queue", roles: ["sdk"], isRequired: false, text: "")]
    var catalogue = Sample.catalogue
    catalogue.definition = definition
    #expect(
      CatalogueNameKind.hint(for: "queue", in: catalogue)
        == "it is a capability: 'conform explain queue' shows the cases that need it")
  }

  @Test(arguments: [
    Selection(dialects: ["fancy"], cases: ["send.plain"]), Selection(requirements: ["P-OLD-001"]),
    Selection(requirements: ["P-HARD-001"]),
  ])
  func knownWordsThatNoCaseFitsSelectNothing(selection: Selection) throws {
    #expect(try Plan(catalogue: Sample.catalogue, selection: selection).items.isEmpty)
  }

  @Test(arguments: [
    ("role", "requirements", Selection(roles: ["backend"])), ("case", "cases", Selection(cases: ["x"])),
    ("feature", "features", Selection(features: [9])), ("dialect", "dialects", Selection(dialects: ["x"])),
    ("requirement", "requirements", Selection(requirements: ["x"])),
  ])
  func theAdviceNamesTheListThatHelps(what: String, list: String, selection: Selection) throws {
    let error = try #require(throws: SelectionError.self) { try selection.check(against: Sample.catalogue) }
    #expect(error.text.hasPrefix("unknown \(what) "))
    #expect(error.text.hasSuffix("('conform list \(list)' shows all)"))
  }
}
