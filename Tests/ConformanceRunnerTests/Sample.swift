import ConformanceModel

/// A catalogue of a few cases, for what needs no subject.
enum Sample {
  static let definition = ProtocolDefinition(
    name: "parcel", title: "Parcel", document: "Parcel", revision: "1", services: [.init(name: "main", text: "")],
    roles: [
      .init(role: "sdk", ports: Ports(hasDriver: true, upstream: ["main"])),
      .init(role: "server", ports: Ports(downstream: ["main"])),
    ],
    dialects: ["plain", "fancy"], features: [.init(number: 1, name: "Send"), .init(number: 2, name: "Track")],
    profiles: [
      .init(name: "first", text: "", requirements: ["P-ONE-001"]),
      .init(name: "ones", text: "", requirements: ["P-ONE-*"]), .init(name: "third", text: "", requirements: ["*3"]),
    ])

  static func requirement(
    _ id: RequirementID, feature: Int? = 1, level: Requirement.Level = .must, untestable: String? = nil,
    withdrawn: String? = nil
  ) -> Requirement {
    Requirement(
      id: id, role: "sdk", feature: feature, level: level, basis: .stated,
      source: .init(document: "Parcel", section: "1", revision: "1"), text: "A rule.", untestable: untestable,
      withdrawn: withdrawn)
  }

  static func claim(_ id: RequirementID, dialects: [Dialect]? = nil) -> Claim {
    Claim(requirement: id, dialects: dialects, assertion: .never(Selector(.request(exchange: "any"))))
  }

  private static func scenario(_ row: String? = nil, _ claims: [Claim]) -> Case.Scenario {
    Case.Scenario(row: row, steps: [], claims: claims)
  }

  static let catalogue = Catalogue(
    definition: definition,
    requirements: [
      requirement("P-ONE-001"), requirement("P-ONE-002", feature: 2), requirement("P-ONE-003", feature: nil),
      requirement("P-OLD-001", withdrawn: "gone"), requirement("P-HARD-001", untestable: "nobody can see it"),
    ],
    positions: [],
    cases: [
      Case(
        id: "send.table", aliases: ["send.old"], title: "A table", role: "sdk", dialects: ["plain", "fancy"],
        scenarios: [scenario("b", [claim("P-ONE-001")]), scenario("a", [claim("P-ONE-001"), claim("P-ONE-002")])]),
      Case(
        id: "send.plain", title: "Plain only", role: "sdk", dialects: ["plain"],
        scenarios: [scenario(nil, [claim("P-ONE-002"), claim("P-ONE-002"), claim("P-OLD-001")])]),
      Case(
        id: "track.fancy", title: "A claim for one dialect", role: "server", dialects: ["plain", "fancy"],
        scenarios: [scenario(nil, [claim("P-ONE-003", dialects: ["fancy"])])]),
    ],
    exchanges: [], models: [:], defects: [])
}
