import ConformanceModel
import ConformanceSpec
import Templates
import Testing

/// The effect of the values of a row on steps and claims.
@Suite struct RowTests {
  private func sources(
    rows: String, steps: String, claims: String = "never: { request: any }"
  ) async throws
    -> CatalogueSources
  {
    try await sample(rows, steps, claims).sources()
  }

  private func sample(_ rows: String, _ steps: String, _ claim: String) throws -> Sample {
    Sample().appending(
      """
        - case: one.case
          title: One
          role: sdk
          rows: \(rows)
          steps: \(steps)
          claims: [ { requirement: SA-EVT-001, \(claim) } ]

      """, to: Sample.cases)
  }

  @Test func aHoleAloneBecomesTheValueAndOneInATextItsText() async throws {
    let found = try await sources(
      rows: "[ { row: a, x: 5, y: { z: [1] } }, { row: b, x: t, y: null } ]",
      steps: "[ { call: c, with: { a: \"${x}\", b: \"<${x}>\", c: \"${y}\", d: \"${y.z}\", \"k${x}\": \"$${x}\" } } ]")
    let scenarios = try #require(found.catalogue.case("one.case")?.scenarios)
    let params = scenarios.compactMap { scenario -> Template? in
      if case .call(let call)? = scenario.steps.first?.action { call.params } else { nil }
    }
    #expect(scenarios.map(\.row) == ["a", "b"])
    #expect(scenarios[0].values == ["x": 5, "y": ["z": [1]]])
    #expect(
      params.map(\.node) == [
        try Template(["a": 5, "b": "<5>", "c": ["z": [1]], "d": [1], "k5": "$${x}"]).node,
        try Template(["a": "t", "b": "<t>", "c": .null, "d": "${y.z}", "kt": "$${x}"]).node,
      ])
  }

  @Test func aLongTextIsWrittenOutInsideAText() async throws {
    let found = try await sources(
      rows: "[ { row: a, x: { $repeat: ab, times: 3 } } ]",
      steps: "[ { call: c, with: { whole: \"${x}\", inside: \"<${x}>\" } } ]")
    let steps = try #require(found.catalogue.case("one.case")?.scenarios.first?.steps)
    guard case .call(let call)? = steps.first?.action else { return #expect(Bool(false)) }
    #expect(try call.params.render([:]) == ["whole": "ababab", "inside": "<ababab>"])
  }

  @Test func aRowMayChooseAFaultAndAnAnswer() async throws {
    let found = try await sources(
      rows: "[ { row: a, how: status, more: 503 }, { row: b, how: status, more: 504 } ]",
      steps: "[ { fault: { how: \"${how}\", status: \"${more}\" } }, { settle: 1s } ]")
    let scenarios = try #require(found.catalogue.case("one.case")?.scenarios)
    #expect(
      scenarios.map { $0.steps[0].action } == [503, 504].map { .fault(Fault(.status($0))) })
  }

  @Test func aHoleThatNoRowFillsStays() async throws {
    let found = try await sources(
      rows: "[ { row: a, x: 1 }, { row: b } ]", steps: "[ { call: c, with: { \"x?\": \"${x}\" } } ]")
    let scenarios = try #require(found.catalogue.case("one.case")?.scenarios)
    guard case .call(let call)? = scenarios.last?.steps.first?.action else { return #expect(Bool(false)) }
    #expect(call.params == (try Template(["x?": "${x}"])))
    #expect(try call.params.render([:]) == [:])
  }

  @Test(arguments: [
    (
      "[ { row: a, n: 1 }, { row: b, n: x } ]", "[ { repeat: { times: \"${n}\", as: i, steps: [ { settle: 1s } ] } } ]",
      "$.cases[3].steps[0].repeat.times: expected a count from 0 to 1000000 or a hole such as ${name}, found \"x\" in row 'b'"
    ),
    (
      "[ { row: a } ]", "[ { repeat: { times: \"${n}\", as: i, steps: [ { settle: 1s } ] } } ]",
      "$.cases[3].steps[0].repeat.times: expected an integer, found \"${n}\" — no row gives it a value"
    ),
    (
      "[ { row: a } ]", "[ { advance: \"${time}\" } ]",
      "$.cases[3].steps[0].advance: expected a time such as 800ms, 5s, 90m or 48h, or soon, found \"${time}\""
        + " — no row gives it a value"
    ),
    (
      "[ { row: a, how: refuse }, { row: b, how: delay } ]", "[ { fault: { how: \"${how}\" } } ]",
      "$.cases[3].steps[0].fault.by: expected a time such as 800ms, 5s, 1.5s, 90m or 48h, or the name of one or a hole such as ${name}, "
        + "found nothing in row 'b'"
    ),
    (
      "[ { x: a } ]", "[ { settle: 1s } ]",
      "$.cases[3].rows[0].row: expected the row's name, a text (in quotes when it is a number) without [ ] @, found nothing"
    ),
  ])
  func whatARowPutsInHasToFit(rows: String, steps: String, problem: String) async throws {
    let complaints = try await sample(rows, steps, "never: { request: any }").complaints()
    #expect(complaints.map { String($0.drop { $0 != "$" }) } == [problem])
  }
}
