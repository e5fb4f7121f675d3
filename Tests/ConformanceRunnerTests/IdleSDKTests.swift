import ConformanceModel
import JSONKit
import Templates
import Testing

@testable import Proof

@Suite struct IdleSDKTests {
  private static let catalogue: Catalogue = {
    var catalogue = Sample.catalogue
    catalogue.definition.capabilities = [.init(name: "send", roles: ["sdk"], isRequired: true, text: "It sends.")]
    catalogue.definition.commands = [
      .init(
        name: "send", roles: ["sdk"], text: "Sends.", params: true,
        result: ["type": "object", "properties": ["id": ["type": "string"]]], callback: ["type": "boolean"])
    ]
    catalogue.exchanges = [
      Exchange(
        name: "report", text: "", service: "main",
        request: .init(method: "POST", path: Template(Template.Node.literal("/report"), source: "/report")),
        responses: [:])
    ]
    return catalogue
  }()

  @Test(arguments: IdleSDK.Kind.allCases)
  func itSurvivesTheJourneyToItsProgram(_ kind: IdleSDK.Kind) throws {
    let sdk = IdleSDK(kind, of: Self.catalogue)
    #expect(try IdleSDK(JSONField(JSON(parsing: sdk.representation.compactText))) == sdk)
  }

  /// A case that takes one kind of error for a refusal is passed only by an SDK that always fails with this kind.
  @Test func oneRefusesWithEachErrorKind() throws {
    var catalogue = Self.catalogue
    catalogue.definition.errorKinds = ["network", "generic"]
    let all = IdleSDK.all(of: catalogue)
    #expect(
      all.map(\.label) == ["null", "agreeing", "lying", "echoing", "refusing", "refusing (generic)", "canned"])
    #expect(all.filter { $0.kind == .refusing }.map(\.errorKind) == ["network", "generic"])
    #expect(try IdleSDK(JSONField(JSON(parsing: all[5].representation.compactText))) == all[5])
  }

  @Test(arguments: IdleSDK.Kind.allCases)
  func onlyNullDeclaresNothing(_ kind: IdleSDK.Kind) {
    #expect(IdleSDK(kind, of: Self.catalogue).hello.capabilities == (kind == .null ? [] : ["send"]))
  }

  @Test func aLieHasTheFormThatTheProtocolAsksFor() {
    let answer = IdleSDK(.lying, of: Self.catalogue).answers["send"]
    #expect(answer == .init(result: ["id": "constant"], callback: true))
    #expect(IdleSDK(.agreeing, of: Self.catalogue).answers["send"] == .init(result: .null, callback: nil))
  }

  @Test func goldenRequestsAreSentAsTheyStand() {
    let requests = IdleSDK(.canned, of: Self.catalogue).requests
    #expect(requests.map(\.request.target) == ["/report"])
    #expect(IdleSDK(.lying, of: Self.catalogue).requests.isEmpty)
  }

  /// The probe alone detects a subject that accepts everything, so a proof with it would not be about the cases.
  @Test(arguments: IdleSDK.Kind.allCases)
  func onlyOneAnswersCommandsThatNobodyHas(_ kind: IdleSDK.Kind) {
    #expect(IdleSDK(kind, of: Self.catalogue).knownCommands == (kind == .agreeing ? nil : ["send"]))
  }
}
