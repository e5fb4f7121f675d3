import ConformanceModel
import ConformanceTranscript
import ConformanceVerdict
import Testing

@testable import Records

/// A baseline after records: what is written, what is kept, and what is pruned.
@Suite struct BaselineRevisionTests {
  private static func requirement(_ id: RequirementID) -> Requirement {
    Requirement(
      id: id, role: "sdk", feature: nil, level: .must, basis: .stated,
      source: .init(document: "D", section: "1", revision: "1"), text: "A rule.")
  }

  /// Two cases that judge both rules in two dialects.
  private static let catalogue = Catalogue(
    definition: ProtocolDefinition(
      name: "parcel", title: "P", document: "D", revision: "1", services: [],
      roles: [.init(role: "sdk", ports: Ports(hasDriver: true))], dialects: ["one", "two"]),
    requirements: [requirement("PA-Q-001"), requirement("PA-Q-002")], positions: [],
    cases: ["queue.full", "queue.empty"].map { id in
      Case(
        id: id, title: "T", role: "sdk", dialects: ["one", "two"],
        scenarios: [
          .init(
            steps: [],
            claims: ["PA-Q-001", "PA-Q-002"].map { Claim(requirement: $0, assertion: .survives) })
        ])
    },
    exchanges: [], models: [:], defects: [])

  struct Seen: Sendable {
    var requirement: RequirementID = "PA-Q-001"
    var name: CaseID = "queue.full"
    var dialect: Dialect = "one"
    var outcome: Verdict.Outcome
    var ending = TranscriptEntry.Ending.Kind.completed
    var cause: RequirementID?

    init(
      _ outcome: Verdict.Outcome, _ dialect: Dialect = "one", name: CaseID = "queue.full",
      requirement: RequirementID = "PA-Q-001", ending: TranscriptEntry.Ending.Kind = .completed,
      cause: RequirementID? = nil
    ) {
      (self.outcome, self.dialect, self.name) = (outcome, dialect, name)
      (self.requirement, self.ending, self.cause) = (requirement, ending, cause)
    }
  }

  private static func record(_ seen: [Seen]) -> RunRecord {
    var record = RunRecord(
      header: .init(
        kit: "k", protocolName: "parcel", specRevision: "1", startedAt: "2026-11-21T00:00:00Z", gate: .stated, seed: 1,
        jobs: 1, planned: 1, rerun: "conform run"),
      subjects: [.init(role: "sdk", subject: Subject(name: "s", version: "1.0"))])
    for one in seen {
      let instance = CaseInstance(id: one.name, row: nil, dialect: one.dialect)
      record.cases.append(
        .init(
          instance: instance, title: "T", role: "sdk", file: "", line: 1, duration: 1, ownDuration: 1, clock: .virtual,
          ending: .init(one.ending), verdicts: 1))
      let verdict = Verdict(
        instance: instance, requirement: one.requirement, outcome: one.outcome, clock: .virtual, cause: one.cause)
      record.rulings.append(
        .init(
          verdict: verdict,
          disposition: Disposition(
            outcome: one.outcome, level: .must, basis: .stated, gate: .stated, isInBaseline: false),
          rule: .init(requirement(one.requirement), in: catalogue.definition), rerun: ""))
    }
    return record
  }

  private static func wrong(_ observed: String = "99") -> Verdict.Outcome {
    .violates([.init(subject: "size", expected: "100", observed: observed)])
  }

  private static func entry(
    _ cases: CasePattern = "queue.full", _ dialects: [Dialect] = [], observed: [String] = ["99"], reason: String = "",
    requirement: RequirementID = "PA-Q-001", covers: [RequirementID: [CasePattern]]? = nil, isFlaky: Bool = false,
    condition: Baseline.Condition? = nil
  ) -> Baseline.Entry {
    .init(
      cause: requirement, covers: covers ?? [requirement: [cases]], dialects: dialects,
      expects: observed.map { .finding(subject: "size", path: .root, expected: "100", observed: $0) }, reason: reason,
      isFlaky: isFlaky, condition: condition)
  }

  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var old: [Baseline.Entry] = []
    var records: [[Seen]]
    var new: [Baseline.Entry]
  }

  private static let written = [
    Row(testDescription: "in every dialect", records: [[Seen(wrong()), Seen(wrong(), "two")]], new: [entry()]),
    Row(
      testDescription: "in one dialect", records: [[Seen(wrong()), Seen(.conforms, "two")]],
      new: [entry("queue.full", ["one"])]),
    Row(
      testDescription: "otherwise in another", records: [[Seen(wrong()), Seen(wrong("98"), "two")]],
      new: [entry(observed: ["98", "99"])]),
    Row(
      testDescription: "two rules with one cause", records: [[Seen(wrong()), Seen(wrong(), requirement: "PA-Q-002")]],
      new: [entry("", ["one"], covers: ["PA-Q-001": ["queue.full"], "PA-Q-002": ["queue.full"]])]),
    Row(
      testDescription: "what a violation keeps from being judged",
      records: [
        [Seen(wrong()), Seen(.unjudged(reason: "r"), name: "queue.empty", requirement: "PA-Q-002", cause: "PA-Q-001")]
      ],
      new: [entry("", ["one"], covers: ["PA-Q-001": ["queue.full"], "PA-Q-002": ["queue.empty"]])]),
    Row(
      testDescription: "what fails in one of two runs", records: [[Seen(wrong())], [Seen(.conforms)]],
      new: [entry("queue.full", ["one"], isFlaky: true)]),
    Row(
      testDescription: "nothing wrong", records: [[Seen(.conforms), Seen(.notApplicable(reason: "r"), "two")]], new: []),
    Row(
      testDescription: "not judged for another rule",
      records: [[Seen(.unjudged(reason: "PA-Q-002 stands in the way"))]],
      new: [
        .init(
          cause: "PA-Q-001", covers: ["PA-Q-001": ["queue.full"]], dialects: ["one"],
          expects: [.unjudged(reason: "PA-Q-002 stands in the way")])
      ]),
    Row(
      testDescription: "not judged for want of the machine",
      records: [[Seen(.unjudged(reason: "no files"), ending: .machine)]], new: []),
    Row(
      testDescription: "what differs between runs",
      records: [[Seen(wrong("port 41 is"))], [Seen(wrong("port 732 is"))]],
      new: [entry("queue.full", ["one"], observed: ["port * is"])]),
    Row(
      testDescription: "an entry that still holds is kept", old: [entry("queue.*", reason: "old")],
      records: [[Seen(Self.wrong()), Seen(Self.wrong(), name: "queue.empty")]], new: [entry("queue.*", reason: "old")]),
    Row(
      testDescription: "another finding inherits the reason", old: [entry("queue.full", ["one"], reason: "old")],
      records: [[Seen(wrong("98"))]], new: [entry("queue.full", ["one"], observed: ["98"], reason: "old")]),
    Row(
      testDescription: "what was not judged stays", old: [entry("queue.full", reason: "old")],
      records: [[Seen(wrong("98"))]],
      new: [
        entry("queue.full", ["two"], reason: "old"), entry("queue.full", ["one"], observed: ["98"], reason: "old"),
      ]),
    Row(
      testDescription: "other rules and cases stay",
      old: [entry("queue.empty", reason: "a"), entry(reason: "b", requirement: "PA-Q-002")],
      records: [[Seen(wrong()), Seen(wrong(), "two")]],
      new: [entry("queue.empty", reason: "a"), entry(reason: "b", requirement: "PA-Q-002"), entry()]),
    Row(
      testDescription: "what is about other subjects stays",
      old: [entry(reason: "old", condition: .init(version: "2.*"))], records: [[Seen(.conforms)]],
      new: [entry(reason: "old", condition: .init(version: "2.*"))]),
    Row(
      testDescription: "what is gone goes", old: [entry("queue.full", ["one"], reason: "old")],
      records: [[Seen(.conforms)]], new: []),
  ]

  @Test(arguments: written) func aBaselineIsWritten(_ row: Row) {
    let revision = BaselineRevision(row.records.map(Self.record), Self.catalogue)
    let new = revision.written(over: Baseline(protocolName: "parcel", entries: row.old))
    #expect(new.protocolName == "parcel")
    #expect(Set(new.entries) == Set(row.new))
    #expect(new.entries.count == row.new.count)
    // Writing the same records again adds no entry.
    #expect(revision.written(over: new).entries.count == new.entries.count)
  }

  struct Pruning: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var old: Baseline.Entry
    var seen: [Seen]
    var new: [Baseline.Entry]
    var says: [String] = []
  }

  private static let pruned = [
    Pruning(
      testDescription: "gone", old: entry(), seen: [Seen(.conforms), Seen(.conforms, "two")], new: [],
      says: ["PA-Q-001 in queue.full: removed, since it is gone"]),
    Pruning(
      testDescription: "gone in one dialect", old: entry(), seen: [Seen(.conforms), Seen(wrong(), "two")],
      new: [entry("queue.full", ["two"])],
      says: ["PA-Q-001 in queue.full: removed PA-Q-001 in queue.full@one, since it is gone"]),
    Pruning(
      testDescription: "gone in one, not judged in the other", old: entry(), seen: [Seen(.conforms)],
      new: [entry("queue.full", ["two"])],
      says: ["PA-Q-001 in queue.full: removed PA-Q-001 in queue.full@one, since it is gone"]),
    Pruning(
      testDescription: "gone for one of two rules",
      old: entry(covers: ["PA-Q-001": ["queue.full"], "PA-Q-002": ["queue.full"]]),
      seen: [Seen(.conforms), Seen(.conforms, "two"), Seen(wrong(), requirement: "PA-Q-002")],
      new: [entry(requirement: "PA-Q-002")],
      says: [
        "PA-Q-001 in queue.full, with 1 other requirement: removed PA-Q-001 in queue.full@one, PA-Q-001 in queue.full@two, "
          + "since it is gone"
      ]),
    Pruning(testDescription: "still there", old: entry(), seen: [Seen(wrong())], new: [entry()]),
    Pruning(testDescription: "there in another way", old: entry(), seen: [Seen(wrong("1"))], new: [entry()]),
    Pruning(testDescription: "not seen", old: entry(), seen: [Seen(.notApplicable(reason: "r"))], new: [entry()]),
    Pruning(
      testDescription: "gone in one of its cases", old: entry("queue.*"),
      seen: [Seen(.conforms), Seen(wrong(), name: "queue.empty")], new: [entry("queue.*")],
      says: ["PA-Q-001 in queue.*: gone is PA-Q-001 in queue.full@one, not all; narrow its cases"]),
  ]

  @Test(arguments: pruned) func whatIsGoneIsPruned(_ row: Pruning) {
    let revision = BaselineRevision([Self.record(row.seen)], Self.catalogue)
    let (new, changes) = revision.pruned(Baseline(protocolName: "parcel", entries: [row.old]))
    #expect(new.entries == row.new)
    #expect(changes == row.says)
  }

  struct Flakiness: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var records: [[Seen]]
    var isCalm: Bool
  }

  private static let flakiness = [
    Flakiness(testDescription: "it passed once", records: [[Seen(.conforms)]], isCalm: false),
    Flakiness(testDescription: "it passed twice", records: [[Seen(.conforms)], [Seen(.conforms)]], isCalm: true),
    Flakiness(testDescription: "it failed once", records: [[Seen(wrong())], [Seen(.conforms)]], isCalm: false),
    Flakiness(
      testDescription: "it was judged once", records: [[Seen(.notApplicable(reason: "r"))], [Seen(.conforms)]],
      isCalm: false),
  ]

  @Test(arguments: flakiness) func aFlakyEntryIsStaleWhenItNoLongerFails(_ row: Flakiness) {
    let old = Baseline(protocolName: "parcel", entries: [Self.entry(isFlaky: true)])
    let revision = BaselineRevision(row.records.map(Self.record), Self.catalogue)
    #expect(revision.calmEntries(of: old) == (row.isCalm ? old.entries : []))
    let (new, changes) = revision.pruned(old)
    #expect(new.entries == (row.isCalm ? [] : old.entries))
    #expect(
      changes == (row.isCalm ? ["PA-Q-001 in queue.full: removed, since it did not fail in the last 2 records"] : []))
  }

  @Test func theFewestEntriesTakeWhatFailsInTheSameRunTogether() {
    func other(_ text: String) -> Verdict.Outcome {
      .violates([.init(subject: text, expected: "true", observed: "false")])
    }
    let seen = [
      Seen(Self.wrong()), Seen(Self.wrong(), name: "queue.empty"), Seen(other("order"), requirement: "PA-Q-002"),
    ]
    let revision = BaselineRevision([Self.record(seen)], Self.catalogue)
    let empty = Baseline(protocolName: "parcel")
    #expect(revision.written(over: empty).entries.count == 2)
    let smallest = revision.written(over: empty, smallest: true).entries
    #expect(smallest.map(\.cause) == ["PA-Q-001"])
    #expect(smallest.first?.covers == ["PA-Q-001": ["queue.empty", "queue.full"], "PA-Q-002": ["queue.full"]])
  }
}
