import ConformanceTranscript
import HTTPValues

extension WireReply {
  /// The reply that passes on the answer of another server. Two things change: the fields about a single connection are
  /// replaced (RFC 9110 §7.6.1), and a body that came in chunks is sent with a Content-Length.
  package init(passingOn answer: ResponseRecord, to request: RequestRecord) {
    let response = HTTPResponse(
      status: answer.status, headers: answer.headers.withoutConnectionFields, body: answer.body.bytes)
    var whole = WireResponse(response, method: request.method, keepsAlive: request.keepsAlive)
    // The status line keeps the reason phrase of the server.
    whole.line = "HTTP/1.1" + answer.line.drop { $0 != " " }
    self.init([.bytes(whole.bytes)] + (whole.keepsAlive ? [] : [.close]), response: whole.record)
  }
}

extension HTTPHeaders {
  /// All fields that a proxy passes on: it leaves out the fields about a single connection (RFC 9110 §7.6.1).
  package var withoutConnectionFields: HTTPHeaders {
    let named = values("Connection").flatMap { $0.split(separator: ",") }.map { String($0).trimmed }
    let dropped = Self.connectionFields + named
    return HTTPHeaders(fields.filter { field in !dropped.contains { $0.equalsIgnoringCase(field.name) } })
  }

  private static let connectionFields = [
    "Connection", "Keep-Alive", "Proxy-Connection", "Proxy-Authenticate", "Proxy-Authorization", "TE", "Trailer",
    "Transfer-Encoding", "Upgrade",
  ]
}
