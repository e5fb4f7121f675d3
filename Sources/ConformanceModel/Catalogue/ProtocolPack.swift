import JSONKit

/// What stands for a protocol beside its data: a server, and where somebody wrote them a reference SDK and named checks.
package struct ProtocolPack: Sendable {
  /// The name of the folder in `spec/` and `Fixtures/`.
  package var name: String
  /// A server that knows the right answers, and what is there in it from the start.
  package struct Oracle: Sendable {
    package var makeServer: @Sendable (_ dialect: Dialect, _ seed: UInt64) -> any ServerModel
    package var values: Bindings
  }

  /// The reference server, to compare others with; nil where no server is a reference.
  package var oracle: Oracle? {
    guard hasReferenceServer else { return nil }
    return Oracle(makeServer: { [makeServer] in makeServer($0, $1, []) }, values: serverProvision.values)
  }

  /// A fresh reference server in a dialect, with these defects or variants switched on, its random choices seeded.
  package var makeServer: @Sendable (_ dialect: Dialect, _ seed: UInt64, _ switches: Set<DefectID>) -> any ServerModel
  /// Whether that server is a reference: what it answers is what a server of the protocol should.
  package var hasReferenceServer: Bool
  /// The server that answers an SDK under test where a case scripts nothing: like the reference server, but it answers a
  /// wrong request as if it were right, since a claim says what is wrong and no other rule should suffer for it.
  package var makeMock: @Sendable (_ dialect: Dialect, _ seed: UInt64) -> any ServerModel
  /// What is there in a fresh reference server before anything happens.
  package var serverProvision: ServerProvision
  /// The file name of the executable that is the reference SDK's adapter, beside `conform`; nil where there is none.
  package var adapterExecutable: String?
  /// The text of the binding file of the reference backend, whose program lies beside `conform`; nil where there is none.
  package var binding: [UInt8]?
  /// The checks that cases may name.
  package var checks: [String: Check]
  /// The defects and legal variants that the references know, by side.
  package var switches: [Role: Set<DefectID>]
  /// The legal variants that they know besides those of the catalogue: forms that any server's answers may have.
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

/// What a server holds for cases from its start.
package struct ServerProvision: Hashable, Sendable {
  /// By the names of the protocol's values.
  package var values: Bindings
  /// The header field that the server believes about the address of its client.
  package var clientAddressHeader: String?

  package init(values: Bindings = [:], clientAddressHeader: String? = nil) {
    self.values = values
    self.clientAddressHeader = clientAddressHeader
  }
}
