import HTTPValues
import JSONKit

/// A request as it arrived or was sent: raw request line, header lines in order and case, body bytes.
package struct RequestRecord: Hashable, Sendable {
  /// The number of the connection at the port, counted from 1.
  package var connection: Int
  /// The first line as it was on the wire, without its line end.
  package var line: String
  package var headers: HTTPHeaders
  /// The body with transfer coding removed.
  package var body: Octets
  /// The name of the golden exchange that the request matches; a lenient mock also names the exchange that the request
  /// nearly matches. nil for any other request.
  package var exchange: String?
  /// The nearest exchange and the difference, if the request does not match an exchange exactly.
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
  /// The request with its target in origin form. A target in absolute form, as a client sends it to a proxy, becomes
  /// the origin form that it contains (RFC 9112 §3.2.2).
  package var request: HTTPRequest {
    HTTPRequest(method: method, target: target.pathOfWholeURL ?? target, headers: headers, body: body.bytes)
  }
}

/// A response as it was sent or arrived: raw status line, header lines in order and case, body bytes.
package struct ResponseRecord: Hashable, Sendable {
  package var connection: Int
  package var line: String
  package var headers: HTTPHeaders
  package var body: Octets
  /// The values that a binding file finds in the response, by name.
  package var values: JSON.Object
  /// The paths, by name, at which a binding file expects a value but the response has no value.
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
  /// The ways an exchange can end without a response.
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

  /// The failure of an exchange whose connection ended before the response.
  package static let noAnswer = WireFailure(.closed, "the connection ended without an answer")
}
