import ConformanceModel
import ConformanceWire
import JSONKit

/// Where the services of a subject listen, what every request to it carries, and what its operator lends the kit.
package struct ServerUnderTest: Sendable {
  /// Where one service listens.
  package struct Address: Hashable, Sendable {
    package var endpoint: WireEndpoint
    /// The path of the base URL, without a slash at the end.
    package var basePath: String

    /// Reads a base URL; nil when it is not `http://host[:port][/path]` or its https twin.
    package init?(url: String) {
      guard let url = URLText(url), let endpoint = WireEndpoint(url), url.query == nil, url.fragment == nil else {
        return nil
      }
      self.endpoint = endpoint
      basePath = String(url.path.hasSuffix("/") ? url.path.dropLast() : url.path[...])
    }

    /// The base URL.
    package var url: String { "\(endpoint.isTLS ? "https" : "http")://\(endpoint.authority)\(basePath)" }
  }

  package var addresses: [ServiceName: Address]
  package var headers: HTTPHeaders
  /// What is there before a case begins, by the names that steps use.
  package var values: Bindings = [:]
  /// The header field that the server believes about the address of its client.
  package var clientAddressHeader: String?
  /// Whether the subject was told of the authority of the run.
  package var trustsRun = false
  /// What carries out the commands of operators, by their names.
  package var hooks: [String: any ServerHook] = [:]
  /// The requests of bound exchanges, by their names.
  package var requests: [String: Exchange.Request] = [:]
  /// Where values stand in the answers to exchanges, by exchange and name.
  package var answers: [String: [String: JSONPath]] = [:]
  package var limits = Provisioning.Limits()

  package init(addresses: [ServiceName: Address], headers: HTTPHeaders = [:]) {
    self.addresses = addresses
    self.headers = headers
  }

  /// The address that all services have; nil where they have several.
  var onlyAddress: Address? { Set(addresses.values).count == 1 ? addresses.values.first : nil }

  /// What can be done with the subject: that of which every command, every value, every bound exchange, the header
  /// field and the trust are given.
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

  /// What steps can refer to: what is lent, the addresses, and what the subject promises of its own patience.
  var bindings: Bindings {
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

/// What brings a server into the state that a case needs, by one command.
package protocol ServerHook: Sendable {
  /// Carries the command out. What it cannot do is an error, never a result.
  func perform(_ params: JSON.Object) async -> CommandOutcome
}
