import ConformanceModel

/// Splits the planned runs of cases among machines that do not communicate. Each machine computes all parts and
/// performs one of them.
package struct Sharding: Hashable, Sendable {
  /// The number of parts.
  package let count: Int
  /// The milliseconds that each run of a case took in an earlier run of the kit, if the split depends on them; nil to
  /// split by a hash of the name.
  package let durations: [CaseInstance: Double]?

  package init(count: Int, durations: [CaseInstance: Double]? = nil) {
    self.count = count
    self.durations = durations
  }

  /// Maps each run to the number of its part, from 1. The result does not depend on the order of the runs.
  package func parts(of instances: [CaseInstance]) -> [CaseInstance: Int] {
    guard let durations else {
      return Dictionary(instances.map { ($0, Self.part(of: "\($0)", count)) }) { first, _ in first }
    }
    return balanced(instances, durations)
  }

  /// Assigns the longest runs first, each to the part with the least load so far. Among runs of equal length, the name
  /// decides, and among parts with equal load, the number. A run whose duration is unknown counts with the mean of the
  /// known durations.
  private func balanced(_ instances: [CaseInstance], _ durations: [CaseInstance: Double]) -> [CaseInstance: Int] {
    let known = instances.compactMap { durations[$0] }
    let usual = known.isEmpty ? 1 : known.reduce(0, +) / Double(known.count)
    let order = instances.map { (name: "\($0)", instance: $0, duration: durations[$0] ?? usual) }
      .sorted { ($1.duration, $0.name) < ($0.duration, $1.name) }
    var loads = [(duration: Double, cases: Int)](repeating: (0, 0), count: count)
    var parts: [CaseInstance: Int] = [:]
    for (_, instance, duration) in order {
      let place = loads.indices.min { loads[$0] < loads[$1] } ?? 0
      loads[place].duration += duration
      loads[place].cases += 1
      parts[instance] = place + 1
    }
    return parts
  }

  /// The part to which a name belongs, from a hash (FNV-1a) of its bytes. The last bits of FNV-1a are not evenly
  /// distributed, so the function mixes all bits. The result is the same on every machine and in every version of the
  /// kit.
  private static func part(of name: String, _ count: Int) -> Int {
    var hash = name.utf8.reduce(UInt64(0xCBF2_9CE4_8422_2325)) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
    hash = (hash ^ (hash >> 30)) &* 0xBF58_476D_1CE4_E5B9
    hash = (hash ^ (hash >> 27)) &* 0x94D0_49BB_1331_11EB
    hash ^= hash >> 31
    return Int(hash % UInt64(count)) + 1
  }
}

extension Plan {
  /// The plan, reduced to the items of this part. The verdicts of some cases decide which host name of the mock servers
  /// the kit uses in every part. So if another part contains such a case, this part performs it as one of its
  /// ``soundings``.
  package func part(_ number: Int, by parts: [CaseInstance: Int], hosts: [ProtocolDefinition.Host]) -> Plan {
    var plan = self
    let naming = Set(hosts.map(\.requirement))
    plan.items = items.filter { parts[$0.instance] == number }
    plan.soundings = hosts.count < 2 ? [] : items.filter { parts[$0.instance] != number && $0.judges(naming) }
    return plan
  }
}
