import ConformanceModel
import ConformanceSpec
import ConformanceVerdict
import JSONKit
import SpecDocuments
import Templates
import Testing

@testable import Lint

/// Fixtures of the runner: cases that pass, cases that fail in a certain way, and cases that are refused.
@Suite struct RunnerFixtureTests {
  /// The verdicts of all cases of `valid-pass` and `valid-fail` by run; each case is performed once.
  private static let verdicts = Task<[String: [Verdict]], any Error> {
    let beacon = try await station.value
    return try await withThrowingTaskGroup(of: [Verdict].self) { group in
      for role in beacon.catalogue.definition.roleNames {
        group.addTask { try await beacon.verdicts(of: role, in: ["one"]) }
      }
      var all: [String: [Verdict]] = [:]
      for try await verdicts in group { all.merge(Dictionary(grouping: verdicts, by: \.instance.name)) { $0 + $1 } }
      return all
    }
  }
  private static let station = Task<BeaconStation, any Error> {
    try await BeaconStation(texts: RunnerFixtures.texts(["valid-pass", "valid-fail"]))
  }
  /// The diagnostics of lint for Beacon without any case.
  private static let bare = Task<Set<Complaint>, any Error> {
    Set(await lint(try RunnerFixtures.bareTexts()).map(Complaint.init))
  }

  private static func lint(_ texts: [String: String]) async -> [Diagnostic] {
    guard let schemas = try? BeaconStation.schemas.get() else { return [] }
    return await Linter.lint(
      CatalogueFolder(texts: texts), protocol: "beacon", checks: BeaconStation.checks, schemas: schemas)
  }

  @Test func lintHasNothingAgainstCasesThatAreRun() async throws {
    let errors = Linter(try await Self.station.value.sources, checks: BeaconStation.checks).diagnostics().filter {
      $0.severity == .error
    }
    #expect(errors.map(\.description) == [])
  }

  @Test(arguments: try RunnerFixtures.runs("valid-pass"))
  func passes(run: String) async throws {
    let verdicts = try #require(try await Self.verdicts.value[run])
    #expect(verdicts.filter { $0.outcome != .conforms }.map { "\($0.requirement): \($0.outcome)" } == [])
  }

  @Test(arguments: try ExpectedFailure.all())
  func fails(_ expected: ExpectedFailure) async throws {
    let verdicts = try #require(try await Self.verdicts.value[expected.run])
    let verdict = try #require(verdicts.first { $0.requirement == expected.requirement })
    switch verdict.outcome {
    case .violates(let findings):
      #expect(findings.map { Self.undrawn($0.sentence) } == expected.findings)
      // A maintainer of an SDK does not know the words of the case language.
      for finding in findings { #expect(!finding.sentence.contains(/\$\{|"\$/), "\(finding.sentence)") }
    case .unjudged(let reason): #expect(expected.reason.map { reason.contains($0) } == true, "\(reason)")
    case .conforms, .notApplicable: Issue.record("\(verdict.outcome)")
    }
    // The requirement is in one claim only, so the finding belongs to that claim.
    let name = expected.run.prefix { $0 != "[" }
    let one = try #require(try await Self.station.value.catalogue.cases.first { $0.id.rawValue == name })
    let scenario = one.scenarios.first { "\(one.id)\($0.row.map { "[\($0)]" } ?? "")" == expected.run }
    let claims = try #require(scenario).claims
    #expect(claims.indices.filter { claims[$0].requirement == expected.requirement }.map { $0 + 1 } == [expected.claim])
    guard expected.reason == nil else { return }
    // Other requirements are not blamed.
    #expect(verdicts.filter { $0.requirement != expected.requirement && $0.outcome != .conforms }.isEmpty)
  }

  /// The text with names for the drawn values of a case: the instant at which it begins, and ids.
  private static func undrawn(_ text: String) -> String {
    text.replacing(/\d{4}-\d\d-\d\dT[\d:.]+Z/, with: "INSTANT").replacing(
      /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/, with: "UUID")
  }

  @Test func everyFailureIsExpected() throws {
    #expect(Set(try RunnerFixtures.runs("valid-fail")) == Set(try ExpectedFailure.all().map(\.run)))
  }

  @Test(arguments: try InvalidFixture.all())
  func isRefused(_ fixture: InvalidFixture) async throws {
    let bare = try await Self.bare.value
    let new = await Self.lint(fixture.texts).filter { !bare.contains(Complaint($0)) }
    let found = new.filter { $0.rule == fixture.rule && $0.file == fixture.file }
    let places = found.map { "\($0.severity) \($0.line) \($0.field)" }
    #expect(
      places == ["\(fixture.severity) \(fixture.line) \(fixture.field)"], "\(new.map { "\($0.rule): \($0)" })")
    #expect(found.first?.description.contains(fixture.says) == true, "\(found)")
  }

  @Test func everyRuleRefusesSomething() throws {
    let tried = Set(try InvalidFixture.all().map(\.rule))
    #expect(Linter.rules.map(\.name).filter { !tried.contains($0) } == [])
  }

  /// Every word of the language is shown to have its effect; assertions are shown to fail, too.
  @Test(arguments: [
    Vocabulary(name: "steps", words: Step.Action.words) { $0.steps },
    Vocabulary(name: "assertions", words: Claim.Assertion.words) { $0.assertions },
    Vocabulary(name: "selectors", words: Selector.Subject.words) { $0.selectors },
    Vocabulary(name: "faults", words: Fault.Kind.words) { $0.faults },
    Vocabulary(name: "operators", words: Template.operatorWords) { $0.operators },
  ])
  func everyWordIsTried(_ vocabulary: Vocabulary) async throws {
    let cases = try await Self.station.value.sources.cases
    func words(_ prefix: String) -> Set<String> {
      cases.filter { $0.value.id.rawValue.hasPrefix(prefix) }.reduce(into: []) { words, located in
        words.formUnion(
          vocabulary.used(CaseWords(located.value, text: located.document.value[located.path] ?? .null)))
      }
    }
    #expect(vocabulary.words.filter { !words("pass.").contains($0) } == [])
    guard ["assertions", "operators"].contains(vocabulary.name) else { return }
    // A sound subject does not die.
    #expect(vocabulary.words.filter { !words("fail.").contains($0) && $0 != "survives" } == [])
  }
}

/// A diagnostic of lint without the line, which unrelated changes move.
private struct Complaint: Hashable {
  var rule: String
  var file: String
  var field: String
  var found: String

  init(_ diagnostic: Diagnostic) {
    rule = diagnostic.rule
    file = diagnostic.file
    field = "\(diagnostic.field)"
    found = diagnostic.found
  }
}

extension Finding {
  /// The finding without the entries that show it.
  fileprivate var sentence: String {
    var finding = self
    finding.entries = []
    return "\(finding)"
  }
}
