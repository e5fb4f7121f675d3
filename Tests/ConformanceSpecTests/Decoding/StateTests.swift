import ConformanceSpec
import JSONKit
import Templates
import Testing

/// The states that cases begin in: how they are named, what they take, and what they change of a case.
@Suite struct StateTests {
  private func complaints(_ states: String, in file: String = Sample.states) async throws -> [String] {
    try await Sample().appending(states, to: file).complaints()
  }

  @Test func aCaseBeginsInAStateWithItsStepsAndItsRule() async throws {
    let found = try #require(try await Sample().sources().catalogue.case("event.online"))
    let state = try #require(found.scenarios[0].given.first)
    #expect(state.state == "started")
    #expect(state.requirements == ["SA-EVT-001"])
    #expect(state.steps.map(\.title) == ["initialize"])
    #expect(state.holds == [.returns([.init(label: "began", template: try Template(["$succeeds": true]))])])
    #expect(found.services == ["main"], "the state speaks of it")
  }

  @Test(arguments: [
    ("given: started", "main"), ("given: [started]", "main"),
    ("given: [ { state: started, with: { url: other } } ]", "other"),
  ])
  func aStateTakesValues(given: String, url: String) async throws {
    let sample = try Sample().replacing("given: started", with: given, in: Sample.otherCases)
    let state = try await sample.sources().catalogue.case("event.online")?.scenarios[0].given[0]
    guard case .call(let call)? = state?.steps.first?.action else {
      Issue.record("\(String(describing: state))")
      return
    }
    #expect(try call.params.render(["main": ["url": "main"]]) == ["url": .string(url)])
  }

  @Test(arguments: [
    (
      "given: startd",
      "$.cases[1].given: expected a state of steps.yaml: started, found \"startd\" — did you mean \"started\"?"
    ),
    (
      "given: [ { state: started, with: { uri: x } } ]",
      "$.cases[1].given[0]: expected values that the state 'started' takes, found 'uri' — did you mean \"url\"?"
    ),
  ])
  func whatIsNoStateOrNoneOfItsValuesIsTold(given: String, problem: String) async throws {
    let sample = try Sample().replacing("given: started", with: given, in: Sample.otherCases)
    #expect(try await sample.complaints().map { String($0.drop { $0 != "$" }) } == [problem])
  }

  /// A mistake in the file of the states is one problem, not one for each case that names a state.
  @Test func aFileOfStatesThatCannotBeReadIsReportedAlone() async throws {
    let problems = try await complaints("  - [ a: b: c\n")
    #expect(problems.count == 1 && problems[0].contains(Sample.states), "\(problems)")
  }

  @Test(arguments: [["a"], ["b", "a"], ["b", "c", "a"]])
  func stepsThatLeadBackToThemselvesAreTold(others: [String]) async throws {
    let names = ["a"] + others.dropLast()
    let states = zip(names, others).map {
      "  - { state: \($0), text: x, steps: [ { do: \($1) } ], holds: [ { survives: true } ] }\n"
    }
    let found = try await complaints(states.joined())
    #expect(!found.isEmpty)
    for problem in found {
      #expect(problem.contains("expected steps that do not lead back to themselves"), "\(problem)")
    }
  }

  @Test func anotherTextOfAStateIsAnotherTextOfItsCasesOnly() async throws {
    let before = try await Sample().sources().catalogue.cases
    let after = try await Sample()
      .replacing("as: began }", with: "as: began }\n      - settle: soon", in: Sample.states).sources().catalogue.cases
    let changed = zip(before, after).filter { $0.digest != $1.digest }.map(\.0.id)
    #expect(changed == ["event.online"])
  }
}
