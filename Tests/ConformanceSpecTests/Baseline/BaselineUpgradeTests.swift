import ConformanceModel
import SpecDocuments
import Testing

@testable import ConformanceSpec

/// A baseline of the second version of the form becomes one of the present.
@Suite struct BaselineUpgradeTests {
  private static let catalogue = Catalogue(
    definition: ProtocolDefinition(
      name: "parcel", title: "P", document: "D", revision: "1", services: [],
      roles: [.init(role: "sdk", ports: Ports(hasDriver: true))], dialects: ["spec"]),
    requirements: ["PA-Q-001", "PA-Q-002"].map {
      Requirement(
        id: $0, role: "sdk", feature: nil, level: .must, basis: .stated,
        source: .init(document: "D", section: "1", revision: "1"), text: "A rule.")
    },
    positions: [],
    cases: ["queue.full", "queue.empty"].map { id in
      Case(
        id: id, title: "T", role: "sdk", dialects: ["spec"],
        scenarios: [
          .init(steps: [], claims: ["PA-Q-001", "PA-Q-002"].map { Claim(requirement: $0, assertion: .survives) })
        ])
    },
    exchanges: [], models: [:], defects: [])

  private static func upgraded(_ text: String) throws -> String {
    try BaselineUpgrade.text(
      of: Array(text.utf8), file: "b.yaml", schemas: CatalogueFolder(root: Sample.repository), catalogue)
  }

  private static let old = """
    kit: 2
    protocol: parcel
    known:
      - requirement: PA-Q-001
        case: queue.full
        expects:
          - subject: "size (entries 4, 9)"
            path: "$.kept"
            expected: "100"
            observed: "http://127.0.0.1:40112/a"
        reason: Known
        expires: "2027-01-31"
      - requirement: PA-Q-001
        case: queue.empty
        expects:
          - subject: "size (entries 5)"
            path: "$.kept"
            expected: "100"
            observed: "http://127.0.0.1:40113/a"
        reason: Known
        expires: "2027-01-31"
      - requirement: PA-Q-002
        case: queue.full
        dialects: [spec]
        expects:
          - unjudged: "PA-Q-001 is violated"
        reason: Other

    """

  private static let new = """
    kit: 3
    protocol: parcel
    known:
      - cause: PA-Q-001
        covers:
          PA-Q-001:
            - queue.empty
            - queue.full
        expects:
          - subject: size
            path: "$.kept"
            expected: "100"
            observed: "*/a"
        reason: Known
        expires: "2027-01-31"

      - cause: PA-Q-002
        covers:
          PA-Q-002:
            - queue.full
        dialects: [spec]
        expects:
          - unjudged: "PA-Q-001 is violated"
        reason: Other

    """

  @Test func entriesThatExpectTheSameBecomeOne() throws { #expect(try Self.upgraded(Self.old) == Self.new) }

  @Test func thePresentFormStaysAsItIs() throws { #expect(try Self.upgraded(Self.new) == Self.new) }

  @Test(arguments: [
    ("    case: queue.full\n    dialects", "    dialects", "$.known[2].case: expected"),
    ("kit: 2", "kit: 1", "$.kit: expected 3, the version of the form, found 1"),
    ("[spec]", "spec", "$.known[2].dialects: expected"),
  ])
  func whatCannotBeReadIsToldWithItsPlace(old: String, new: String, says: String) throws {
    try #require(Self.old.contains(old))
    let error = #expect(throws: CatalogueError.self) { try Self.upgraded(Self.old.replacing(old, with: new)) }
    #expect(error?.description.contains(says) == true, "\(error.map { "\($0)" } ?? "no error")")
  }
}
