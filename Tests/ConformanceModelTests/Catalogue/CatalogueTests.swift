import ConformanceModel
import Testing

@Suite struct CatalogueTests {
  private static func requirement(_ id: RequirementID, position: PositionID?) -> Requirement {
    Requirement(
      id: id, role: "sdk", feature: nil, level: .must, basis: position == nil ? .stated : .position,
      source: .init(document: "D", section: "1", revision: "1"), text: "It is so.",
      positions: position.map { [$0] } ?? [])
  }

  private static let catalogue = Catalogue(
    definition: ProtocolDefinition(
      name: "example", title: "Example", document: "D", revision: "1", services: [],
      roles: [.init(role: "sdk", ports: Ports(hasDriver: true))], dialects: []),
    requirements: [
      requirement("R-1", position: nil), requirement("R-2", position: "P-1"), requirement("R-3", position: "P-2"),
    ],
    positions: ["P-1", "P-2"].map { Position(id: $0, gap: "Open.", text: "So.") }, cases: [], exchanges: [],
    models: [:], defects: [])

  @Test(
    arguments: [
      ([], [.must, .must, .must]), (["P-1"], [.must, .observe, .must]), (["P-1", "P-2"], [.must, .observe, .observe]),
    ] as [(Set<PositionID>, [Requirement.Level])])
  func whatRestsOnAPositionThatIsSwitchedOffIsRecorded(positions: Set<PositionID>, levels: [Requirement.Level]) {
    let catalogue = Self.catalogue.without(positions)
    #expect(catalogue.requirements.map(\.level) == levels)
    #expect(catalogue.requirement("R-2")?.level == levels[1])
    #expect(catalogue.positions.count == 2)
  }
}
