/// A request as it arrived or was sent: raw request line, header lines in order and case, body bytes.
public struct RequestRecord: Hashable, Sendable {
  /// Which connection of the port carried it, counted from 1.
  public var connection: Int
  /// The first line as it was on the wire, without its line end.
  public var line: String
  public var headers: HTTPHeaders
  /// The body with transfer coding removed.
  public var body: Octets
  /// The golden exchange it belongs to; nil when it fits none.
  public var exchange: String?
  /// For a request that fits no exchange: what came nearest, and why it is not that.
  public var nearMiss: String?

  public init(
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
  public var method: String { String(line.prefix { $0 != " " }) }
  /// The target of the request line, raw.
  public var target: String {
    let parts = line.split(separator: " ", omittingEmptySubsequences: false)
    return parts.count > 1 ? String(parts[1]) : ""
  }
  /// The request without how it travelled.
  public var request: HTTPRequest {
    HTTPRequest(method: method, target: target, headers: headers, body: body.bytes)
  }
}

/// A response as it was sent or arrived: raw status line, header lines in order and case, body bytes.
public struct ResponseRecord: Hashable, Sendable {
  public var connection: Int
  public var line: String
  public var headers: HTTPHeaders
  public var body: Octets

  public init(connection: Int, line: String, headers: HTTPHeaders, body: Octets) {
    self.connection = connection
    self.line = line
    self.headers = headers
    self.body = body
  }

  /// The status code of the status line, 0 when it has none.
  public var status: Int { Int(line.split(separator: " ").dropFirst().first ?? "") ?? 0 }
}

/// Why a request that the kit sent got no whole response.
public struct WireFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The ways an exchange can end without a response.
  public enum Kind: String, CaseIterable, Sendable {
    case refused, unreachable, timeout, reset, closed, malformed, tooLarge = "too-large", tls
  }

  public var kind: Kind
  /// What happened, for a person.
  public var text: String
  /// What had arrived by then.
  public var received: Octets

  public init(_ kind: Kind, _ text: String, received: Octets = Octets([])) {
    self.kind = kind
    self.text = text
    self.received = received
  }

  public var description: String { "\(kind.rawValue): \(text)" }
}
