import ConformanceModel
import ConformanceVerdict
import JSONKit
import Testing

@testable import ReportPages

@Suite struct ParityMatrixTests {
  private static let rules: [Requirement] = ["PA-A-001", "PA-A-002", "PA-B-001"].map { id in
    Requirement(
      id: RequirementID(id), role: "sdk", feature: id.contains("-A-") ? 1 : 2, level: .must, basis: .stated,
      source: .init(document: "D", section: "1", revision: "1"), text: "It | holds.")
  }

  private static let advice = Requirement(
    id: "PA-B-002", role: "sdk", feature: 2, level: .should, basis: .stated,
    source: .init(document: "D", section: "1", revision: "1"), text: "It should hold.")

  private static let catalogue = Catalogue(
    definition: ProtocolDefinition(
      name: "parcel", title: "Parcel", document: "D", revision: "2026-03-12", services: [],
      roles: [.init(role: "sdk", ports: Ports(hasDriver: true))], dialects: ["spec", "next"],
      features: [.init(number: 1, name: "Posting"), .init(number: 2, name: "Queue"), .init(number: 3, name: "Unused")]),
    requirements: rules + [advice], positions: [],
    cases: [
      Case(
        id: "one", title: "One", role: "sdk", dialects: ["spec"],
        scenarios: [
          .init(steps: [], claims: (rules + [advice]).map { Claim(requirement: $0.id, assertion: .survives) })
        ]),
      Case(
        id: "two", title: "Two", role: "sdk", dialects: ["spec"],
        scenarios: [.init(row: "r", steps: [], claims: [Claim(requirement: "PA-A-001", assertion: .survives)])]),
    ],
    exchanges: [], models: [:], defects: [])

  private static let one = CaseInstance(id: "one", row: nil, dialect: "spec")
  private static let two = CaseInstance(id: "two", row: "r", dialect: "spec")

  /// A record in which all holds but what is given.
  private static func record(_ other: [(RequirementID, CaseInstance, Verdict.Outcome?)] = []) -> RunRecord {
    var rulings: [RunRecord.Ruling] = []
    let all: [(RequirementID, CaseInstance)] = (rules + [advice]).map { ($0.id, one) } + [("PA-A-001", two)]
    for (id, instance) in all {
      let changed = other.first { $0.0 == id && $0.1 == instance }
      guard let outcome = changed.map({ $0.2 }) ?? .conforms else { continue }
      rulings.append(Sample.ruling(id, instance, outcome, .pass))
    }
    var record = Sample.record(rulings)
    record.cases = [Sample.run(one, 1, .init(.completed)), Sample.run(two, 1, .init(.completed))]
    return record
  }

  private static let bad = Verdict.Outcome.violates([Sample.second])
  private static let unclear = Verdict.Outcome.unjudged(reason: "it died")
  private static let unbound = Verdict.Outcome.notApplicable(reason: "no ears")

  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var other: [(RequirementID, CaseInstance, Verdict.Outcome?)]
    var first: ParityMatrix.Status
    var second: ParityMatrix.Status = .done
  }

  private static let rows = [
    Row(testDescription: "all holds", other: [], first: .done),
    Row(testDescription: "one of two is violated", other: [("PA-A-002", one, bad)], first: .partial),
    Row(testDescription: "violated in one of two cases", other: [("PA-A-001", two, bad)], first: .partial),
    Row(testDescription: "none holds", other: [("PA-A-001", one, bad), ("PA-A-002", one, bad)], first: .missing),
    Row(testDescription: "one was not judged", other: [("PA-A-001", two, unclear)], first: .unjudged),
    Row(testDescription: "one was not run", other: [("PA-A-001", two, nil)], first: .unjudged),
    Row(
      testDescription: "a violation decides beside what was not judged",
      other: [("PA-A-001", two, unclear), ("PA-A-002", one, bad)], first: .missing),
    Row(testDescription: "one does not bind the subject", other: [("PA-A-002", one, unbound)], first: .done),
    Row(testDescription: "advice counts for nothing", other: [("PA-B-002", one, bad)], first: .done),
    Row(
      testDescription: "a feature that was skipped as a whole", other: [("PA-B-001", one, unbound)], first: .done,
      second: .unjudged),
  ]

  @Test(arguments: rows) func aCellRestsOnEveryVerdict(_ row: Row) throws {
    let matrix = try ParityMatrix(of: [.init(Self.record(row.other))], catalogue: Self.catalogue, role: "sdk")
    #expect(matrix.parts.map(\.dialect) == ["spec"])
    #expect(matrix.parts[0].rows.map { $0.cells[0].status } == [row.first, row.second, .none])
  }

  @Test func aRunOfNothingIsNotDone() throws {
    var record = Self.record()
    record.rulings = []
    let matrix = try ParityMatrix(of: [.init(record)], catalogue: Self.catalogue, role: "sdk", dialects: ["spec"])
    #expect(matrix.parts[0].rows.map { $0.cells[0].status } == [.unjudged, .unjudged, .none])
  }

  @Test func theGateSaysWhichRulesCount() throws {
    let record = Self.record([("PA-B-002", Self.one, Self.bad)])
    let matrix = try ParityMatrix(of: [.init(record)], catalogue: Self.catalogue, role: "sdk", gate: .strict)
    #expect(matrix.parts[0].rows[1].cells[0].status == .partial)
  }

  @Test func recordsWithoutTheRoleGiveNoColumn() throws {
    #expect(try ParityMatrix(of: [.init(Self.record())], catalogue: Self.catalogue, role: "server").subjects.isEmpty)
  }

  private static let twoColumns: [RunRecord] = {
    var other = record([("PA-A-002", one, bad), ("PA-B-001", one, nil)])
    other.subjects[0].subject.name = "=parcel|js"
    return [record(), other]
  }()

  @Test(arguments: [
    (RunRecord.Driving.drives(cases: 4), "- **parcel-dart 1.2.0**: drives the SDK (4 cases with a broken one)\n"),
    (.notShown, "- **parcel-dart 1.2.0**: not shown to drive the SDK\n"), (nil, nil),
  ])
  func theAdaptersAreNamed(driving: RunRecord.Driving?, line: String?) throws {
    var record = Self.record()
    for index in record.subjects.indices { record.subjects[index].driving = driving }
    let matrix = try ParityMatrix(of: [.init(record)], catalogue: Self.catalogue, role: "sdk")
    #expect(matrix.markdown.contains("## Adapters\n") == (line != nil))
    if let line { #expect(matrix.markdown.hasSuffix("\n## Adapters\n\n" + line), "\(matrix.markdown)") }
  }

  @Test func markdownIsTheGoldenOne() throws {
    #expect(
      try ParityMatrix(of: Self.twoColumns.map { .init($0) }, catalogue: Self.catalogue, role: "sdk").markdown == #"""
        # Feature parity: parcel, sdk

        Computed from verdicts (specification of 2026-03-12, gate `stated`); not edited by hand.

        ## Dialect `spec`

        | # | Feature | parcel-dart 1.2.0 | =parcel\|js 1.2.0 |
        | --- | --- | --- | --- |
        | 1 | Posting | Done 2/2 | Partial 1/2 |
        | 2 | Queue | Done 1/1 | not run |
        | 3 | Unused | – | – |

        ### Parity notes

        - **=parcel\|js 1.2.0 — Posting**: partial, 1 of 2 mandatory requirements held
          - PA-A-002 is violated in 1 case, such as `one`: It \| holds.
        - **=parcel\|js 1.2.0 — Queue**: not run, 1 mandatory requirement

        """#)
  }

  /// The rulings of the first feature beside those of the sample, and the notes about it.
  @Test(
    arguments: [
      (
        [("PA-A-001", two, unclear)],
        [
          "unjudged, 1 of 2 mandatory requirements held",
          "PA-A-001 was not judged in 1 case, such as `two[r]`: It \\| holds.",
        ]
      ),
      // One of its two cases was run.
      (
        [("PA-A-001", two, nil)],
        [
          "unjudged, 1 of 2 mandatory requirements held",
          "PA-A-001 was not judged in 1 case, such as `two[r]`: It \\| holds.",
        ]
      ),
      ([("PA-A-002", one, nil)], ["unjudged, 1 of 2 mandatory requirements held", "not run: PA-A-002"]),
      (
        [("PA-A-001", one, nil), ("PA-A-001", two, nil), ("PA-A-002", one, nil)], ["not run, 2 mandatory requirements"]
      ),
    ] as [([(RequirementID, CaseInstance, Verdict.Outcome?)], [String])])
  func aNoteTellsWhatWasNotRunFromWhatCouldNotBeJudged(
    other: [(RequirementID, CaseInstance, Verdict.Outcome?)], note: [String]
  ) throws {
    let text = try ParityMatrix(of: [.init(Self.record(other))], catalogue: Self.catalogue, role: "sdk").markdown
    let notes = text.split(separator: "\n").drop { !$0.hasPrefix("### ") }.dropFirst().map(String.init)
    let expected = ["- **parcel-dart 1.2.0 — Posting**: \(note[0])"] + note.dropFirst().map { "  - \($0)" }
    #expect(notes == expected)
  }

  @Test func aFeatureThatWasSkippedAsAWholeSaysWhy() throws {
    let text = try ParityMatrix(
      of: [.init(Self.record([("PA-B-001", Self.one, Self.unbound)]))], catalogue: Self.catalogue, role: "sdk"
    ).markdown
    #expect(text.contains("- **parcel-dart 1.2.0 — Queue**: every mandatory requirement was skipped: no ears"))
  }

  @Test func recordsOfOneSubjectAreOneColumn() throws {
    let parts: [[(RequirementID, CaseInstance, Verdict.Outcome?)]] = [
      [("PA-A-001", Self.two, nil)],
      [("PA-A-001", Self.one, nil), ("PA-A-002", Self.one, Self.unclear)],
    ]
    let matrix = try ParityMatrix(
      of: parts.map { .init(Self.record($0)) }, catalogue: Self.catalogue, role: "sdk")
    #expect(matrix.subjects == ["parcel-dart 1.2.0"])
    #expect(matrix.parts[0].rows[0].cells.map(\.figure) == ["Done 2/2"])
  }

  @Test func labelsCallColumnsAndTellThemApart() throws {
    let worse = Self.record([("PA-A-002", Self.one, Self.bad)])
    let matrix = try ParityMatrix(
      of: [.init(Self.record(), label: "old"), .init(worse, label: "new\u{1B}")], catalogue: Self.catalogue, role: "sdk"
    )
    #expect(matrix.subjects == ["old", #"new\u{1B}"#])
    #expect(matrix.parts[0].rows[0].cells.map(\.status) == [.done, .partial])
    #expect(
      throws: ParityMatrix.Disagreement(subject: "parcel-dart 1.2.0", requirement: "PA-A-002", instance: Self.one)
    ) {
      try ParityMatrix(of: [.init(Self.record()), .init(worse)], catalogue: Self.catalogue, role: "sdk")
    }
  }

  @Test func whatIsNotDeclaredIsSaidOnce() throws {
    let lacking = Verdict.Outcome.violates([.missing(capability: "ears")])
    let record = Self.record([
      ("PA-A-001", Self.one, lacking), ("PA-A-001", Self.two, lacking), ("PA-A-002", Self.one, lacking),
    ])
    let text = try ParityMatrix(of: [.init(record)], catalogue: Self.catalogue, role: "sdk").markdown
    #expect(text.contains("\n  - capability 'ears' is not declared: PA-A-001, PA-A-002\n"))
    #expect(!text.contains("is violated"))
  }

  @Test func aTableOfAllDialectsIsThatOfTheWorst() throws {
    let part = try ParityMatrix(of: Self.twoColumns.map { .init($0) }, catalogue: Self.catalogue, role: "sdk").parts[0]
    let matrix = try ParityMatrix(
      of: Self.twoColumns.map { .init($0) }, catalogue: Self.catalogue, role: "sdk", dialects: ["spec", "next"])
    #expect(matrix.parts[0] == part)
    #expect(matrix.overall.map { $0.cells.map(\.figure) } == part.rows.map { $0.cells.map(\.figure) })
    #expect(matrix.markdown.contains("## All dialects, by the worst\n"))
  }

  @Test(arguments: ParityMatrix.Format.allCases) func whatATableSaysOtherwiseIsNamed(
    _ format: ParityMatrix.Format
  ) throws {
    let now = try ParityMatrix(of: Self.twoColumns.map { .init($0) }, catalogue: Self.catalogue, role: "sdk").text(
      format)
    let earlier = try ParityMatrix(
      of: [.init(Self.twoColumns[0]), .init(Self.record(), label: #"=parcel|js 1.2.0"#)], catalogue: Self.catalogue,
      role: "sdk"
    ).text(format)
    #expect(ParityMatrix.changes(from: now, to: now, format).isEmpty)
    let changes = ParityMatrix.changes(from: earlier, to: now, format)
    #expect(!changes.isEmpty)
    if format == .markdown {
      #expect(
        changes.prefix(2) == [
          #"Dialect `spec`, 1 Posting, =parcel\|js 1.2.0: says Done 2/2, the records say Partial 1/2"#,
          #"Dialect `spec`, 2 Queue, =parcel\|js 1.2.0: says Done 1/1, the records say not run"#,
        ])
    }
  }

  /// Notes on several subjects say the same of the same requirement.
  @Test func oneEditedCellIsOneChange() throws {
    let sources = ["one", "two"].map { label in
      ParityMatrix.Source(
        Self.record([("PA-A-002", Self.one, Self.bad), ("PA-B-001", Self.one, Self.bad)]), label: label)
    }
    let now = try ParityMatrix(of: sources, catalogue: Self.catalogue, role: "sdk").markdown
    let edited = now.replacing("| Partial 1/2 | Partial 1/2 |", with: "| Done | Partial 1/2 |")
    #expect(
      ParityMatrix.changes(from: edited, to: now, .markdown)
        == ["Dialect `spec`, 1 Posting, one: says Done, the records say Partial 1/2"])
    let renoted = now.replacing(
      "**two — Queue**: missing, 0 of 1 mandatory requirement held", with: "**two — Queue**: known, see the tracker")
    #expect(ParityMatrix.changes(from: renoted, to: now, .markdown).count == 1)
  }

  /// A formatter of Markdown pads cells, and an editor may write other line ends.
  @Test(arguments: ParityMatrix.Format.allCases) func lineEndsAndPaddingAreNoChange(
    _ format: ParityMatrix.Format
  ) throws {
    let now = try ParityMatrix(of: Self.twoColumns.map { .init($0) }, catalogue: Self.catalogue, role: "sdk").text(
      format)
    let lines = now.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    #expect(ParityMatrix.changes(from: lines.joined(separator: "\r\n"), to: now, format).isEmpty)
    guard format == .markdown else { return }
    let padded = now.replacing("| Posting |", with: "| Posting    |").replacing("| --- |", with: "|:------|")
      .replacing("Partial 1/2 |", with: "  Partial 1/2|")
    #expect(padded != now)
    #expect(ParityMatrix.changes(from: padded, to: now, format).isEmpty)
  }

  @Test func differentDenominatorsAreExplained() throws {
    let sources = [
      ParityMatrix.Source(Self.record(), label: "one"),
      ParityMatrix.Source(Self.record([("PA-A-002", Self.one, Self.unbound)]), label: "two"),
    ]
    let text = try ParityMatrix(of: sources, catalogue: Self.catalogue, role: "sdk").markdown
    #expect(text.contains("| 1 | Posting | Done 2/2 | Done 1/1 |"))
    #expect(
      text.hasSuffix(
        """
        ### Parity notes

        - **Posting** does not ask every subject for the same requirements:
          - two is not asked for PA-A-002: no ears

        """))
  }

  /// On GitHub a name makes no link, mentions no user and refers to no issue.
  @Test(arguments: [
    ("@octocat", "@&#8203;octocat"), ("fixes #12", "fixes #&#8203;12"), ("GH-7 gh-x", "GH-&#8203;7 gh-x"),
    ("~~gone~~", #"\~\~gone\~\~"#), ("https://a.example", #"https\://a.example"#),
    ("www.a.example", #"www\.a.example"#), ("a|b_c*d`e`<f>[g]", #"a\|b\_c\*d\`e\`\<f\>\[g\]"#),
    ("&amp; $x$", #"\&amp; \$x\$"#), ("a\u{202E}b\u{200B}c", #"a\\u{202E}b\\u{200B}c"#),
    ("1.2.3: 4-5 (6)", "1.2.3: 4-5 (6)"),
  ])
  func noNameIsObeyedInMarkdown(name: String, shown: String) { #expect(name.escapedForMarkdown == shown) }

  /// No name is a formula, whichever character the reader's program takes for the separator of fields.
  @Test(arguments: [
    ("=1+1", "'=1+1"), ("x;=1+1", "\"x;'=1+1\""), ("x\t@SUM", "\"x\t'@SUM\""), ("x\n-1", "\"x\n'-1\""), (" =1", " '=1"),
    ("x;\"=1", "\"x;\"\"'=1\""), ("＝1", "'＝1"), ("a-b=c", "a-b=c"), ("x,y", "\"x,y\""),
  ])
  func noNameIsAFormula(name: String, shown: String) { #expect(name.escapedForCSV == shown) }

  @Test func csvIsTheGoldenOne() throws {
    let lines = try ParityMatrix(of: Self.twoColumns.map { .init($0) }, catalogue: Self.catalogue, role: "sdk").csv
      .split(separator: "\r\n")
    #expect(lines[0] == "dialect,number,feature,subject,status,held,required,violated,unjudged")
    #expect(lines[1] == "spec,1,Posting,parcel-dart 1.2.0,Done,2,2,,")
    #expect(lines[2] == "spec,1,Posting,'=parcel|js 1.2.0,Partial,1,2,PA-A-002,")
    #expect(lines.count == 7)
  }

  @Test func jsonHoldsTheCasesBehindEachCell() throws {
    let json = try JSON(
      parsing: try ParityMatrix(of: Self.twoColumns.map { .init($0) }, catalogue: Self.catalogue, role: "sdk").text(
        .json))
    let cell = json["dialects"]?.array?[0]["features"]?.array?[0]["cells"]?.array?[1]
    #expect(cell?["status"] == "Partial")
    #expect(cell?["violated"]?.array?[0]["cases"] == ["one"])
  }
}
