import ConformanceModel
import Testing

@testable import ConformanceRunner

/// The plan of a run of an SDK and a server: the cases of the pair, and those of the SDK that need no mock server.
@Suite struct PairPlanTests {
  private static let definition = ProtocolDefinition(
    name: "parcel", title: "Parcel", document: "Parcel", revision: "1", services: [.init(name: "main", text: "")],
    roles: [
      .init(role: "sdk", ports: Ports(hasDriver: true, upstream: ["main"])),
      .init(role: "server", ports: Ports(downstream: ["main"])),
      .init(role: "pair", ports: Ports(hasDriver: true, upstream: ["main"], downstream: ["main"])),
    ],
    dialects: ["plain"], features: [.init(number: 1, name: "Send")])

  private static func testCase(_ id: CaseID, _ role: Role, _ steps: [Step] = [], mount: String = "") -> Case {
    Case(
      id: id, title: "A case", role: role, dialects: ["plain"], mount: mount,
      scenarios: [Case.Scenario(row: nil, steps: steps, claims: [Sample.claim("P-ONE-001")])])
  }

  private static let heal = Step(.heal(.init()))

  private static let catalogue = Catalogue(
    definition: definition, requirements: [Sample.requirement("P-ONE-001")], positions: [],
    cases: [
      testCase("pair.own", "pair"), testCase("sdk.plain", "sdk"), testCase("sdk.healed", "sdk", [heal]),
      testCase("sdk.inside", "sdk", [Step(.together([heal]))]),
      testCase("sdk.below", "sdk", mount: "/prefix"), testCase("server.own", "server"),
    ],
    exchanges: [], models: [:], defects: [])

  private func names(_ roles: [Role]) throws -> [String] {
    try Plan(catalogue: Self.catalogue, selection: Selection(roles: roles)).items.map(\.instance.id.rawValue)
  }

  @Test func performsCasesOfTheSDKThatNeedNoMock() throws {
    #expect(try names(["pair"]) == ["pair.own", "sdk.plain"])
    #expect(try names(["sdk"]) == ["sdk.below", "sdk.healed", "sdk.inside", "sdk.plain"])
    #expect(try names(["server"]) == ["server.own"])
  }

  @Test func countsTheCasesThatAreLeftOut() {
    #expect(Selection(roles: ["pair"]).leftOut(of: Self.catalogue) == ["heal": 2, "mount": 1])
    #expect(Selection(roles: ["sdk"]).leftOut(of: Self.catalogue).isEmpty)
    #expect(Selection(roles: ["sdk", "pair"]).leftOut(of: Self.catalogue).isEmpty)
  }
}
