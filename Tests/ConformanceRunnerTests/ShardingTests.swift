import ConformanceModel
import Testing

@testable import ConformanceRunner

/// Machines that do not talk to each other split a plan without a gap and without an overlap.
@Suite struct ShardingTests {
  private static let instances = (0..<400).map { number in
    CaseInstance(id: "send.case", row: "\(number)", dialect: number % 3 == 0 ? "plain" : "fancy")
  }

  private static let durations = Dictionary(
    uniqueKeysWithValues: instances.prefix(300).enumerated().map { ($1, Double($0 % 17) * 10 + 1) })

  @Test(arguments: [1, 2, 7, 32], [false, true])
  func eachInstanceIsInExactlyOnePart(count: Int, isBalanced: Bool) {
    let sharding = Sharding(count: count, durations: isBalanced ? Self.durations : nil)
    let parts = sharding.parts(of: Self.instances)
    #expect(Set(parts.keys) == Set(Self.instances))
    #expect(Set(parts.values) == Set(1...count))
    // The order in which a machine lists the plan changes nothing.
    #expect(sharding.parts(of: Self.instances.reversed()) == parts)
  }

  /// A change of these values would make shards of two versions of the kit overlap.
  @Test(arguments: [("send.plain@plain", 2), ("send.table[a]@fancy", 6)])
  func theHashIsTheSameInEveryVersion(name: String, part: Int) throws {
    let plan = try Plan(catalogue: Sample.catalogue, selection: Selection())
    let parts = Sharding(count: 7).parts(of: plan.items.map(\.instance))
    #expect(parts.first { "\($0.key)" == name }?.value == part)
  }

  @Test func aSplitByNameDoesNotDependOnTheOtherCases() {
    let all = Sharding(count: 7).parts(of: Self.instances)
    let some = Sharding(count: 7).parts(of: Array(Self.instances.prefix(10)))
    #expect(some.allSatisfy { all[$0.key] == $0.value })
  }

  @Test func balancedPartsTakeEquallyLong() {
    let timed = Array(Self.instances.prefix(300))
    let parts = Sharding(count: 7, durations: Self.durations).parts(of: timed)
    let loads = Dictionary(grouping: timed) { parts[$0] ?? 0 }.mapValues {
      $0.reduce(0) { $0 + (Self.durations[$1] ?? 0) }
    }
    let longest = Self.durations.values.max() ?? 0
    #expect((loads.values.max() ?? 0) - (loads.values.min() ?? 0) <= longest)
  }

  @Test func whatIsEquallyLongIsSplitByName() {
    let names = ["d", "b", "c", "a"].map { CaseInstance(id: CaseID($0), row: nil, dialect: "plain") }
    let parts = Sharding(count: 2, durations: [:]).parts(of: names)
    #expect(parts.map { "\($0.key.id)\($0.value)" }.sorted() == ["a1", "b2", "c1", "d2"])
  }

  @Test func aPartSoundsOutTheHostNamesThatAnotherPartJudges() throws {
    let plan = try Plan(catalogue: Sample.catalogue, selection: Selection(roles: ["sdk"]))
    let parts = Dictionary(plan.items.map { ($0.instance, $0.instance.id == "send.plain" ? 1 : 2) }) { first, _ in first
    }
    let hosts = [("127.0.0.1", "P-ONE-002"), ("localhost", "P-ONE-003")].map {
      ProtocolDefinition.Host(name: $0.0, requirement: RequirementID($0.1))
    }
    let part = plan.part(1, by: parts, hosts: hosts)
    #expect(part.items.map { "\($0.instance)" } == ["send.plain@plain"])
    #expect(part.soundings.map { "\($0.instance)" } == ["send.table[a]@fancy", "send.table[a]@plain"])
    #expect(plan.part(1, by: parts, hosts: Array(hosts.prefix(1))).soundings.isEmpty)
  }
}
