import FoundationEssentials
import JSONKit
import Testing

@testable import LinkFortyCore
@testable import LinkFortyModel

@Suite struct GoldenModelTests {
  /// A golden example and the Swift type that reads it.
  struct Example: Sendable, CustomTestStringConvertible {
    var model: String
    var name: String
    var value: JSON

    var testDescription: String { "\(model) '\(name)'" }
  }

  private static let types: [String: any (JSONRepresentable & Sendable).Type] = [
    "DeepLinkData": DeepLinkData.self, "InstallResponse": InstallResponse.self,
    "CreateLinkOptions": CreateLinkOptions.self, "CreateLinkResult": CreateLinkResult.self,
  ]

  /// The examples of the golden models in `Fixtures/linkforty/models`.
  static let examples: [Example] = types.keys.sorted().flatMap { model -> [Example] in
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
      path: "../../../Fixtures/linkforty/models/\(model).json")
    guard let data = try? Data(contentsOf: file), let json = try? JSON(parsing: data) else { return [] }
    return (json["examples"]?.object?.members ?? []).map { Example(model: model, name: $0.key, value: $0.value) }
  }

  @Test func everyModelHasExamples() {
    #expect(Set(Self.examples.map(\.model)) == Set(Self.types.keys))
  }

  @Test(arguments: examples)
  func aModelReadsAndWritesItsExampleWithoutLoss(_ example: Example) throws {
    let type = try #require(Self.types[example.model])
    #expect(try type.init(JSONField(example.value)).representation.isEquivalent(to: example.value))
  }

  @Test(arguments: examples)
  func membersThatTheModelDoesNotNameAreKept(_ example: Example) throws {
    let type = try #require(Self.types[example.model])
    let value = example.value.setting([1.50, .null, ["a": 9_007_199_254_740_993]], at: JSONPath([.key("isDeferred")]))
    #expect(try type.init(JSONField(value)).representation.isEquivalent(to: value))
  }

  @Test(
    arguments: [
      ["shortCode": "a", "iosUrl": .null, "utmParameters": .null],
      ["shortCode": "a", "customParameters": ["n": 5, "b": true]],
      ["shortCode": "a", "utmParameters": ["source": 5, "medium": "m", "id": "z"]],
      ["shortCode": "a", "clickedAt": "2026-03-01T11:30:00.123456+02:00"],
    ] as [JSON])
  func whatServersReallySendIsKept(_ value: JSON) throws {
    #expect(try DeepLinkData(JSONField(value)).representation.isEquivalent(to: value))
  }

  @Test(
    arguments: [
      ([:], "$.shortCode"), (["shortCode": ""], "$.shortCode"), (["shortCode": 5], "$.shortCode"),
      (["shortCode": "a", "iosUrl": 5], "$.iosUrl"), (["shortCode": "a", "utmParameters": []], "$.utmParameters"),
      ([], "$"),
    ] as [(JSON, String)])
  func whatIsNoLinkSaysWhere(_ value: JSON, _ path: String) {
    let problem = #expect(throws: JSONField.Problem.self) { try DeepLinkData(JSONField(value)) }
    #expect(problem?.path.description == path)
  }

  @Test(arguments: [nil, .null, [:]] as [JSON?])
  func anOrganicInstallKeepsTheSpellingItCameIn(_ data: JSON?) throws {
    var value = InstallResponse.organic(installId: "a").representation.object ?? [:]
    value["deepLinkData"] = data
    let response = try InstallResponse(JSONField(.object(value)))
    #expect(response.deepLinkData == nil)
    #expect(response.representation.isEquivalent(to: .object(value)))
  }

  @Test func dialectsSpellTheSameInstallDifferently() {
    let organic = InstallResponse.organic(installId: "a")
    #expect(organic.representation(in: .spec)["deepLinkData"] == .null)
    #expect(organic.representation(in: .core121)["deepLinkData"] == [:])
    let attributed = InstallResponse(
      installId: "a", attributed: true, confidenceScore: 70, matchedFactors: ["ip"], deepLinkData: Seeds.fullLink.data)
    #expect(attributed.representation(in: .spec)["deepLinkData"] == Seeds.fullLink.data.representation)
    let legacy = attributed.representation(in: .core121)["deepLinkData"]
    #expect(
      legacy?.object?.keys == [
        "shortCode", "originalUrl", "iosUrl", "androidUrl", "webFallbackUrl", "utmParameters", "targetingRules",
        "deepLinkParameters", "clickedAt", "confidenceScore", "matchedFactors",
      ])
    for dialect in [ServerDialect.coreNext, .cloud] {
      #expect(organic.representation(in: dialect)["deepLinkData"] == .null)
      let both = attributed.representation(in: dialect)["deepLinkData"]
      #expect(both?["isDeferred"] == true)
      for member in Seeds.fullLink.data.representation.object?.members ?? [] {
        #expect(both?[member.key] == member.value)
      }
      for name in legacy?.object?.keys ?? [] { #expect(both?[name] != nil, "\(name)") }
    }
  }
}
