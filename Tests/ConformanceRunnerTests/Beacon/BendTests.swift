import ConformanceModel
import JSONKit
import Templates
import Testing

@testable import MockServices

/// A conforming subject with mutations from outside.
@Suite struct BendTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var bend: Defect.Bend
    var role: Role
    var run: String
    /// The requirement that is broken.
    var requirement: RequirementID
    var testDescription: String { "\(bend.subject) \(bend.name ?? "any") \(bend.change)" }
  }

  private static let rows = [
    Row(
      bend: .init(.request, of: "signal", .retype(path("$.body.word"))), role: "sdk", run: "signal.words[short]",
      requirement: "BC-SDK-001"),
    Row(
      bend: .init(.request, .remove(path("$.headers.X-ORDER"))), role: "sdk", run: "signal.sent",
      requirement: "BC-SDK-001"),
    Row(bend: .init(.request, of: "signal", .lose), role: "sdk", run: "signal.sent", requirement: "BC-SDK-001"),
    Row(
      bend: .init(.request, of: "signal", .repeat), role: "sdk", run: "signal.back-off", requirement: "BC-SDK-002"),
    Row(
      bend: .init(.reply, of: "signal", .set([.init(path: path("$.result.seq"), value: 99)])), role: "sdk",
      run: "signal.sent", requirement: "BC-SDK-001"),
    Row(
      bend: .init(.request, of: "signal", .rewrite(find: "\"word\"", with: "\"ward\"")), role: "sdk",
      run: "signal.sent", requirement: "BC-SDK-001"),
    Row(bend: .init(.callback, .lose), role: "sdk", run: "seen.each", requirement: "BC-SDK-007"),
    Row(
      bend: .init(.answer, of: "tower", .set([.init(path: path("$.status"), value: 503)])), role: "server",
      run: "server.signal", requirement: "BC-SRV-001"),
    Row(bend: .init(.answer, of: "nearest", .lose), role: "server", run: "server.nearest", requirement: "BC-SRV-001"),
    Row(
      bend: .init(.request, of: "signal", filter: third, .delay(.seconds(1))), role: "sdk", run: "signal.back-off",
      requirement: "BC-SDK-002"),
    Row(
      bend: .init(.request, of: "signal", .reorder(1)), role: "sdk", run: "signal.in-order", requirement: "BC-SDK-003"),
    Row(
      bend: .init(.request, of: "signal", .reorder(2)), role: "sdk", run: "signal.in-order", requirement: "BC-SDK-003"),
    Row(
      bend: .init(.reply, of: "signal", .delay(.seconds(5))), role: "sdk", run: "seen.once",
      requirement: "BC-SDK-007"),
    Row(bend: .init(.reply, of: "signal", .reorder(1)), role: "sdk", run: "signal.in-order", requirement: "BC-SDK-003"),
    Row(bend: .init(.callback, .delay(.seconds(40))), role: "sdk", run: "seen.each", requirement: "BC-SDK-007"),
    Row(bend: .init(.callback, of: "onSeen", .reorder(2)), role: "sdk", run: "seen.each", requirement: "BC-SDK-007"),
  ]

  /// The second attempt of the first signal, since the start asks for the state of the tower.
  private static let third = try? Template(JSONField(["headers": ["x-order": "3"]]))

  private static func path(_ text: String) -> JSONPath { JSONPath(text) ?? .root }

  @Test(arguments: rows)
  func breaksTheRule(row: Row) async throws {
    let station = try await BeaconStation()
    let bender = Bender([row.bend], models: station.catalogue.models)
    let verdicts = try await station.verdicts(of: row.role, in: ["one"], bender: bender, cases: [row.run])
    #expect(bender.changes > 0)
    let red = verdicts.filter { if case .violates = $0.outcome { true } else { false } }
    #expect(Set(red.map(\.requirement)) == [row.requirement], "\(verdicts.map(\.outcome))")
  }

  @Test func severalBreakARuleEach() async throws {
    let station = try await BeaconStation()
    let bends = [
      Defect.Bend(.reply, of: "signal", .set([.init(path: Self.path("$.result.seq"), value: 99)])),
      Defect.Bend(.callback, .lose),
    ]
    let bender = Bender(bends, models: station.catalogue.models)
    let verdicts = try await station.verdicts(
      of: "sdk", in: ["one"], bender: bender, cases: ["signal.sent", "seen.each"])
    let red = verdicts.filter { if case .violates = $0.outcome { true } else { false } }
    #expect(Set(red.map(\.requirement)) == ["BC-SDK-001", "BC-SDK-007"], "\(verdicts.map(\.outcome))")
  }

  /// A mutation leaves messages alone that it does not fit, and reports no change.
  @Test(arguments: [
    Defect.Bend(.request, of: "signal", .remove(path("$.body.nothing"))),
    Defect.Bend(.request, of: "nearest", .lose),
    Defect.Bend(.request, of: "signal", filter: Template(.literal(["method": "PUT"])), .lose),
    Defect.Bend(.callback, .lose),
    // There is no other reply before this one.
    Defect.Bend(.reply, of: "signal", .reorder(1)),
    Defect.Bend(.request, of: "nearest", .delay(.seconds(1))),
  ])
  func changesNothingWhereItDoesNotFit(bend: Defect.Bend) async throws {
    let station = try await BeaconStation()
    let bender = Bender([bend], models: station.catalogue.models)
    let verdicts = try await station.verdicts(of: "sdk", in: ["one"], bender: bender, cases: ["signal.sent"])
    #expect(bender.changes == 0)
    #expect(verdicts.allSatisfy { $0.outcome == .conforms })
  }

  /// Without a next signal the only one comes last, and the mutation reports no change.
  @Test func exchangesNothingWithoutANextOne() async throws {
    let station = try await BeaconStation()
    let bender = Bender([.init(.request, of: "signal", .reorder(1))])
    _ = try await station.verdicts(of: "sdk", in: ["one"], bender: bender, cases: ["signal.sent"])
    #expect(bender.changes == 0)
  }
}
