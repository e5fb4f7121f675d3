import Testing

@testable import Subjects

/// Each client of a case has an address of its own.
@Suite struct ClientAddressesTests {
  private static func bytes(_ address: String) -> [Int] { address.split(separator: ".").compactMap { Int($0) } }

  @Test func aClientKeepsItsAddress() {
    let addresses = ClientAddresses(unique: "a")
    let first = addresses.address(of: "visitor")
    #expect(addresses.address(of: "stranger") != first)
    #expect(addresses.address(of: "visitor") == first)
    #expect(ClientAddresses(unique: "a").address(of: "visitor") == first)
  }

  @Test(arguments: ["81.2.3.4", "2a02:8100::9", "::ffff:81.4.7.10"])
  func anAddressIsThatAddress(_ text: String) {
    #expect(ClientAddresses(unique: "a").address(of: text) == text)
  }

  @Test(arguments: 0..<200)
  func clientsAreInPublicNetworksThatHaveNothingInCommon(_ run: Int) {
    let addresses = ClientAddresses(unique: "run \(run)")
    let all = ["", "visitor", "stranger", "neighbour"].map { Self.bytes(addresses.address(of: $0)) }
    #expect(Set(all.map { $0[0] }).count == all.count)
    for bytes in all {
      #expect(bytes.count == 4 && bytes.allSatisfy { (0...255).contains($0) } && (1...254).contains(bytes[3]))
      #expect(![0, 10, 100, 127, 169, 172, 192, 198, 203].contains(bytes[0]) && bytes[0] < 203)
    }
  }

  @Test(arguments: 0..<50)
  func aClientMayHaveAnAddressOfIPv6(_ run: Int) {
    let addresses = ClientAddresses(unique: "run \(run)")
    let all = ["visitor over IPv6", "stranger over IPv6"].map { addresses.address(of: $0).split(separator: ":") }
    #expect(all.allSatisfy { $0.count == 8 && $0.allSatisfy { (1...0xFFFF).contains(Int($0, radix: 16) ?? 0) } })
    #expect(all.allSatisfy { (0x2400..<0x2B00).contains(Int($0[0], radix: 16) ?? 0) })
    #expect(all[0][0] != all[1][0])
  }

  @Test func runsHaveNetworksOfTheirOwn() {
    let networks = (0..<2000).map { run in
      Array(Self.bytes(ClientAddresses(unique: "run \(run)").address(of: "visitor")).prefix(3))
    }
    #expect(Set(networks).count > 1995)
  }
}
