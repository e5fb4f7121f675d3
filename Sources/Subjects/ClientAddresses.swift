import Synchronization
import TextKit

/// Gives each client of a case an address in a separate network. The network depends on the run, the case, the row and
/// the dialect, so that the clients of different cases do not have the same network.
///
/// Some servers identify a client by its network, and limit the number of its requests. If several cases used the same
/// network, such a server would count all their requests as requests of one client.
package final class ClientAddresses: Sendable {
  /// The bytes with which the IPv4 addresses of clients can begin. No private, shared, reserved or documentation
  /// address begins with one of them.
  private static let firstBytes = [1...9, 11...99, 101...126, 128...168, 170...171, 173...191, 193...197, 199...202]
    .flatMap { $0.map(\.self) }
  /// The distance in ``firstBytes`` between the first bytes of two successive clients of a case. So their addresses
  /// begin with different bytes.
  private static let stride = 37

  /// A client gets an IPv6 address if its name ends with this text.
  private static let sixth = " over IPv6"

  private let hash: UInt64
  /// The names of the clients that have an address so far, in the order of their first use.
  private let names = Mutex<[String]>([])

  /// `unique` is a text that differs for each run of a case.
  package init(unique: String) { hash = unique.stableHash }

  /// The address of the client with this name. A name that is an address itself is returned unchanged.
  package func address(of client: String) -> String {
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

  /// An IPv6 address in the range from 2400::/16 to 2aff::/16, which contains only networks of internet providers.
  private func sixth(_ place: Int, _ rest: UInt64) -> String {
    let first = 0x2400 + (Int(hash % 0x700) + place * Self.stride) % 0x700
    let groups = [UInt64(first), 1 + rest >> 8 & 0x7FFF, 1 + rest >> 24 & 0x7FFF, 1 + rest >> 40 & 0x7FFF, 1, 2, 3, 9]
    return groups.map { String($0, radix: 16) }.joined(separator: ":")
  }
}
