import ConformanceModel
import ConformanceVerdict
import Testing

@testable import ReportPages

/// Two revisions of a protocol in one matrix.
@Suite struct MatrixRevisionsTests {
  private static func catalogue(
    revision: String, digest: String, _ requirements: [RequirementID], features: [Int] = [1]
  ) -> Catalogue {
    Catalogue(
      definition: ProtocolDefinition(
        name: "parcel", title: "Parcel", document: "D", revision: revision, services: [],
        roles: [.init(role: "sdk", ports: Ports(hasDriver: true))], dialects: ["spec"],
        features: features.map { .init(number: $0, name: "Feature \($0)") }),
      requirements: requirements.map {
        Requirement(
          id: $0, role: "sdk", feature: features[0], level: .must, basis: .stated,
          source: .init(document: "D", section: "1", revision: "1"), text: "It holds.")
      }, positions: [],
      cases: [
        Case(
          id: "one", title: "One", role: "sdk", dialects: ["spec"],
          scenarios: [.init(steps: [], claims: requirements.map { Claim(requirement: $0, assertion: .survives) })])
      ],
      exchanges: [], models: [:], defects: [], digest: digest)
  }

  private static func record(_ outcomes: [RequirementID: Verdict.Outcome]) -> RunRecord {
    let instance = CaseInstance(id: "one", row: nil, dialect: "spec")
    var record = Sample.record(
      outcomes.sorted { $0.key < $1.key }.map { Sample.ruling($0.key, instance, $0.value, .pass, feature: 1) })
    record.cases = [Sample.run(instance, 1, .init(.completed))]
    return record
  }

  private static func matrix(_ old: Catalogue, _ new: Catalogue) throws -> ParityMatrix {
    let earlier = record(["PA-A-001": .conforms])
    let later = record(["PA-A-001": .conforms, "PA-A-002": .violates([Sample.second])])
    return try ParityMatrix(of: [.init(earlier, earlier: old), .init(later)], catalogue: new, role: "sdk")
  }

  @Test(
    arguments: [
      ("2026-05-01", ["parcel-dart 1.2.0 (2026-03-12)", "parcel-dart 1.2.0 (2026-05-01)"]),
      ("2026-03-12", ["parcel-dart 1.2.0 (2026-03-12, pack 5f1d)", "parcel-dart 1.2.0 (2026-03-12, pack 77aa)"]),
    ])
  func eachColumnIsComputedByItsRevision(revision: String, titles: [String]) throws {
    let matrix = try Self.matrix(
      Self.catalogue(revision: "2026-03-12", digest: "5f1d", ["PA-A-001"]),
      Self.catalogue(revision: revision, digest: "77aa", ["PA-A-001", "PA-A-002"]))
    #expect(matrix.subjects == titles)
    #expect(matrix.parts[0].rows[0].cells.map(\.figure) == ["Done 1/1", "Partial 1/2"])
  }

  /// A feature that one revision does not have is empty there.
  @Test func featuresOfBothAreRows() throws {
    let matrix = try Self.matrix(
      Self.catalogue(revision: "1", digest: "5f1d", ["PA-A-001"], features: [3]),
      Self.catalogue(revision: "2", digest: "77aa", ["PA-A-001", "PA-A-002"], features: [1, 2]))
    #expect(matrix.parts[0].rows.map(\.feature.number) == [1, 2, 3])
    #expect(
      matrix.parts[0].rows.map { $0.cells.map(\.figure) } == [["–", "Partial 1/2"], ["–", "–"], ["Done 1/1", "–"]])
  }

  @Test func oneRevisionHasNoMark() throws {
    let catalogue = Self.catalogue(revision: "1", digest: "77aa", ["PA-A-001"])
    let matrix = try ParityMatrix(
      of: [.init(Self.record(["PA-A-001": .conforms]))], catalogue: catalogue, role: "sdk")
    #expect(matrix.subjects == ["parcel-dart 1.2.0"])
  }
}
