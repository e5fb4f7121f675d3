import ConformanceSpec
import SpecDocuments
import Testing

@testable import Lint

@Suite struct LinterTests {
  @Test func nothingIsWrongWithTheSample() async throws {
    let diagnostics = try await Sample().lint()
    #expect(diagnostics.map(\.description) == [])
  }

  @Test(arguments: LintRow.all)
  func everyRuleFindsWhatItIsFor(row: LintRow) async throws {
    let sample = try row.apply(to: Sample())
    let diagnostics = try await sample.lint()
    let found = diagnostics.filter { $0.rule == row.rule }
    #expect(found.map(\.description) == row.expected, "\(diagnostics.map { "\($0.rule): \($0)" })")
  }

  @Test func everyRuleHasABadExample() {
    let tested = Set(LintRow.all.map(\.rule)).union(LanguageRuleTests.rules).union(ServerRuleTests.rules)
      .union(ReachRuleTests.rules).union(PreconditionRuleTests.rules).union(AssumptionTests.rules)
      .union(FrozenRuleTests.rules)
    #expect(Linter.rules.map(\.name).filter { !tested.contains($0) } == [])
    #expect(Set(Linter.rules.map(\.name)).count == Linter.rules.count)
  }

  @Test func unknownChecksAreLeftAloneWhenTheChecksAreNotKnown() async throws {
    let sample = Sample().appending(
      """
        - case: event.check
          title: A check
          role: sdk
          steps: [ { call: initialize, with: { url: x } } ]
          claims: [ { requirement: SA-EVT-001, check: { name: other } } ]

      """, to: Sample.cases)
    let sources = try await sample.sources()
    #expect(Linter(sources).diagnostics().contains { $0.rule == "unknown-check" } == false)
    #expect(Linter(sources, checks: [:]).diagnostics().contains { $0.rule == "unknown-check" })
  }

  /// All else rests on the definition of the protocol.
  @Test func whatIsWrongWithTheDefinitionComesFirst() {
    let files = ["Fixtures/a/exchanges/e.json", "spec/a/cases/c.yaml", "spec/a/protocol.yaml", "spec/a/steps.yaml"]
    let found = files.map { Diagnostic(rule: "r", file: $0, line: 1, column: 1, expected: "x", found: "y") }
    #expect(found.sorted().map(\.file) == [files[2], files[0], files[1], files[3]])
  }

  @Test func aBrokenFileIsToldInsteadOfWhatFollowsFromIt() async throws {
    let sample = try Sample().replacing("requirements:", with: "requirement:", in: Sample.requirements)
    let diagnostics = try await sample.lint()
    #expect(diagnostics.map(\.rule) == ["schema", "schema"])
  }
}

/// One change of the sample, and what one rule says of it.
struct LintRow: Sendable, CustomTestStringConvertible {
  var rule: String
  var file: String
  /// nil to add the new text at the end.
  var old: String?
  var new: String
  var expected: [String]
  var testDescription: String { "\(rule): \(new)" }

  init(_ rule: String, _ file: String, _ old: String?, _ new: String, _ expected: String...) {
    self.rule = rule
    self.file = file
    self.old = old
    self.new = new
    self.expected = expected
  }

  func apply(to sample: Sample) throws -> Sample {
    guard let old else { return sample.appending(new, to: file) }
    return try sample.replacing(old, with: new, in: file)
  }
}
