/// Whether two client addresses speak for the same device, as Core compares them.
enum NetworkAddress {
  /// Both are public, and share the /24 (IPv4) or the first four groups (IPv6, compared as text).
  static func areNear(_ left: String, _ right: String) -> Bool {
    guard isAttributable(left), isAttributable(right), left.contains(":") == right.contains(":") else { return false }
    if left.contains(":") { return left.split(separator: ":").prefix(4) == right.split(separator: ":").prefix(4) }
    return octets(left)?.prefix(3) == octets(right)?.prefix(3)
  }

  /// Whether two IPv4 addresses share the /16.
  static func shareSixteen(_ left: String, _ right: String) -> Bool {
    guard let left = octets(left), let right = octets(right) else { return false }
    return left.prefix(2) == right.prefix(2)
  }

  /// Whether the address is none of the private, shared, loopback, link-local and benchmark ranges.
  static func isAttributable(_ address: String) -> Bool {
    if address.contains(":") { return isAttributableIPv6(address.lowercased()) }
    guard let parts = octets(address) else { return false }
    switch (parts[0], parts[1]) {
    case (0, _), (10, _), (127, _), (169, 254), (192, 168): return false
    case (100, 64...127), (172, 16...31), (198, 18...19): return false
    case (192, 0): return parts[2] != 0
    default: return true
    }
  }

  private static func isAttributableIPv6(_ address: String) -> Bool {
    if address == "::" || address == "::1" { return false }
    guard let first = address.split(separator: ":", omittingEmptySubsequences: false).first,
      let group = UInt16(first.isEmpty ? "0" : first, radix: 16)
    else { return false }
    return group & 0xFE00 != 0xFC00 && group & 0xFFC0 != 0xFE80
  }

  private static func octets(_ address: String) -> [Int]? {
    let parts = address.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 4, parts.allSatisfy({ $0.map { (0...255).contains($0) } ?? false }) else { return nil }
    return parts.compactMap(\.self)
  }
}
