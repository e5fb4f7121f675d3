import JSONKit

/// What a protocol brings in code: its reference server, the command of its reference SDK, and its named checks.
package struct ProtocolPack: Sendable {
  /// The name of the folder in `spec/` and `Fixtures/`.
  package var name: String
  /// A fresh reference server in a dialect, with these defects or variants switched on, its random choices seeded.
  package var makeServer: @Sendable (_ dialect: Dialect, _ seed: UInt64, _ switches: Set<DefectID>) -> any ServerModel
  /// The server that answers an SDK under test where a case scripts nothing: like the reference server, but it forgives
  /// what is wrong with a request, since a claim says so and no other rule should suffer for it.
  package var makeMock: @Sendable (_ dialect: Dialect, _ seed: UInt64) -> any ServerModel
  /// What is there in a fresh reference server before anything happens.
  package var serverProvision: ServerProvision
  /// The file name of the executable that is the reference SDK's adapter, beside `conform`.
  package var adapterExecutable: String
  /// The checks that cases may name.
  package var checks: [String: Check]
  /// The defects and legal variants that the references know, by side.
  package var switches: [Role: Set<DefectID>]

  package init(
    name: String,
    makeServer: @escaping @Sendable (Dialect, UInt64, Set<DefectID>) -> any ServerModel,
    makeMock: (@Sendable (Dialect, UInt64) -> any ServerModel)? = nil,
    serverProvision: ServerProvision = ServerProvision(), adapterExecutable: String, checks: [String: Check],
    switches: [Role: Set<DefectID>]
  ) {
    self.name = name
    self.makeServer = makeServer
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

/// A named predicate that is too special for the case vocabulary: pure Swift over the evidence.
package struct Check: Sendable {
  /// One sentence for `conform explain` and the documentation.
  package var text: String
  /// The differences it finds; none means that it holds. `with` is what the claim gives it; what is missing there is
  /// thrown as a ``Misuse``, since it says nothing of the subject.
  package var findings: @Sendable (_ evidence: Evidence, _ with: JSON) throws -> [Finding]

  package init(text: String, findings: @escaping @Sendable (_ evidence: Evidence, _ with: JSON) throws -> [Finding]) {
    self.text = text
    self.findings = findings
  }

  /// A claim that does not give the check what it needs.
  package struct Misuse: Error, Hashable, CustomStringConvertible {
    package var description: String

    /// - Parameter members: what `with` has to hold.
    package init(wanted members: String) { description = "it needs \(members) in `with`" }
  }
}
