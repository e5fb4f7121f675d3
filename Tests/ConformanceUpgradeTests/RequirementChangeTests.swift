import ConformanceModel
import ConformanceVerdict
import Testing

@testable import ConformanceUpgrade

@Suite struct RequirementChangeTests {
  private static func terms(
    _ level: Requirement.Level, _ basis: Requirement.Basis = .stated, _ text: String = "It holds."
  )
    -> RequirementChange.Terms
  {
    RequirementChange.Terms(
      Requirement(
        id: "PA-A-001", role: "sdk", feature: 1, level: level, basis: basis,
        source: .init(document: "D", section: "1", revision: "1"), text: text))
  }

  @Test(
    arguments: [
      (terms(.must), terms(.must), .stated, nil), (terms(.should), terms(.must), .stated, .stricter),
      (terms(.must), terms(.should), .stated, .weaker), (terms(.observe), terms(.may), .stated, .stricter),
      (terms(.must, .position), terms(.must), .stated, .stricter),
      (terms(.must, .position), terms(.must), .positions, .reworded),
      (terms(.must), terms(.must, .observed), .strict, .weaker),
      (terms(.must), terms(.mustNot, .stated, "It never holds."), .stated, .reworded),
      (terms(.must), terms(.must, .stated, "It holds always."), .stated, .reworded),
    ] as [(RequirementChange.Terms, RequirementChange.Terms, Gate, RequirementChange.Kind?)])
  func theGateAndTheLevelDecide(
    old: RequirementChange.Terms, new: RequirementChange.Terms, gate: Gate, kind: RequirementChange.Kind?
  ) {
    #expect(RequirementChange.between(old, new, of: "PA-A-001", gate: gate)?.kind == kind)
  }
}
