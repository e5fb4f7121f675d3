import ConformanceModel
import ConformanceVerdict
import Testing

/// The table of `spec/kit/decisions`: every verdict, level, basis and gate, with and without a baseline.
@Suite struct DispositionTests {
  /// The rules whose violation fails a run, by gate; each gate holds the ones before it.
  static let demanded: [Gate: Set<String>] = {
    let stated: Set = [
      "MUST stated", "MUST published", "MUST standard", "MUST NOT stated", "MUST NOT published", "MUST NOT standard",
    ]
    let positions = stated.union(["MUST position", "MUST NOT position"])
    let should = ["SHOULD", "SHOULD NOT"].flatMap { level in
      ["stated", "published", "standard", "position"].map { "\(level) \($0)" }
    }
    return [.stated: stated, .positions: positions, .strict: positions.union(should)]
  }()

  @Test(arguments: Gate.allCases, [false, true])
  func everyVerdictHasOneMeaning(gate: Gate, isInBaseline: Bool) {
    for level in Requirement.Level.allCases {
      for basis in Requirement.Basis.allCases {
        func disposition(_ outcome: Verdict.Outcome) -> Disposition {
          Disposition(outcome: outcome, level: level, basis: basis, gate: gate, isInBaseline: isInBaseline)
        }
        let isDemanded = Self.demanded[gate]?.contains("\(level.rawValue) \(basis.rawValue)") ?? false
        #expect(gate.demands(level, basis) == isDemanded)
        #expect(disposition(.conforms) == (isInBaseline ? .stale : .pass))
        #expect(disposition(.violates([])) == (isInBaseline ? .known : isDemanded ? .fail : .advisory))
        #expect(disposition(.unjudged(reason: "r")) == (isInBaseline ? .known : .error))
        #expect(disposition(.notApplicable(reason: "r")) == .skipped)
      }
    }
  }

  @Test func exitCodesAreWhatTheShellSees() {
    #expect(ExitCode.allCases.map(\.rawValue) == [0, 1, 2, 3, 4, 5])
  }
}
