import ConformanceModel
import ConformanceProvisioning
import ConformanceTranscript
import ConformanceWire
import HTTPValues
import JSONKit
import Templates

/// A server under test: the addresses of its services, the header fields that the kit sends with every request to it,
/// and everything that its operator provides.
package struct ServerUnderTest: Sendable {
  /// The address of one service.
  package struct Address: Hashable, Sendable {
    package var endpoint: WireEndpoint
    /// The path of the base URL, without a slash at the end.
    package var basePath: String

    /// Parses a base URL of the form `http://host[:port][/path]` or `https://host[:port][/path]`; nil for any other
    /// text.
    package init?(url: String) {
      guard let url = URLText(url), let endpoint = WireEndpoint(url), url.query == nil, url.fragment == nil else {
        return nil
      }
      self.endpoint = endpoint
      basePath = String(url.path.hasSuffix("/") ? url.path.dropLast() : url.path[...])
    }

    package var url: String { "\(endpoint.isTLS ? "https" : "http")://\(endpoint.authority)\(basePath)" }
  }

  package var addresses: [ServiceName: Address]
  package var headers: HTTPHeaders
  /// The provisioned values, by the names with which steps refer to them.
  package var values: Bindings = [:]
  /// The header field from which the server reads the address of its client; nil if the server does not read it from a
  /// field.
  package var clientAddressHeader: String?
  /// Whether the subject got the certificate of the run's certificate authority at its start, so that it can trust the
  /// kit's servers.
  package var trustsRun = false
  /// The implementations of operator commands, by name.
  package var hooks: [String: any ServerHook] = [:]
  /// The requests of the bound exchanges, by the names of the exchanges. The provisioning file contains them, since the
  /// protocol leaves them open.
  package var requests: [String: Exchange.Request] = [:]
  /// The paths of values in answers, by the name of the exchange and the name of the value.
  package var answers: [String: [String: JSONPath]] = [:]
  package var limits = Provisioning.Limits()

  package init(addresses: [ServiceName: Address], headers: HTTPHeaders = [:]) {
    self.addresses = addresses
    self.headers = headers
  }

  /// The address of the server, if all its services have the same one; nil if they have several addresses.
  var onlyAddress: Address? { Set(addresses.values).count == 1 ? addresses.values.first : nil }

  /// The capabilities of the subject. It has a capability if its provisioning file contains all commands, values and
  /// requests that the capability requires. Some capabilities also require that ``clientAddressHeader`` is set, or that
  /// ``trustsRun`` is true.
  package func capabilities(in catalogue: Catalogue, role: Role) -> [String] {
    let definition = catalogue.definition
    return definition.capabilities.filter { capability in
      capability.roles.contains(role) && (!capability.isClientAddress || clientAddressHeader != nil)
        && (!capability.isTrust || trustsRun)
        && definition.operatorCommands.allSatisfy {
          !$0.capabilities.contains(capability.name) || hooks[$0.name] != nil
        }
        && definition.values.allSatisfy { $0.capability != capability.name || values[$0.name] != nil }
        && catalogue.exchanges.allSatisfy { $0.capability != capability.name || requests[$0.name] != nil }
    }.map(\.name)
  }

  /// The names to which steps can refer: provisioned values, addresses, and the limits that the subject promises.
  package var bindings: Bindings {
    var bindings = values
    for (service, address) in addresses {
      bindings[service.rawValue] = [
        "url": .string(address.url), "port": .int(address.endpoint.port), "host": .string(address.endpoint.authority),
      ]
    }
    let limits: JSON = .object(compact: [
      ("deadline", limits.deadline.flatMap { JSON.Number($0.milliseconds) }.map(JSON.number)),
      ("attempts", self.limits.attempts.map(JSON.int)),
    ])
    bindings["limits"] = limits
    return bindings
  }
}

/// The implementation of an operator command, which brings a server into the state that a case needs.
package protocol ServerHook: Sendable {
  /// Performs the command. If it fails, the outcome is an error.
  func perform(_ params: JSON.Object) async -> CommandOutcome
}
