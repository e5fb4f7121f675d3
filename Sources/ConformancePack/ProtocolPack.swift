import ConformanceModel
import JSONKit
import Templates

/// The Swift code beside the data of a protocol: a server, and possibly a reference SDK and named checks.
package struct ProtocolPack: Sendable {
  /// The name of the protocol's folder in `spec/` and `Fixtures/`.
  package var name: String
  /// A server that gives the correct answers, with the values that it contains from the start.
  package struct Oracle: Sendable {
    package var makeServer: @Sendable (_ dialect: Dialect, _ seed: UInt64) -> any ServerModel
    package var values: Bindings
  }

  /// The reference server, whose answers are correct by definition; nil if the server of this pack is not a reference.
  package var oracle: Oracle? {
    guard hasReferenceServer else { return nil }
    return Oracle(makeServer: { [makeServer] in makeServer($0, $1, []) }, values: serverProvision.values)
  }

  /// Makes a reference server in a dialect, with these defects or variants switched on. Its random values follow from
  /// the seed.
  package var makeServer: @Sendable (_ dialect: Dialect, _ seed: UInt64, _ switches: Set<DefectID>) -> any ServerModel
  /// Whether ``makeServer`` makes a reference server. Every other server of the protocol should answer as a reference
  /// server does.
  package var hasReferenceServer: Bool
  /// Makes the server that answers an SDK under test unless a case sets other answers. This server is lenient: it
  /// accepts a slightly wrong request, so that one mistake violates one requirement.
  package var makeMock: @Sendable (_ dialect: Dialect, _ seed: UInt64) -> any ServerModel
  /// The content of a reference server at its start.
  package var serverProvision: ServerProvision
  /// The file name of the reference SDK's adapter, a program in the folder of `conform`; nil without a reference SDK.
  package var adapterExecutable: String?
  /// The binding file of the reference backend, whose program is in the folder of `conform`; nil without a reference
  /// backend.
  package var binding: [UInt8]?
  /// The checks that cases may name.
  package var checks: [String: Check]
  /// The defects and legal variants that the references implement, by role.
  package var switches: [Role: Set<DefectID>]
  /// Legal variants in addition to the variants of the catalogue. Every server of the protocol is allowed to answer in
  /// these forms.
  package var variants: [Variant] = []

  package init(
    name: String,
    makeServer: @escaping @Sendable (Dialect, UInt64, Set<DefectID>) -> any ServerModel,
    hasReferenceServer: Bool = true, makeMock: (@Sendable (Dialect, UInt64) -> any ServerModel)? = nil,
    serverProvision: ServerProvision = ServerProvision(), adapterExecutable: String? = nil,
    checks: [String: Check] = [:], switches: [Role: Set<DefectID>] = [:]
  ) {
    self.name = name
    self.makeServer = makeServer
    self.hasReferenceServer = hasReferenceServer
    self.makeMock = makeMock ?? { makeServer($0, $1, []) }
    self.serverProvision = serverProvision
    self.adapterExecutable = adapterExecutable
    self.checks = checks
    self.switches = switches
  }
}

/// The content of a server at its start, which cases may use.
package struct ServerProvision: Hashable, Sendable {
  /// The values that the server knows, by their names in the protocol's definition.
  package var values: Bindings
  /// The header field that the server trusts for the address of its client.
  package var clientAddressHeader: String?

  package init(values: Bindings = [:], clientAddressHeader: String? = nil) {
    self.values = values
    self.clientAddressHeader = clientAddressHeader
  }
}
