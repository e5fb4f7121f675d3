import ConformanceModel
import JSONKit
import Templates

/// The Swift code beside the data of a protocol: a server, and optionally a reference SDK and named checks.
package struct ProtocolPack: Sendable {
  /// The name of the folder in `spec/` and `Fixtures/`.
  package var name: String
  /// A server that knows the correct answers, with the values that it contains from the start.
  package struct Oracle: Sendable {
    package var makeServer: @Sendable (_ dialect: Dialect, _ seed: UInt64) -> any ServerModel
    package var values: Bindings
  }

  /// The reference server for comparisons; nil if the server is not a reference.
  package var oracle: Oracle? {
    guard hasReferenceServer else { return nil }
    return Oracle(makeServer: { [makeServer] in makeServer($0, $1, []) }, values: serverProvision.values)
  }

  /// Makes a reference server in a dialect, with these defects or variants switched on. The seed fixes its random
  /// choices.
  package var makeServer: @Sendable (_ dialect: Dialect, _ seed: UInt64, _ switches: Set<DefectID>) -> any ServerModel
  /// Whether that server is a reference: other servers of the protocol should answer in the same way.
  package var hasReferenceServer: Bool
  /// Makes the server that answers an SDK under test if the case scripts no answer. It is lenient: it answers a
  /// slightly wrong request as if it were right, so that one mistake violates one requirement.
  package var makeMock: @Sendable (_ dialect: Dialect, _ seed: UInt64) -> any ServerModel
  /// The content of a fresh reference server.
  package var serverProvision: ServerProvision
  /// The file name of the reference SDK's adapter, an executable beside `conform`; nil if there is none.
  package var adapterExecutable: String?
  /// The text of the binding file of the reference backend, whose program is beside `conform`; nil if there is none.
  package var binding: [UInt8]?
  /// The checks that cases may name.
  package var checks: [String: Check]
  /// The defects and legal variants that the references implement, by role.
  package var switches: [Role: Set<DefectID>]
  /// Further legal variants beside those of the catalogue: forms that any server may use for its answers.
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

/// The content of a server that cases may use from its start.
package struct ServerProvision: Hashable, Sendable {
  /// The values by the names that the protocol gives them.
  package var values: Bindings
  /// The header field that the server trusts for the address of its client.
  package var clientAddressHeader: String?

  package init(values: Bindings = [:], clientAddressHeader: String? = nil) {
    self.values = values
    self.clientAddressHeader = clientAddressHeader
  }
}
