import NIOCore
import NIOHTTP1
import Processes

/// The address at which adapters open WebSockets, and the checks of a request to that address.
struct WebSocketDoor: Sendable {
  /// The answer to a request that asks for a WebSocket and is refused.
  struct Refusal: Hashable {
    var status: HTTPResponseStatus
    var text: String
  }

  /// The host in the address for the adapter.
  let host: String
  var port: Int
  /// A secret in the address that the kit prints. Only an adapter that got this address knows it, and web pages of
  /// other sites do not.
  let token: String
  /// The names of this machine. A page may connect if the host in its address is one of these names.
  private let names: Set<String>

  /// - Parameters:
  ///   - host: the address at which the kit listens. If the kit listens at all addresses of the machine, the adapter
  ///     gets an address that other devices can reach.
  ///   - machine: the addresses of this machine.
  init(host: String, port: Int, token: String, machine: [String] = MachineAddresses.all) {
    let isEverywhere = MachineAddresses.isWildcard(host)
    self.host = isEverywhere ? MachineAddresses.reachable(of: machine) : host
    (self.port, self.token) = (port, token)
    names = Set(["127.0.0.1", "localhost", "::1", host] + (isEverywhere ? machine : []))
  }

  private static let parameter = "token="

  /// The address for the adapter, with its token.
  var url: String { "ws://\(authority)/?\(Self.parameter)\(token)" }

  var invitation: String { "expected a WebSocket to ws://\(authority)/ with the token that the kit printed" }

  private var authority: String { "\(host.contains(":") ? "[\(host)]" : host):\(port)" }

  /// The reason to refuse a request; nil if it may open a WebSocket.
  func refusal(of head: HTTPRequestHead) -> Refusal? {
    let query = head.uri.split(separator: "?", maxSplits: 1).dropFirst().first ?? ""
    let tokens = query.split(separator: "&").filter { $0.hasPrefix(Self.parameter) }
    guard tokens.count == 1, Self.isEqual(tokens[0].dropFirst(Self.parameter.count), token) else {
      return Refusal(status: .unauthorized, text: "the token is missing or wrong; \(invitation)")
    }
    guard head.method == .GET else {
      return Refusal(
        status: .methodNotAllowed, text: "a WebSocket is opened with GET, found \(head.method.rawValue); \(invitation)")
    }
    if let version = head.headers.first(name: "Sec-WebSocket-Version"), version != "13" {
      return Refusal(
        status: .upgradeRequired, text: "the version of the WebSocket protocol is '\(version)'; expected 13 (RFC 6455)")
    }
    guard head.headers["Origin"].count < 2 else {
      return Refusal(status: .badRequest, text: "the request has several header fields 'Origin'; expected at most one")
    }
    guard let origin = head.headers.first(name: "Origin"), !isAllowed(origin: origin) else { return nil }
    return Refusal(
      status: .forbidden,
      text: "pages of '\(origin)' may not open a WebSocket; expected a page of this machine, or a file")
  }

  /// Whether a page may connect: a page of this machine, a file, or a page of the address at which the kit listens.
  private func isAllowed(origin: String) -> Bool {
    guard origin != "null", !origin.hasPrefix("file:") else { return true }
    guard let scheme = origin.firstRange(of: "://") else { return false }
    let place = origin[scheme.upperBound...]
    let name = place.hasPrefix("[") ? place.prefix { $0 != "]" }.dropFirst() : place.prefix { $0 != ":" }
    return names.contains(String(name))
  }

  /// Compares two texts. The time for this does not depend on where they differ, so that the time does not reveal the
  /// token.
  private static func isEqual(_ given: Substring, _ token: String) -> Bool {
    guard given.utf8.count == token.utf8.count else { return false }
    return zip(given.utf8, token.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }

  /// The device that sent the request: its address and its `User-Agent`.
  func device(_ address: SocketAddress?, _ head: HTTPRequestHead) -> String {
    let place = address?.ipAddress ?? "an unknown address"
    guard let agent = head.headers.first(name: "User-Agent") else { return place }
    return
      "\(agent.unicodeScalars.prefix(200).reduce(into: "") { $0.unicodeScalars.append($1.value < 32 ? " " : $1) }) at \(place)"
  }
}
