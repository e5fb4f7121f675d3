import HTTPValues
import JSONKit

/// A request as it was received or sent, with its raw request line and body. Order and spelling of the header lines are
/// preserved.
package struct RequestRecord: Hashable, Sendable {
  /// The number of the connection at the port, counted from 1.
  package var connection: Int
  /// The first line as it was on the wire, without its line end.
  package var line: String
  package var headers: HTTPHeaders
  /// The body with transfer coding removed.
  package var body: Octets
  /// The name of the golden exchange that the request matches. With a lenient mock, this can also be an exchange that
  /// the request nearly matches. nil if the request matches no exchange, not even nearly.
  package var exchange: String?
  /// If the request does not match an exchange exactly: the exchange that is nearest to it, and the difference from
  /// that exchange.
  package var nearMiss: String?

  package init(
    connection: Int, line: String, headers: HTTPHeaders, body: Octets, exchange: String? = nil, nearMiss: String? = nil
  ) {
    self.connection = connection
    self.line = line
    self.headers = headers
    self.body = body
    self.exchange = exchange
    self.nearMiss = nearMiss
  }

  /// The method of the request line.
  package var method: String { String(Substring(line.utf8.prefix { $0 != Self.space })) }
  /// The raw target of the request line.
  package var target: String {
    guard let end = line.utf8.firstIndex(of: Self.space) else { return "" }
    return String(Substring(line.utf8[end...].dropFirst().prefix { $0 != Self.space }))
  }
  private static let space = UInt8(ascii: " ")
  /// The request with its target in origin form. If the client sent a whole URL as the target, as clients do with a
  /// proxy, the target is the part of the URL after the authority (RFC 9112 §3.2.2).
  package var request: HTTPRequest {
    HTTPRequest(method: method, target: target.pathOfWholeURL ?? target, headers: headers, body: body.bytes)
  }
}

/// A response as it was sent or received, with its raw status line and body. Order and spelling of the header lines are
/// preserved.
package struct ResponseRecord: Hashable, Sendable {
  package var connection: Int
  package var line: String
  package var headers: HTTPHeaders
  package var body: Octets
  /// The values that a binding file finds in the response, by name.
  package var values: JSON.Object
  /// Maps the name of each value that the response lacks, although the binding file expects it, to the path that was
  /// searched.
  package var absent: [String: String]

  package init(
    connection: Int, line: String, headers: HTTPHeaders, body: Octets, values: JSON.Object = [:],
    absent: [String: String] = [:]
  ) {
    self.connection = connection
    self.line = line
    self.headers = headers
    self.body = body
    self.values = values
    self.absent = absent
  }

  /// The status code of the status line; 0 if the line has no status code.
  package var status: Int {
    let words = line.utf8.split(separator: UInt8(ascii: " "), maxSplits: 2)
    return words.dropFirst().first.flatMap { Int(Substring($0)) } ?? 0
  }
}

/// The reason why a request of the kit got no complete response.
package struct WireFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The ways in which an exchange can end without a complete response.
  package enum Kind: String, CaseIterable, Sendable {
    case refused, unreachable, timeout, reset, closed, malformed, tooLarge = "too-large", tls
  }

  package var kind: Kind
  /// A description of the failure for a person.
  package var text: String
  /// The bytes that had arrived before the failure.
  package var received: Octets

  package init(_ kind: Kind, _ text: String, received: Octets = Octets([])) {
    self.kind = kind
    self.text = text
    self.received = received
  }

  package var description: String { "\(kind.rawValue): \(text)" }

  /// The failure of an exchange whose connection ended before the response arrived.
  package static let noAnswer = WireFailure(.closed, "the connection ended without an answer")
}
