/// A client's address, parsed once. Decides, like Core, whether two addresses may belong to the same device.
struct NetworkAddress: Hashable, Sendable {
  private enum Form: Hashable {
    case octets([Int])
    /// The groups of an IPv6 address as they are written, since Core compares them as text.
    case groups([Substring])
    case unreadable
  }

  let text: String
  /// Whether the address is public: outside the private, shared, loopback, link-local and benchmark ranges.
  let isAttributable: Bool
  private let form: Form

  init(_ text: String) {
    self.text = text
    if text.contains(":") {
      form = .groups(text.split(separator: ":"))
      isAttributable = Self.isAttributable(ipv6: text.lowercased())
    } else if let octets = Self.octets(text) {
      form = .octets(octets)
      isAttributable = Self.isAttributable(octets)
    } else {
      form = .unreadable
      isAttributable = false
    }
  }

  /// Whether both addresses are public and have the same first 24 bits (IPv4) or the same first four groups (IPv6).
  func isNear(_ other: Self) -> Bool {
    guard isAttributable, other.isAttributable else { return false }
    switch (form, other.form) {
    case (.octets(let left), .octets(let right)): return left.prefix(3) == right.prefix(3)
    case (.groups(let left), .groups(let right)): return left.prefix(4) == right.prefix(4)
    default: return false
    }
  }

  /// The country of the network. This server knows only the networks of two large providers.
  ///
  /// Source: the address ranges that the RIPE NCC has allocated to Free SAS and to Deutsche Telekom AG.
  var country: String? {
    guard case .octets(let octets) = form else { return nil }
    switch (octets[0], octets[1]) {
    case (212, 27): return octets[2] >= 32 && octets[2] < 64 ? "FR" : nil
    case (194, 25): return "DE"
    default: return nil
    }
  }

  /// Whether two IPv4 addresses have the same first 16 bits. Only a defect compares addresses in this way.
  func sharesSixteen(with other: Self) -> Bool {
    guard case .octets(let left) = form, case .octets(let right) = other.form else { return false }
    return left.prefix(2) == right.prefix(2)
  }

  private static func isAttributable(_ octets: [Int]) -> Bool {
    switch (octets[0], octets[1]) {
    case (0, _), (10, _), (127, _), (169, 254), (192, 168): false
    case (100, 64...127), (172, 16...31), (198, 18...19): false
    case (192, 0): octets[2] != 0
    default: true
    }
  }

  private static func isAttributable(ipv6 address: String) -> Bool {
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
