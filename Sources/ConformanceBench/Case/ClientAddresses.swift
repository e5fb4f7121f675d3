import Synchronization

/// The addresses that the clients of one case have: each client an address of its own, in a network that no other client,
/// row, dialect or run has.
///
/// Servers remember clients by their networks and limit how much each may ask; cases that shared an address would count
/// as one client to them.
final class ClientAddresses: Sendable {
  /// First bytes of addresses that belong to no special range as a whole: what is private, shared, reserved or for
  /// documentation begins otherwise.
  private static let firstBytes = [1...9, 11...99, 101...126, 128...168, 170...171, 173...191, 193...197, 199...202]
    .flatMap { $0.map(\.self) }
  /// How far the first bytes of two clients of a case lie apart in the list, so that no prefix of them is the same.
  private static let stride = 37

  /// How the names of clients end that have an address of IPv6.
  private static let sixth = " over IPv6"

  private let hash: UInt64
  /// The names of clients in the order in which they came.
  private let names = Mutex<[String]>([])

  /// `unique` is a text that no other run of a case has.
  init(unique: String) { hash = unique.stableHash }

  /// The address of a client: what already is one, else that of the client of this name.
  func address(of client: String) -> String {
    if client.contains(where: { $0 == "." || $0 == ":" }) { return client }
    let place = names.withLock { names in
      if let place = names.firstIndex(of: client) { return place }
      names.append(client)
      return names.count - 1
    }
    let rest = "\(hash) \(place)".stableHash
    return client.hasSuffix(Self.sixth) ? sixth(place, rest) : fourth(place, rest)
  }

  private func fourth(_ place: Int, _ rest: UInt64) -> String {
    let count = Self.firstBytes.count
    let first = Self.firstBytes[(Int(hash % UInt64(count)) + place * Self.stride) % count]
    return "\(first).\(rest >> 8 & 0xFF).\(rest >> 16 & 0xFF).\(1 + (rest >> 24) % 254)"
  }

  /// From 2400::/8 on there is nothing but networks that providers have.
  private func sixth(_ place: Int, _ rest: UInt64) -> String {
    let first = 0x2400 + (Int(hash % 0x700) + place * Self.stride) % 0x700
    let groups = [UInt64(first), 1 + rest >> 8 & 0x7FFF, 1 + rest >> 24 & 0x7FFF, 1 + rest >> 40 & 0x7FFF, 1, 2, 3, 9]
    return groups.map { String($0, radix: 16) }.joined(separator: ":")
  }
}

extension String {
  /// FNV-1a: the same text has the same hash in every process, so that a transcript can be played again.
  var stableHash: UInt64 {
    utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }
}
