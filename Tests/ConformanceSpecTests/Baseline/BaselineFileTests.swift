import ConformanceModel
import ConformanceVerdict
import JSONKit
import SpecDocuments
import Testing

@testable import ConformanceSpec

/// The file of violations that are known: what is read, what is refused and where, and its canonical form.
@Suite struct BaselineFileTests {
  private static func requirement(_ id: RequirementID, withdrawn: String? = nil) -> Requirement {
    Requirement(
      id: id, role: "sdk", feature: nil, level: .must, basis: .stated,
      source: .init(document: "D", section: "1", revision: "1"), text: "A rule.", withdrawn: withdrawn)
  }

  private static let catalogue = Catalogue(
    definition: ProtocolDefinition(
      name: "parcel", title: "P", document: "D", revision: "1", services: [],
      roles: [.init(role: "sdk", ports: Ports(hasDriver: true))], dialects: ["spec", "old"]),
    requirements: [requirement("PA-Q-001"), requirement("PA-Q-002"), requirement("PA-Q-003", withdrawn: "gone")],
    positions: [],
    cases: [
      Case(
        id: "queue.full", title: "T", role: "sdk", dialects: ["spec", "old"],
        scenarios: ["100", "101"].map { row in
          .init(row: row, steps: [], claims: [Claim(requirement: "PA-Q-001", assertion: .survives)])
        }),
      Case(
        id: "queue.empty", title: "T", role: "sdk", dialects: ["spec"],
        scenarios: [
          .init(steps: [], claims: ["PA-Q-001", "PA-Q-002"].map { Claim(requirement: $0, assertion: .survives) })
        ]),
    ],
    exchanges: [], models: [:], defects: [])

  private static func read(_ text: String) throws -> BaselineFile {
    try BaselineFile(
      Array(text.utf8), file: "b.yaml", schemas: CatalogueFolder(root: Sample.repository), catalogue)
  }

  private static let whole = """
    kit: 3
    protocol: parcel
    known:
      - cause: PA-Q-001
        covers:
          PA-Q-001:
            - queue.full[101]
        dialects: [spec]
        expects:
          - subject: "queueSize 'size'"
            path: "$.kept"
            expected: "100"
            observed: "*"
        reason: "It holds 101: the fix is in review."
        flaky: true
        link: "https://tracker.example/12"
        expires: "2027-01-31"
        when:
          version: "1.*"
          platform: android

      - cause: PA-Q-002
        covers:
          PA-Q-001:
            - "queue.empty@spec"
          PA-Q-002:
            - queue.empty
        expects:
          - unjudged: "PA-Q-001 stands in the way*"
        reason: Follows

    """

  @Test func everyMemberIsRead() throws {
    let baseline = try Self.read(Self.whole).inForce()
    #expect(baseline.protocolName == "parcel")
    #expect(
      baseline.entries == [
        .init(
          cause: "PA-Q-001", covers: ["PA-Q-001": ["queue.full[101]"]], dialects: ["spec"],
          expects: [
            .finding(
              subject: "queueSize 'size'", path: .root.appending(key: "kept"), expected: "100", observed: "*")
          ],
          reason: "It holds 101: the fix is in review.", isFlaky: true, link: "https://tracker.example/12",
          expires: "2027-01-31", condition: .init(version: "1.*", platform: "android"), line: 4),
        .init(
          cause: "PA-Q-002", covers: ["PA-Q-001": ["queue.empty@spec"], "PA-Q-002": ["queue.empty"]],
          expects: [.unjudged(reason: "PA-Q-001 stands in the way*")], reason: "Follows", line: 22),
      ])
  }

  @Test func theCanonicalFormReadsBackAndStaysAsItIs() throws {
    #expect(try Self.read(Self.whole).baseline.text == Self.whole)
    #expect(Baseline(protocolName: "parcel").text == "kit: 3\nprotocol: parcel\nknown: []\n")
    #expect(try Self.read("kit: 3\nprotocol: parcel\nknown: []\n").baseline.entries.isEmpty)
  }

  /// Texts that YAML would take for something else, or that a terminal would.
  @Test(arguments: [
    "yes", "12", "1e3", "null", "~", "2027-01-31", "- a", "a: b", "# c", "*a", "&a", "line\nline", "\u{1B}[31m", " a ",
    "'q'", "\"q\"", "{a}", "[a]", "a, b", "%", "@a", "`a`", "ä🦊", "a?", "true",
  ])
  func anyTextReadsBack(text: String) throws {
    let entry = Baseline.Entry(
      cause: "PA-Q-001", covers: ["PA-Q-001": ["queue.*"]],
      expects: [.finding(subject: text, path: .root, expected: text, observed: text)],
      reason: text, link: text, condition: .init(version: text, platform: text), line: 4)
    let baseline = Baseline(protocolName: "parcel", entries: [entry])
    #expect(try Self.read(baseline.text).baseline == baseline)
  }

  @Test func entriesStandInTheOrderOfTheirRules() throws {
    let entries = [("PA-Q-010", "b"), ("PA-Q-002", "c[10]"), ("PA-Q-002", "c[9]"), ("PA-Q-002", "a")].map {
      Baseline.Entry(
        cause: RequirementID($0.0), covers: [RequirementID($0.0): [CasePattern($0.1)]],
        expects: [.unjudged(reason: "r")])
    }
    let lines = Baseline(protocolName: "parcel", entries: entries).text.split(separator: "\n")
    #expect(
      lines.filter { $0.hasPrefix("        - ") }.map { $0.dropFirst(10) } == ["a", "c[9]", "c[10]", "b"])
  }

  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var old: String
    var new: String
    var says: String

    init(_ name: String, _ old: String, _ new: String, _ says: String) {
      (testDescription, self.old, self.new, self.says) = (name, old, new, says)
    }
  }

  private static let bad = [
    Row(
      "no reason", "    reason: Follows\n", "", "b.yaml:22:5: error: $.known[1].reason: expected a text, found nothing"
    ),
    Row("a misspelt member", "when:", "whem:", "b.yaml:18:5: error: $.known[0].whem: expected one of the members"),
    Row(
      "an unknown protocol", "protocol: parcel", "protocol: letter",
      "b.yaml:2:1: error: $.protocol: expected 'parcel', the protocol of the run, found \"letter\""),
    Row(
      "no day", "2027-01-31", "2027-02-30",
      "b.yaml:17:5: error: $.known[0].expires: expected a day of the calendar, found \"2027-02-30\""),
    Row("half a day", "2027-01-31", "2027-01", "b.yaml:17:5: error: $.known[0].expires: expected"),
    Row("a bare day", "\"2027-01-31\"", "2027-01-31", "which other readers take for a date"),
    Row("no path", "$.kept", "$.kept[", "b.yaml:11:9: error: $.known[0].expects[0].path: expected a path"),
    Row(
      "two entries for the same", "\"queue.empty@spec\"", "queue.*",
      "b.yaml:22:5: error: $.known[1]: expected one entry for PA-Q-001 in a run of a case, found another on line 4 — make one of the two, or narrow their cases"
    ),
    Row(
      "a cause that it does not cover", "cause: PA-Q-001", "cause: PA-Q-002",
      "b.yaml:4:5: error: $.known[0].cause: expected one of the requirements in 'covers'"
    ),
    Row("an entry that expects both", "- unjudged:", "- subject: a\n        unjudged:", "$.known[1].expects[0]"),
    Row("another version", "kit: 3", "kit: 4", "b.yaml:1:1: error: $.kit: expected 3"),
    Row(
      "an older version", "kit: 3", "kit: 2",
      "b.yaml:1:1: error: $.kit: expected 3, the version of the form, found 2 — 'conform fmt --upgrade b.yaml' rewrites it"
    ),
  ]

  @Test(arguments: bad) func whatIsWrongIsToldWithItsPlace(_ row: Row) throws {
    try #require(Self.whole.contains(row.old))
    let error = #expect(throws: CatalogueError.self) { try Self.read(Self.whole.replacing(row.old, with: row.new)) }
    #expect(error?.description.contains(row.says) == true, "\(error.map { "\($0)" } ?? "no error")")
  }

  private static let obsolete = [
    Row(
      "an unknown requirement", "PA-Q-002", "PA-Q-009",
      "b.yaml:26:7: error: $.known[1].covers.PA-Q-009: expected a requirement of parcel that is not withdrawn, found 'PA-Q-009'"
    ),
    Row(
      "a withdrawn requirement", "PA-Q-002", "PA-Q-003",
      "$.known[1].covers.PA-Q-003: expected a requirement of parcel that is not withdrawn"),
    Row(
      "an unknown case", "- queue.empty", "- queue.emty",
      "b.yaml:27:11: error: $.known[1].covers.PA-Q-002[0]: expected the name of a case, or a pattern that fits one, found 'queue.emty' — did you mean"
    ),
    Row(
      "an unknown row", "queue.full[101]", "queue.full[102]",
      "b.yaml:7:11: error: $.known[0].covers.PA-Q-001[0]: expected the name of a case"),
    Row(
      "a case that does not judge it", "- queue.empty", "- queue.full",
      "$.known[1].covers.PA-Q-002[0]: expected a case that judges PA-Q-002 in these dialects"),
    Row(
      "an unknown dialect of a case", "queue.empty@spec", "queue.empty@spce",
      "$.known[1].covers.PA-Q-001[0]: expected a dialect of the protocol behind '@', found 'spce'"),
    Row(
      "an unknown dialect", "[spec]", "[spce]",
      "b.yaml:8:16: error: $.known[0].dialects[0]: expected a dialect of the protocol, found 'spce'"),
  ]

  @Test(arguments: obsolete) func whatIsNoLongerThereIsToldWithWhatToDo(_ row: Row) throws {
    try #require(Self.whole.contains(row.old))
    let file = try Self.read(Self.whole.replacing(row.old, with: row.new))
    #expect(file.obsolete.count == 1)
    let error = #expect(throws: CatalogueError.self) { try file.inForce() }
    #expect(error?.description.contains(row.says) == true, "\(error.map { "\($0)" } ?? "no error")")
    #expect(error?.description.contains("'conform baseline prune' removes the entry") == true)
  }

  @Test(arguments: ["\"\"", "\"  \""])
  func anEntryWithoutAReasonIsNotInForce(reason: String) throws {
    let file = try Self.read(Self.whole.replacing("reason: Follows", with: "reason: \(reason)"))
    #expect(try file.current().entries.count == 2)
    let error = #expect(throws: CatalogueError.self) { try file.inForce() }
    #expect(
      error?.description
        == "b.yaml:30:5: error: $.known[1].reason: expected why this is accepted, found an empty text "
        + "— without a reason an accepted violation looks like a mistake")
  }

  @Test func entriesForDifferentSubjectsMaySpeakOfTheSame() throws {
    let text = Self.whole.replacing("reason: Follows", with: "reason: Follows\n    when: { platform: ios }")
      .replacing("\"queue.empty@spec\"", with: "queue.full")
    #expect(try Self.read(text).inForce().entries.count == 2)
  }

  @Test func aFlakyEntryWithoutATermIsNotInForce() throws {
    let file = try Self.read(Self.whole.replacing("    expires: \"2027-01-31\"\n", with: ""))
    let error = #expect(throws: CatalogueError.self) { try file.inForce() }
    #expect(
      error?.description
        == "b.yaml:15:5: error: $.known[0].flaky: expected 'expires' beside it: the last day on which this may fail or "
        + "pass, found no term")
  }
}
