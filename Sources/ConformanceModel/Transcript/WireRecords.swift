import JSONKit

/// A request as it arrived or was sent: raw request line, header lines in order and case, body bytes.
package struct RequestRecord: Hashable, Sendable {
  /// Which connection of the port carried it, counted from 1.
  package var connection: Int
  /// The first line as it was on the wire, without its line end.
  package var line: String
  package var headers: HTTPHeaders
  /// The body with transfer coding removed.
  package var body: Octets
  /// The golden exchange that it is, or nearly is if the mock is lenient; nil for any other request.
  package var exchange: String?
  /// For a request that is not exactly an exchange: the nearest one, and the difference.
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
  /// The target of the request line, raw.
  package var target: String {
    guard let end = line.utf8.firstIndex(of: Self.space) else { return "" }
    return String(Substring(line.utf8[end...].dropFirst().prefix { $0 != Self.space }))
  }
  private static let space = UInt8(ascii: " ")
  /// The request without how it travelled: a target in absolute form, as a client sends it to a proxy, is the one in origin
  /// form that it contains (RFC 9112 §3.2.2).
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
  /// What a binding file says stands in it, by name.
  package var values: JSON.Object
  /// What a binding file says stands in it and does not: its paths by name.
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

  /// The status code of the status line, 0 when it has none.
  package var status: Int {
    let words = line.utf8.split(separator: UInt8(ascii: " "), maxSplits: 2)
    return words.dropFirst().first.flatMap { Int(Substring($0)) } ?? 0
  }
}

/// Why a request that the kit sent got no whole response.
package struct WireFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The ways an exchange can end without a response.
  package enum Kind: String, CaseIterable, Sendable {
    case refused, unreachable, timeout, reset, closed, malformed, tooLarge = "too-large", tls
  }

  package var kind: Kind
  /// What happened, for a person.
  package var text: String
  /// What had arrived by then.
  package var received: Octets

  package init(_ kind: Kind, _ text: String, received: Octets = Octets([])) {
    self.kind = kind
    self.text = text
    self.received = received
  }

  package var description: String { "\(kind.rawValue): \(text)" }
}
