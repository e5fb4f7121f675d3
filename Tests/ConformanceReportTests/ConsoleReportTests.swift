import ConformanceModel
import ConformanceVerdict
import JSONKit
import Testing

@testable import ConformanceReport

@Suite struct ConsoleReportTests {
  func conclusion(_ record: RunRecord, _ style: ConsoleReport.Style = .init()) -> String {
    ConsoleReport.text(of: record, style: style)
  }

  @Test func theReportIsTheGoldenOne() {
    #expect(conclusion(Sample.record, .init(width: 90)) == Self.golden)
  }

  /// Colours are the kit's: what a subject sends of them is as visible with them as without.
  @Test func noForeignTextIsObeyed() throws {
    let hostile = "\u{1B}[31m\u{1B}[2J\u{7}\u{202E}\u{FFFE}\n\r\0"
    let record = try Self.record(with: hostile)
    let plain = conclusion(record)
    #expect(plain.unicodeScalars.allSatisfy { !$0.isObeyed || $0 == "\n" }, "\(plain.debugDescription)")
    #expect(plain.contains("\\u{1B}[31m\\u{1B}[2J"))
    let painted = conclusion(record, .init(colours: true))
    #expect(painted != plain)
    #expect(painted.replacing(/\u{1B}\[[0-9;]*m/, with: "") == plain)
    for line in record.lines {
      var report = ConsoleReport()
      _ = report.text(for: .run(record.header))
      let text = report.text(for: line)
      #expect(text.unicodeScalars.allSatisfy { !$0.isObeyed || $0 == "\n" }, "\(text.debugDescription)")
    }
  }

  /// The sample with a text behind every text that a run takes from elsewhere.
  static func record(with text: String) throws -> RunRecord {
    let words: Set<String> = [
      "record", "gate", "seed", "clock", "outcome", "disposition", "level", "basis", "kind", "conclusion", "startedAt",
      "path",
    ]
    func hostile(_ value: JSON, under key: String) -> JSON {
      switch value {
      case .string(let own) where !words.contains(key): .string(own + text)
      case .array(let elements): .array(elements.map { hostile($0, under: key) })
      case .object(let object):
        .object(JSON.Object(object.members.map { .init(key: $0.key, value: hostile($0.value, under: $0.key)) }))
      default: value
      }
    }
    var record = RunRecord(header: Sample.header)
    for line in Sample.record.lines {
      record.add(try RunRecord.Line(JSONField(hostile(line.representation, under: ""))))
    }
    return record
  }

  @Test func theSameComesOutOfTheLinesOneByOne() {
    var report = ConsoleReport(style: .init(width: 90))
    let text = Sample.record.lines.map { report.text(for: $0) }.joined()
    #expect(
      text == """
        conform 0.1.0 · parcel 2026-03-12 · gate stated · seed 7 · 5 cases
        sdk parcel-dart 1.2.0 (dart, android)
        STALE  PA-POST-002 post.first @spec: the baseline expects a violation that is no longer t…
        FAIL  PA-QUEUE-001 queue.full[101] @spec: queueSize 'size' $.kept: expected 100, observed…
        UNJUDGED  PA-QUEUE-001 queue.crash @spec: the adapter died: exit 3
        UNJUDGED  PA-QUEUE-004 queue.crash @spec: the adapter died: exit 3

        """)
    #expect(report.conclusion() == Self.golden)
  }

  /// One reason can leave many rules unjudged, so the console prints ten lines and gives the reason at the end.
  @Test func ofTheRulesThatAreNotJudgedTenLinesAreTold() throws {
    var report = ConsoleReport()
    _ = report.text(for: .run(Sample.header))
    var unjudged = try #require(Sample.record.rulings.first { $0.disposition == .error })
    let lines = (1...12).map { number in
      unjudged.verdict.requirement = RequirementID("PA-MANY-\(100 + number)")
      return report.text(for: .verdict(unjudged))
    }
    #expect(lines.prefix(9).allSatisfy { $0.hasPrefix("UNJUDGED  PA-MANY-1") })
    #expect(lines.suffix(3) == ["UNJUDGED  further requirements too: the end of this report says why\n", "", ""])
  }

  @Test func coloursComeOnlyWhenAsked() {
    #expect(!conclusion(Sample.record).contains("\u{1B}"))
    let coloured = conclusion(Sample.record, .init(colours: true))
    #expect(coloured.hasPrefix("\u{1B}[1;31mFAIL\u{1B}[0m  \u{1B}[1mPA-QUEUE-001"))
    let plain = coloured.replacing(/\u{1B}\[[0-9;]*m/, with: "")
    #expect(plain == conclusion(Sample.record))
  }

  @Test func aRunThatSkippedEverythingSaysSo() {
    var record = Sample.record(Sample.rulings.filter { $0.disposition == .skipped })
    let comes = record.account.conclusion(.end)
    record.end?.conclusion = comes
    let lines = conclusion(record, .init(width: 120)).split(separator: "\n").suffix(2)
    #expect(
      lines == [
        "INCOMPLETE: nothing passed: every verdict was skipped, because the capability 'ears' is not declared",
        "incomplete: 1 skipped; 1 verdict in 5 cases, 0.278 s",
      ])
  }

  @Test func rulesWithoutACaseAreNamed() {
    var record = Sample.record
    #expect(!conclusion(record).contains("NOT JUDGED"))
    record.header.withoutCase = ["PA-A-007", "PA-A-008"]
    #expect(conclusion(record).contains("\nNOT JUDGED: 2 requirements without a case here: PA-A-007, PA-A-008\n"))
  }

  @Test func nothingOfASubjectReachesTheTerminalRaw() {
    let hostile = "\u{1B}[2J\u{9B}31m\u{202E}\r\nx"
    var ruling = Sample.ruling(
      "PA-A-001", CaseInstance(id: CaseID(hostile), row: hostile, dialect: Dialect(hostile)),
      .violates([.init(subject: hostile, expected: hostile, observed: hostile)]), .fail, story: [hostile])
    ruling.rule.text = hostile
    ruling.rerun = hostile
    var unjudged = ruling
    unjudged.verdict.requirement = "PA-A-002"
    unjudged.verdict.outcome = .unjudged(reason: hostile)
    unjudged.disposition = .error
    var known = ruling
    known.verdict.requirement = "PA-A-003"
    known.disposition = .known
    known.baseline = hostile
    var record = Sample.record([ruling, unjudged, known])
    record.subjects[0].subject.name = hostile
    var report = ConsoleReport()
    let text = record.lines.map { report.text(for: $0) }.joined() + report.conclusion()
    let raw = text.unicodeScalars.filter { ($0.value < 0x20 && $0 != "\n") || $0.value == 0x9B || $0.value == 0x202E }
    #expect(raw.isEmpty)
    #expect(!text.contains("\nx"))
    #expect(text.contains(#"\u{1B}[2J\u{9B}31m\u{202E}\r\nx"#))
  }

  @Test func manyCasesOfOneRequirementAreOneCard() {
    let rulings = (1...40).map { number in
      Sample.ruling(
        "PA-QUEUE-001", CaseInstance(id: CaseID("c\(number)"), row: nil, dialect: "spec"),
        .violates([Sample.finding(number <= 20 ? "101" : "\(number)")]), .fail)
    }
    let text = conclusion(Sample.record(rulings))
    #expect(text.ranges(of: "FAIL").count == 1)
    #expect(text.contains("  and in 39 more:\n    c10 @spec\n    c11 @spec\n"))
    #expect(text.contains("    … 33 more cases\n"))
    #expect(text.split(separator: "\n").count < 40)
  }

  @Test func aMissingCapabilityIsOneLineAndOneCard() {
    let lacking = Verdict.Outcome.violates([.missing(capability: "links")])
    let rulings = [("PA-A-001", Sample.fuller), ("PA-A-001", Sample.crash), ("PA-A-002", Sample.fuller)].map {
      Sample.ruling($0.0, $0.1, lacking, .fail)
    }
    let other = Sample.ruling("PA-A-001", Sample.full, .violates([Sample.finding("99")]), .fail)
    let record = Sample.record(rulings + [other])
    var report = ConsoleReport()
    let lines = record.lines.map { report.text(for: $0) }.joined().split(separator: "\n")
    #expect(lines.count { $0.hasPrefix("FAIL") } == 2)
    let text = conclusion(record)
    #expect(text.contains("FAIL  capability 'links'\n  2 requirements in 2 cases: PA-A-001 PA-A-002\n"))
    #expect(text.ranges(of: "FAIL").count == 2)
  }

  private static let three = (1...3).map { number in
    let subject = String(repeating: "x", count: number)
    return Sample.ruling(
      RequirementID("PA-A-00\(number)"), Sample.full,
      .violates([.init(subject: subject, expected: "true", observed: "false")]), .fail, story: ["> 1  step"])
  }

  @Test func everyCardTellsItsStory() {
    #expect(conclusion(Sample.record(Self.three)).ranges(of: "  > 1  step").count == 3)
  }

  @Test(arguments: [(1, 1, "… 2 cards more; --cards 3 shows all\n"), (2, 2, "… 1 card more; --cards 3 shows all\n")])
  func asManyCardsAreShownAsAreWanted(limit: Int, cards: Int, says: String) {
    let text = conclusion(Sample.record(Self.three), .init(cards: .init(limit: limit)))
    #expect(text.ranges(of: "FAIL  ").count == cards)
    #expect(text.contains(says))
  }

  @Test func aBriefCardIsWhatFailedAndHowToSeeIt() {
    let text = conclusion(Sample.record, .init(cards: .init(areBrief: true)))
    #expect(
      text.hasPrefix(
        """
        FAIL  PA-QUEUE-001 MUST · Queue
          The queue holds 100 parcels & never more.
          queueSize 'size' $.kept (#4 #9)
            expected  100
            observed  101
          rerun     conform run --sdk './my adapter' --case 'queue.full[101]' --dialect next --requirement PA-QUEUE-001

        STALE
        """), "\(text)")
  }

  /// A finding that the gate ignores has a card only on demand. A MUST by a position always has a card.
  @Test(
    arguments: [
      (.should, .stated, false, false), (.should, .stated, true, true), (.must, .position, false, true),
      (.must, .observed, false, false),
    ] as [(Requirement.Level, Requirement.Basis, Bool, Bool)])
  func anAdvisoryFindingMayHaveACard(level: Requirement.Level, basis: Requirement.Basis, isAsked: Bool, has: Bool) {
    var ruling = Sample.ruling("PA-A-001", Sample.full, .violates([Sample.second]), .advisory, level: level)
    ruling.rule.basis = basis
    let text = conclusion(Sample.record([ruling]), .init(cards: .init(showAdvisory: isAsked)))
    #expect(text.contains("ADVISORY  PA-A-001 \(level.rawValue)") == has)
    #expect(text.contains("advisory  PA-A-001") == !has)
  }

  /// The reader sees the deviations of the subject first. Violations that the reference
  /// shows, too, are only named.
  @Test func anOrdinaryFindingIsNamedLast() {
    let mark = "ordinary: the reference shows it too"
    func ruling(_ number: Int, isOrdinary: Bool) -> RunRecord.Ruling {
      var ruling = Sample.ruling(
        RequirementID("PA-A-0\(number)"), Sample.full, .violates([Sample.second]), .advisory, level: .should)
      ruling.isOrdinary = isOrdinary
      return ruling
    }
    let rulings = (10..<20).map { ruling($0, isOrdinary: true) } + (20..<30).map { ruling($0, isOrdinary: false) }
    let text = conclusion(Sample.record(rulings))
    #expect(text.contains("advisory  PA-A-020 SHOULD ×1 post requests"))
    #expect(text.contains("advisory  \(mark): PA-A-010 ×1, PA-A-011 ×1"))
    for ruling in rulings { #expect(text.contains("\(ruling.requirement) ")) }
    let cards = conclusion(Sample.record(rulings), .init(cards: .init(showAdvisory: true)))
    #expect(cards.contains("ADVISORY  PA-A-010 SHOULD · Queue\n  (\(mark))\n"), "\(cards)")
    #expect(!cards.contains("ADVISORY  PA-A-020 SHOULD · Queue\n  (\(mark))\n"))
  }

  /// The last lines name each violated requirement, even those without a card.
  @Test func everyFailedRequirementIsNamed() {
    let rulings = (10..<40).map { number in
      Sample.ruling(
        RequirementID("PA-A-0\(number)"), Sample.full,
        .violates([Finding(subject: "x\(number % 15)", expected: "true", observed: "\(number)")]), .fail)
    }
    let lines = conclusion(Sample.record(rulings), .init(cards: .init(limit: 1)))
    for ruling in rulings { #expect(lines.contains(ruling.requirement.rawValue), "\(ruling.requirement)") }
  }

  @Test func aLongReasonIsWrappedAndNotCut() {
    let reason = (1...40).map { "word\($0)" }.joined(separator: " ")
    let text = conclusion(
      Sample.record([Self.three[0], Sample.ruling("PA-B-001", Sample.crash, .unjudged(reason: reason), .error)]),
      .init(width: 60))
    #expect(text.contains("word40"))
    #expect(
      text.split(separator: "\n").allSatisfy { $0.count <= 60 || $0.contains("rerun") || $0.contains("evidence") })
  }

  /// No defect of the catalogue explains a missing capability.
  @Test func aCapabilityCardNamesNoDefects() {
    var ruling = Sample.ruling("PA-A-001", Sample.full, .violates([.missing(capability: "links")]), .fail)
    ruling.looksLike = ["The queue holds 99."]
    #expect(!conclusion(Sample.record([ruling])).contains("could be"))
  }

  @Test func aRunOfAPartSaysSoInItsFirstAndLastLine() {
    var record = Sample.record([Sample.rulings[0]])
    record.header.dialects = ["spec"]
    record.header.extent = .init(roles: 1, dialects: 4, features: 1)
    record.end?.conclusion = Conclusion(.conformant)
    var report = ConsoleReport()
    let first = report.text(for: .run(record.header)).split { $0 == " " || $0 == "\n" }.joined(separator: " ")
    #expect(first.hasSuffix(" · only in `spec`, one of four dialects"))
    let last = conclusion(record).split(separator: "\n").last ?? ""
    #expect(last.hasPrefix("conformant in `spec`, one of four dialects: 1 passed"), "\(last)")
  }

  @Test func aPartialRecordSaysSo() {
    var record = Sample.record([Sample.rulings[0]])
    record.end = nil
    let lines = conclusion(record).split(separator: "\n").suffix(2)
    #expect(
      lines == [
        "INCOMPLETE: the run was killed after 5 of 5 cases", "incomplete: 1 passed; 1 verdict in 5 cases",
      ])
  }

  @Test func notesStandBeforeTheConclusion() {
    var record = Sample.record
    record.end?.notes = ["an entry expired"]
    #expect(conclusion(record).contains("\nan entry expired\nnot conformant: "))
  }

  /// The bases of two violated MUST rules, and the summary that counts the kit's own positions separately.
  @Test(
    arguments: [
      ([.stated, .published], .fail, "2 failed,"),
      ([.stated, .position], .fail, "2 failed (1 by the documents, 1 by positions),"),
      ([.position, .position], .fail, "2 failed (all by positions),"),
      ([.position, .observed], .advisory, "2 advisory (1 otherwise, 1 by positions);"),
      ([.position, .stated], .known, "2 known (1 otherwise, 1 by positions);"),
    ] as [([Requirement.Basis], Disposition, String)])
  func positionsOfTheKitAreToldApart(bases: [Requirement.Basis], disposition: Disposition, says: String) {
    let rulings = bases.enumerated().map { index, basis in
      var ruling = Sample.ruling(
        RequirementID("PA-A-00\(index)"), Sample.full, .violates([Sample.second]), disposition)
      ruling.rule.basis = basis
      return ruling
    }
    let last =
      conclusion(Sample.record(rulings + [Sample.rulings[0]])).split(separator: "\n").last { !$0.hasPrefix(" ") } ?? ""
    #expect(last.contains(says), "\(last)")
  }

  @Test func adviceThatIsAPositionIsNoMust() {
    var ruling = Sample.ruling("PA-A-001", Sample.full, .violates([Sample.second]), .advisory, level: .should)
    ruling.rule.basis = .position
    #expect(conclusion(Sample.record([ruling])).contains(": 1 advisory; "))
  }

  @Test func oneReasonThatStopsManyCasesIsOneCard() {
    let reason = Verdict.Outcome.unjudged(reason: "the adapter died")
    let rulings = [("PA-A-001", Sample.fuller), ("PA-A-002", Sample.crash), ("PA-A-003", Sample.fuller)].map {
      Sample.ruling($0.0, $0.1, reason, .error)
    }
    let text = conclusion(Sample.record(rulings))
    #expect(text.ranges(of: "could not be judged: the adapter died\n").count == 1)
    #expect(text.contains("  3 requirements in 2 cases: PA-A-001 PA-A-002 PA-A-003\n"))
    #expect(text.contains("\n  queue.full[150] @spec: A title\n"))
    #expect(text.contains("\n  and in 1 more:\n    queue.crash @spec\n"))
  }

  @Test(arguments: [
    (Conclusion.Word.conformant, "conformant: "), (.notConformant, "not conformant: "), (.incomplete, "incomplete: "),
    (.unjudged, "could not be judged: "), (.staleBaseline, "the baseline is stale: "),
    (.known, "conformant but for what the baseline knows: "),
  ])
  func theLastLineButForWhatFailedIsTheConclusion(word: Conclusion.Word, words: String) {
    var record = Sample.record
    record.end?.conclusion = Conclusion(word)
    let last = conclusion(record).split(separator: "\n").last { !$0.hasPrefix(" ") } ?? ""
    #expect(last.hasPrefix(words + "3 failed, "))
  }

  @Test func aDishonestAdapterIsNamedAtOnce() {
    var participant = Sample.participant
    participant.subject.isHonest = false
    var report = ConsoleReport()
    _ = report.text(for: .run(Sample.header))
    #expect(report.text(for: .subject(participant)).contains("answers made-up commands"))
    #expect(!report.text(for: .subject(Sample.participant)).contains("made-up"))
  }

  static let golden = """
    FAIL  PA-QUEUE-001 MUST · Queue
      The queue holds 100 parcels & never more.
      Parcel specification, 13 Queue, revision 2026-03-12 (stated)

      queue.full[101] @next: A title
      > 3  post {"n":1}
           #4 → POST /parcels
        …
           #9 ← 200 OK
      queueSize 'size' $.kept (#4 #9)
        expected  100
        observed  101
      post requests
        expected  1
        observed  2 <with> "marks"
      evidence  evidence/queue.full.jsonl
      rerun     conform run --sdk './my adapter' --case 'queue.full[101]' --dialect next --requirement PA-QUEUE-001

      and in 2 more:
        queue.full[101, 150] @spec

    STALE  PA-POST-002 MUST · Posting
      The queue holds 100 parcels & never more.
      Parcel specification, 13 Queue, revision 2026-03-12 (stated)

      the baseline expects a violation that is no longer there: remove its entry

      post.first @spec: A title
      evidence  evidence/post.first.jsonl
      rerun     conform run --sdk './my adapter' --case post.first --dialect spec --requirement PA-POST-002

    UNJUDGED  2 verdicts, because
      ×2 the adapter died: exit 3 (PA-QUEUE-001, PA-QUEUE-004)

    known     PA-QUEUE-003 MUST ×1 (issue 12) post requests: expected 1, observed 2 <with>
              "marks"
    advisory  PA-QUEUE-002 SHOULD ×1 post requests: expected 1, observed 2 <with> "marks"
    skipped   ×1 the capability 'ears' is not declared

    feature             pass      fail     known     stale  advisory  unjudged   skipped
     1  Posting            1         0         0         1         0         0         0
     2  Queue              0         3         1         0         1         2         0
     –  no feature         0         0         0         0         0         0         1

    not conformant: 3 failed, 1 stale, 2 unjudged, 1 passed, 1 advisory, 1 known, 1 skipped;
      10 verdicts in 5 cases, 0.278 s
      PA-QUEUE-001  queue.full[101]

    """
}
