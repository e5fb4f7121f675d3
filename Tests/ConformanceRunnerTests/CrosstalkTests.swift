import ConformanceModel
import JSONKit
import Testing

@testable import MockServices
@testable import Proof

/// Implementations with several defects at once.
@Suite struct CrosstalkTests {
  private static func path(_ text: String) -> JSONPath { JSONPath(text) ?? .root }

  private static func defect(
    _ id: DefectID, breaks: [RequirementID] = ["P-ONE-001"], side: Role = "sdk", dialect: Dialect? = nil,
    mustSurvive: String? = nil, bend: Defect.Bend? = nil
  ) -> Defect {
    Defect(
      id: id, side: side, breaks: breaks, dialect: dialect, text: "A fault.", mustSurvive: mustSurvive, bend: bend)
  }

  /// A catalogue with this number of requirements, each with a case, and with a defect that breaks it.
  private static func wide(_ count: Int) -> Catalogue {
    var catalogue = Sample.catalogue
    let ids = (0..<count).map { RequirementID("P-W-\($0)") }
    catalogue.cases = ids.map { id in
      Case(
        id: CaseID("wide.\(id)"), title: "Wide", role: "sdk", dialects: ["plain", "fancy"],
        scenarios: [Case.Scenario(row: nil, steps: [], claims: [Sample.claim(id)])])
    }
    catalogue.defects = ids.enumerated().map { defect(DefectID("d\($0)"), breaks: [$1]) }
    return catalogue
  }

  private static func drawing(_ catalogue: Catalogue, _ defects: [Defect]? = nil) -> CrosstalkDrawing {
    CrosstalkDrawing(
      catalogue: catalogue, defects: defects ?? catalogue.defects, capabilities: ["sdk": ["one", "two", "three"]],
      early: ["sdk"])
  }

  @Test func aSeedDrawsTheSameSubjectsAgain() {
    let drawing = Self.drawing(Self.wide(40))
    let first = drawing.subjects(50, seed: 7)
    #expect(first == drawing.subjects(50, seed: 7))
    #expect(first != drawing.subjects(50, seed: 8))
    #expect(Array(first.prefix(20)) == drawing.subjects(20, seed: 7), "a smaller number draws the first of them")
    #expect(Self.drawing(Self.wide(40), Self.wide(40).defects.reversed()).subjects(50, seed: 7) == first)
  }

  @Test func everySizeRestrictionAndDialectIsDrawn() {
    let subjects = Self.drawing(Self.wide(40)).subjects(200, seed: 1)
    #expect(subjects.count == 200)
    #expect(Set(subjects.map(\.defects.count)) == Set(CrosstalkDrawing.sizes))
    #expect(Set(subjects.map(\.lacks.count)) == [0, 1, 2])
    #expect(Set(subjects.map(\.refusesEarly)) == [true, false])
    #expect(Set(subjects.map(\.dialect)) == ["plain", "fancy"])
  }

  /// Two defects, and a part of the reason why they are never combined.
  private static let exclusive: [(Defect, Defect, String)] = [
    (defect("a"), defect("b"), "both break P-ONE-001"),
    (
      defect("a", bend: .init(.request, .delay(.seconds(1)))),
      defect("b", breaks: ["P-ONE-002"], bend: .init(.callback, .reorder(1))), "delays or reorders"
    ),
    (
      defect("a", bend: .init(.request, of: "signal", .remove(path("$.body")))),
      defect("b", breaks: ["P-ONE-002"], bend: .init(.request, .set([.init(path: path("$.body.word"), value: 1)]))),
      "both change $.body"
    ),
  ]

  @Test(arguments: exclusive.indices)
  func exclusiveDefectsAreNeverDrawnTogether(index: Int) {
    let (one, other, reason) = Self.exclusive[index]
    #expect(one.exclusion(of: other)?.contains(reason) == true)
    #expect(other.exclusion(of: one) != nil)
    let third = Self.defect("c", breaks: ["P-ONE-003"], side: "sdk")
    var catalogue = Self.wide(1)
    catalogue.cases = ["P-ONE-001", "P-ONE-002", "P-ONE-003"].map { id in
      Case(
        id: CaseID("x.\(id)"), title: "X", role: "sdk", dialects: ["plain"],
        scenarios: [Case.Scenario(row: nil, steps: [], claims: [Sample.claim(RequirementID(id))])])
    }
    let subjects = Self.drawing(catalogue, [one, other, third]).subjects(40, seed: 1)
    #expect(Set(subjects.map { $0.defects.map(\.id) }) == [["a", "c"], ["b", "c"]])
    #expect(Self.drawing(catalogue, [one, other]).subjects(40, seed: 1).isEmpty)
  }

  @Test(arguments: [
    (
      defect("a", bend: .init(.request, of: "x", .remove(path("$.body.one")))),
      Defect.Bend(.request, of: "y", .remove(path("$.body.one")))
    ),
    (defect("a", bend: .init(.request, .remove(path("$.body.one")))), .init(.request, .remove(path("$.body.two")))),
    (defect("a", bend: .init(.reply, .remove(path("$.result")))), .init(.request, .remove(path("$.result")))),
    (defect("a", bend: .init(.request, .delay(.seconds(1)))), .init(.request, .lose)),
  ])
  func defectsOfDifferentPlacesCanBeOnTogether(one: Defect, bend: Defect.Bend) {
    #expect(one.exclusion(of: Self.defect("b", breaks: ["P-ONE-002"], bend: bend)) == nil)
  }

  @Test func aDefectWithoutACaseInTheDialectIsNotDrawn() {
    var catalogue = Self.wide(4)
    catalogue.defects[0].mustSurvive = "it is legal"
    catalogue.defects[1].dialect = "fancy"
    catalogue.defects.append(Self.defect("unclaimed", breaks: ["P-HARD-001"]))
    let subjects = Self.drawing(catalogue).subjects(60, seed: 1)
    #expect(Set(subjects.filter { $0.dialect == "plain" }.flatMap(\.defects).map(\.id)) == ["d2", "d3"])
    #expect(Set(subjects.filter { $0.dialect == "fancy" }.flatMap(\.defects).map(\.id)) == ["d1", "d2", "d3"])
  }

  // MARK: The figures

  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var noticed: Set<DefectID> = ["a", "b"]
    var violated: Set<RequirementID>
    var honest: Set<RequirementID> = []
    var recall: ProofReport.Rate
    var precision: ProofReport.Rate
    var hidden: [DefectID] = []
    var wrong: [RequirementID] = []
    var holds = true
  }

  private static func rate(_ hits: Int, _ all: Int) -> ProofReport.Rate { .init(hits: hits, all: all) }

  @Test(arguments: [
    Row(
      testDescription: "both are noticed", violated: ["P-ONE-001", "P-ONE-002"], recall: rate(2, 2),
      precision: rate(2, 2)),
    Row(
      testDescription: "a defect hides another", violated: ["P-ONE-001"], recall: rate(1, 2), precision: rate(1, 1),
      hidden: ["b"], holds: false),
    Row(
      testDescription: "what follows does not make a defect noticed", violated: ["P-ONE-001", "P-OLD-001"],
      recall: rate(1, 2), precision: rate(2, 2), hidden: ["b"], holds: false),
    Row(
      testDescription: "a defect that is not observable alone does not count", noticed: ["a"], violated: ["P-ONE-001"],
      recall: rate(1, 1), precision: rate(1, 1)),
    Row(
      testDescription: "an accusation of what is kept", violated: ["P-ONE-001", "P-ONE-002", "P-ONE-003"],
      recall: rate(2, 2), precision: rate(2, 3), wrong: ["P-ONE-003"], holds: false),
    Row(
      testDescription: "the honest implementation does it too", violated: ["P-ONE-001", "P-ONE-002", "P-ONE-003"],
      honest: ["P-ONE-003"], recall: rate(2, 2), precision: rate(2, 2)),
    Row(
      testDescription: "a missing capability names its requirements",
      violated: ["P-ONE-001", "P-ONE-002", "P-CAP-001"], recall: rate(2, 2), precision: rate(3, 3)),
    Row(
      testDescription: "nothing observable proves nothing", noticed: [], violated: [], recall: rate(0, 0),
      precision: rate(0, 0), holds: false),
  ])
  func theFiguresCountDefectsAndAccusations(row: Row) {
    var catalogue = Sample.catalogue
    catalogue.definition.capabilities = [
      .init(name: "send", roles: ["sdk"], isRequired: true, text: "", requirements: ["P-CAP-001"])
    ]
    var second = Self.defect("b", breaks: ["P-ONE-002"])
    second.follows = ["P-OLD-001": "It needs the other."]
    let subject = CrosstalkSubject(
      number: 1, role: "sdk", dialect: "plain", defects: [Self.defect("a"), second], lacks: ["send"])
    let trial = CrosstalkTrial(
      subject, noticed: row.noticed, violated: row.violated, honest: row.honest, in: catalogue)
    #expect(trial.recall == row.recall)
    #expect(trial.precision == row.precision)
    #expect(trial.hidden.map(\.id) == row.hidden)
    #expect(trial.wrong == row.wrong)
    var report = ProofReport(catalogue: catalogue)
    report.crosstalk = [trial]
    #expect(report.holds == row.holds, "\(report.shortcomings)")
  }

  @Test(arguments: [(19, 20, true), (18, 20, false), (95, 100, true), (94, 100, false)])
  func theLimitOfTheRecallIsReachedExactly(hits: Int, all: Int, reaches: Bool) {
    #expect(Self.rate(hits, all).reaches(95) == reaches)
  }

  // MARK: With subjects

  /// Lost signals break more than the two requirements that the defects name. A lost signal cannot be doubled, so the
  /// second defect has no effect, and no violation of it is expected.
  @Test func accusationsThatNoDefectNamesAreReported() async throws {
    let station = try await BeaconStation()
    let defects = [
      Self.defect("signal.lost", breaks: ["BC-SDK-001"], bend: .init(.request, of: "signal", .lose)),
      Self.defect("signal.doubled", breaks: ["BC-SDK-002"], bend: .init(.request, of: "signal", .repeat)),
    ]
    let subject = CrosstalkSubject(number: 1, role: "sdk", dialect: "one", defects: defects)
    let material = Proof.Material(
      judge: nil, references: [station.substitute("honest", "sdk")], defective: [], idle: [], variants: [],
      dialects: ["one"])
    var crosstalk = material
    crosstalk.crosstalk = Proof.Crosstalk(subjects: [subject]) { subject in
      station.substitute(subject.name, "sdk", Bender(subject.defects.compactMap(\.bend)))
    }
    let report = try await Proof(catalogue: station.catalogue, material: crosstalk, cores: 2).run { _, _, _ in }
    let trial = try #require(report.crosstalk.first)
    #expect(trial.observable.map(\.id) == ["signal.lost"])
    #expect(trial.hidden.isEmpty)
    #expect(report.recall == Self.rate(1, 1))
    #expect(!trial.wrong.isEmpty)
    #expect(report.shortcomings.contains("fewer than 98 % of the accusations name a defect that is on"))
  }

  /// The passes of the server are random, and it numbers its answers over all cases. A defect that changes nothing has no
  /// effect all the same.
  @Test(arguments: [("seq.same", "BC-SRV-001", true), ("no.such-switch", "BC-SRV-001", false)])
  func aDefectWithoutEffectChangesNoValue(id: DefectID, breaks: RequirementID, changes: Bool) async throws {
    let station = try await BeaconStation()
    let defect = Self.defect(id, breaks: [breaks], side: "server")
    let subject = CrosstalkSubject(number: 1, role: "server", dialect: "one", defects: [defect])
    var material = Proof.Material(judge: nil, references: [], defective: [], idle: [], variants: [], dialects: ["one"])
    material.crosstalk = Proof.Crosstalk(subjects: [subject]) { subject in
      station.substitute(subject.name, "server", defect: subject.defects.first?.id)
    }
    let proof = Proof(catalogue: station.catalogue, material: material, cores: 2)
    #expect(try await proof.changesValues(defect, of: subject) == changes)
  }
}

extension BeaconStation {
  /// A substitute with its own subject, with a mutator or without.
  func substitute(_ name: String, _ role: Role, _ bender: Bender? = nil, defect: DefectID? = nil) -> Proof.Substitute {
    Proof.Substitute(name: name, role: role, bender: bender) {
      try await testbed(for: role, defect: defect, bender: bender)
    }
  }
}
