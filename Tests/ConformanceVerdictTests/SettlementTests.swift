import ConformanceModel
import ConformanceVerdict
import Testing

@Suite struct SettlementTests {
  private static func requirement(_ id: RequirementID, _ level: Requirement.Level) -> Requirement {
    Requirement(
      id: id, role: "sdk", feature: nil, level: level, basis: .stated,
      source: .init(document: "D", section: "1", revision: "1"), text: "A rule.")
  }

  private static func verdict(_ id: RequirementID, _ outcome: Verdict.Outcome) -> Verdict {
    Verdict(instance: .init(id: "c", row: nil, dialect: "d"), requirement: id, outcome: outcome, clock: .real)
  }

  @Test(arguments: Gate.allCases)
  func aVerdictMeansWhatTheLevelAndTheGateSay(gate: Gate) {
    let settlement = Settlement(gate: gate)
    for level in Requirement.Level.allCases {
      let rule = Self.requirement("R-A-001", level)
      let isDemanded = DispositionTests.demanded[gate]?.contains("\(level.rawValue) stated") ?? false
      #expect(settlement.demands(rule) == isDemanded)
      func disposition(_ outcome: Verdict.Outcome) -> Disposition {
        settlement.settle(Self.verdict("R-A-001", outcome), on: rule).disposition
      }
      #expect(disposition(.violates([])) == (isDemanded ? .fail : .advisory))
      #expect(disposition(.conforms) == .pass)
    }
  }

  @Test func onlyWhatWasAskedForIsSettledInThatOrder() {
    let verdicts = [
      Self.verdict("R-A-001", .conforms), Self.verdict("R-A-002", .violates([])), Self.verdict("R-A-003", .conforms),
    ]
    let asked = [
      Self.requirement("R-A-002", .must), Self.requirement("R-A-009", .must), Self.requirement("R-A-001", .must),
    ]
    let settled = Settlement(gate: .stated).settle(verdicts, on: asked)
    #expect(settled.map(\.verdict) == [verdicts[1], verdicts[0]])
    #expect(settled.map(\.requirement) == [asked[0], asked[2]])
    #expect(settled.map(\.disposition) == [.fail, .pass])
  }
}
