import ConformanceModel
import JSONKit
import Testing

@testable import ConformanceJudge

/// Which findings a machine that was too slow may explain, and what is judged of a case that it kept from its time.
@Suite struct LatenessTests {
  private static let event = Selector(.request(exchange: "event"))

  private static let findings: [(Claim.Assertion, Bool)] = [
    (.count(event, is: template(["$at-least": 2])), true), (.count(event, is: template(0)), false),
    (.never(event), false), (.matches(Selector(.request(exchange: "install")), which: .first, is: template([:])), true),
    (.matches(event, which: .first, is: template(["body": ["name": "b"]])), false),
  ]

  @Test(arguments: findings) func marksWhatTimeMayExplain(assertion: Claim.Assertion, mayBeLateness: Bool) throws {
    let scene = Scene(events: [Scene.request("event", ["name": "a"])])
    let found = try scene.evaluator.findings(of: assertion)
    #expect(!found.isEmpty)
    #expect(found.allSatisfy { $0.mayBeLateness == mayBeLateness })
  }

  @Test(arguments: findings) func failsAHinderedCaseOnlyForWhatTimeDoesNotExplain(
    assertion: Claim.Assertion, mayBeLateness: Bool
  ) throws {
    var scene = Scene(events: [Scene.request("event", ["name": "a"])])
    scene.ending = .hindered(by: "the machine did not let the kit run in time")
    let requirement = Requirement(
      id: "R-1", role: "sdk", feature: 1, level: .must, basis: .stated,
      source: .init(document: "D", section: "1", revision: "1"), text: "")
    let scenario = Case.Scenario(steps: [], claims: [Claim(requirement: "R-1", assertion: assertion)])
    let testCase = Case(
      id: Scene.instance.id, title: "", role: "sdk", dialects: ["plain"], services: ["main"], scenarios: [scenario])
    let catalogue = Scene.catalogue([testCase], requirements: [requirement])
    let verdicts = try Judge(catalogue: catalogue, checks: [:]).verdicts(for: scene.transcript)
    if case .violates = verdicts[0].outcome { #expect(!mayBeLateness) } else { #expect(mayBeLateness) }
  }
}
