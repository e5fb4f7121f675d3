import ConformanceModel
import ConformanceWire
import JSONKit

/// Where a server under test listens, what every request to it carries, and what its operator lends the kit.
package struct ServerUnderTest: Sendable {
  package var endpoint: WireEndpoint
  /// The path of its base URL, without a slash at the end.
  package var basePath: String
  package var headers: HTTPHeaders
  /// What is there before a case begins, by the names that steps use.
  package var values: Bindings = [:]
  /// The header field that the server believes about the address of its client.
  package var clientAddressHeader: String?
  /// What carries out the commands of the role server, by their names.
  package var hooks: [String: any ServerHook] = [:]

  /// Reads a base URL; nil when it is not `http://host[:port][/path]` or its https twin.
  package init?(url: String, headers: HTTPHeaders = [:]) {
    guard let endpoint = WireEndpoint(url: url), let authority = url.firstRange(of: "://") else { return nil }
    self.endpoint = endpoint
    let rest = url[authority.upperBound...]
    let path = rest.firstIndex(of: "/").map { rest[$0...] } ?? ""
    guard !path.contains("?"), !path.contains("#") else { return nil }
    basePath = String(path.hasSuffix("/") ? path.dropLast() : path)
    self.headers = headers
  }

  /// What can be done with the server: that of which every command, every value and the header field are given.
  package func capabilities(in definition: ProtocolDefinition) -> [String] {
    definition.capabilities.filter { capability in
      capability.role == .server && (!capability.isClientAddress || clientAddressHeader != nil)
        && definition.commands(of: .server).allSatisfy { $0.capability != capability.name || hooks[$0.name] != nil }
        && definition.values.allSatisfy { $0.capability != capability.name || values[$0.name] != nil }
    }.map(\.name)
  }
}

/// What brings a server into the state that a case needs, by one command.
package protocol ServerHook: Sendable {
  /// Carries the command out. What it cannot do is an error, never a result.
  func perform(_ params: JSON.Object) async -> CommandOutcome
}
