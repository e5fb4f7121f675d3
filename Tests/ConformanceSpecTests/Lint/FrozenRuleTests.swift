import ConformanceModel
import ConformanceSpec
import FrozenSets
import Testing

@testable import Lint

/// The requirements and cases of a certificate do not change without another frozen set.
@Suite struct FrozenRuleTests {
  static let rules = ["frozen-name", "frozen-intact", "frozen-kept"]

  private static let file = "spec/sample/requirements/frozen/r1.yaml"

  /// The set of the sample as it is.
  private static func set(since: String = "2026-01-01", _ revision: String = "r1") async throws -> FrozenSet {
    FrozenSet(of: try await Sample().sources().catalogue, revision: revision, since: since)
  }

  private static func found(_ sample: Sample) async throws -> [String] {
    try await sample.lint().filter { rules.contains($0.rule) || $0.severity == .error }.map(\.description)
  }

  @Test func aSetOfTheProtocolAsItIsIsInOrder() async throws {
    let text = try await Self.set().text
    #expect(try await Self.found(Sample().appending(text, to: Self.file)) == [])
  }

  @Test func aLaterRequirementAndALaterCaseNeedNoSet() async throws {
    var set = try await Self.set()
    set.requirements[try #require(set.requirements.keys.min())] = nil
    set.cases[try #require(set.cases.keys.min())] = nil
    #expect(try await Self.found(Sample().appending(set.text, to: Self.file)) == [])
  }

  @Test func aChangeNeedsAnotherSet() async throws {
    var old = try await Self.set()
    let (requirement, testCase) = (try #require(old.requirements.keys.min()), try #require(old.cases.keys.min()))
    old.requirements[requirement] = String(repeating: "0", count: 64)
    old.cases[testCase] = String(repeating: "0", count: 64)
    old.cases["gone.case"] = String(repeating: "0", count: 64)
    let sample = Sample().appending(old.text, to: Self.file)
    let found = try await Self.found(sample)
    #expect(found.count == 3, "\(found)")
    #expect(found.contains { $0.contains("expected as it was when the set 'r1' was frozen, found a change") })
    #expect(found.contains { $0.contains("gone.case']: expected as it was when the set 'r1' was frozen, found none") })
    // The newest set counts; the older one is history.
    let newer = try await Self.set(since: "2026-01-02", "r1-2")
    #expect(try await Self.found(sample.appending(newer.text, to: Self.file.replacing("r1", with: "r1-2"))) == [])
  }

  @Test func anEditedSetIsFound() async throws {
    let text = try await Self.set().text
    let edited = text.replacing("since: \"2026-01-01\"", with: "since: \"2026-01-03\"")
    try #require(text != edited)
    let found = try await Self.found(Sample().appending(edited, to: Self.file))
    #expect(found.count == 1 && found[0].contains("$.digest: expected "), "\(found)")
  }

  @Test func aSetHasTheNameOfItsFile() async throws {
    let text = try await Self.set().text
    let found = try await Self.found(Sample().appending(text, to: Self.file.replacing("r1", with: "r2")))
    #expect(
      found.count == 1 && found[0].contains("expected the name of the file without .yaml, found 'r1'"), "\(found)")
  }

  /// A run of a case under change needs no new set: only `conform lint` and certificates look at the sets.
  @Test func aRunDoesNotLookAtTheSets() async throws {
    var old = try await Self.set()
    old.cases["gone.case"] = String(repeating: "0", count: 64)
    let sources = try await Sample().appending(old.text, to: Self.file).sources()
    #expect(!Linter(sources).diagnostics().contains { $0.severity == .error })
  }

  @Test func theSchemaRefusesAnotherDigest() async throws {
    let text = try await Self.set().text.replacing("since: \"2026-01-01\"", with: "since: today")
    let found = try await Sample().appending(text, to: Self.file).lint()
    #expect(found.map(\.rule) == ["schema"], "\(found)")
  }
}
