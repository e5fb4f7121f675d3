import ConformanceModel
import ConformanceVerdict
import Testing
import TextKit

@testable import ConformanceReport
@testable import Records

/// The length of cards, with more findings, cases and requirements than a card has room for.
@Suite struct ConsoleCardsTests {
  /// The numbers of what a card can list.
  struct Load: CustomTestStringConvertible {
    var findings: Int
    var others: Int
    var followers: Int
    var silenced: Int

    var testDescription: String {
      "\(findings) findings, \(others) others, \(followers) followers, \(silenced) silenced"
    }

    static let all = [1, 3, 9].flatMap { findings in
      [0, 1, 40].flatMap { others in
        [0, 2, 20].flatMap { followers in
          [0, 1, 30].map { Load(findings: findings, others: others, followers: followers, silenced: $0) }
        }
      }
    }
  }

  private static let sentence = "The queue holds at most 100 parcels, and the SDK sends them in the order of the calls."

  private static func rulings(_ id: RequirementID, _ count: Int, findings: Int) -> [RunRecord.Ruling] {
    (0..<count).map { number in
      let findings = (0..<findings).map { place in
        Finding(
          subject: "post requests whose parcel is '\(place)', in the order of the calls", path: .root,
          expected: "\(place) " + sentence + sentence, observed: "\(place) " + sentence + sentence, entries: [4, 9])
      }
      return Sample.ruling(
        id, CaseInstance(id: CaseID("queue.kept-\(number)"), row: nil, dialect: "spec"), .violates(findings), .fail,
        story: Array(repeating: "> 3  post {\"n\":1}", count: 12))
    }
  }

  private static func lines(_ load: Load, after origin: RequirementID? = nil) -> [String] {
    let lead = rulings("PA-QUEUE-001", 1 + load.others, findings: load.findings)
    func parts(_ area: String, _ count: Int) -> [FailureGroup.Part] {
      (0..<count).map { number in
        let id = RequirementID("PA-\(area)-\(100 + number)")
        return FailureGroup.Part(requirement: id, rulings: rulings(id, 1, findings: 1))
      }
    }
    var group = FailureGroup(
      lead: .init(requirement: "PA-QUEUE-001", rulings: lead), followers: parts("FOLLOW", load.followers),
      silenced: parts("SILENT", load.silenced), shared: "post requests $.kept")
    group.origin = origin
    let cards = ConsoleCards(
      record: Sample.record(lead), rulings: lead, groups: [group], paint: Paint(isOn: false), width: 80,
      style: ConsoleReport.Cards())
    return cards.blocks[0]
  }

  /// A person reads a card without scrolling. The first difference and the command are on each.
  @Test(arguments: Load.all) func aCardHasAtMostFortyLines(load: Load) {
    let lines = Self.lines(load)
    #expect(lines.count <= 40, "\(lines.joined(separator: "\n"))")
    #expect(lines.contains { $0.hasPrefix("    expected  0 The queue") })
    #expect(lines.contains { $0.hasPrefix("  rerun     ") })
  }

  /// The card contains the numbers of further differences, cases and requirements.
  @Test func whatIsLeftOutIsCounted() {
    let text = Self.lines(Load(findings: 9, others: 40, followers: 20, silenced: 30)).joined(separator: "\n")
    #expect(text.contains(/… \d differences more/))
    #expect(text.contains(/… \d+ more cases/))
    #expect(text.contains(/… \d+ more requirements/))
    #expect(text.contains("and 18 more requirements"))
  }

  /// A card that may follow from an earlier card has the marked steps, the first difference and the command, and only
  /// the names of everything else.
  @Test(arguments: Load.all) func aCardThatMayFollowFromAnotherIsShort(load: Load) {
    let lines = Self.lines(load, after: "PA-CAUSE-001")
    #expect(lines.count <= 24, "\(lines.joined(separator: "\n"))")
    #expect(lines.contains("  (may follow from PA-CAUSE-001, so this card is short)"))
    #expect(lines.count { $0.hasPrefix("  > ") } == 3)
    #expect(lines.contains { $0.hasPrefix("    expected  0 The queue") })
    #expect(lines.contains { $0.hasPrefix("  rerun     ") })
    let text = lines.flatMap { $0.split(separator: " ") }.joined(separator: " ")
    #expect(text.contains("in the same way: PA-FOLLOW-100 ×1") == (load.followers > 0))
    #expect(text.contains("not judged because of it: PA-SILENT-100 ×1") == (load.silenced > 0))
  }
}
