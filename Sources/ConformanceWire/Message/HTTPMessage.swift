import ConformanceTranscript
import HTTPValues

/// One HTTP/1.1 message as it was on the wire.
package struct HTTPMessage: Hashable, Sendable {
  /// The request line or status line, without its line end. Bytes that are not UTF-8 are replaced by U+FFFD.
  package var line: String
  /// The header fields in their order. The names have the same case as on the wire; white space around the values is
  /// removed.
  package var headers: HTTPHeaders
  /// The body, after its transfer coding was removed.
  package var body: [UInt8]
  /// The fields after a chunked body.
  package var trailers: HTTPHeaders
  /// The bytes of the header exactly as they came, from the first line to the empty line.
  package var head: [UInt8]

  package init(
    line: String, headers: HTTPHeaders = [:], body: [UInt8] = [], trailers: HTTPHeaders = [:], head: [UInt8] = []
  ) {
    self.line = line
    self.headers = headers
    self.body = body
    self.trailers = trailers
    self.head = head
  }

  /// The status code of a status line; 0 if the line has no status code.
  var status: Int { Int(line.split(separator: " ").dropFirst().first ?? "") ?? 0 }

  /// Whether this request lets the connection stay open (RFC 9112 §9.3).
  var keepsAlive: Bool {
    guard let connection = headers["Connection"] else { return !isVersion10 }
    var options = [connection]
    if headers.fields.count > 1 { options = headers.values("Connection") }
    let tokens = options.flatMap { $0.split(separator: ",") }.map(\.trimmed)
    if tokens.contains(where: { $0.equalsIgnoringCase("close") }) { return false }
    return !isVersion10 || tokens.contains { $0.equalsIgnoringCase("keep-alive") }
  }

  /// The problem for which a server must refuse this request: no Host field, or more than one (RFC 9112 §3.2). A
  /// request in HTTP/1.0 needs no Host field.
  var hostProblem: HTTPProblem? {
    switch headers.values("Host").count {
    case 0: isVersion10 ? nil : .malformed("no Host")
    case 1: nil
    case let count: .malformed("\(count) fields of the name Host")
    }
  }

  /// Whether the message is in HTTP/1.0, which has neither chunks nor `100 Continue`.
  var isVersion10: Bool { line.hasSuffix(" HTTP/1.0") || line.hasPrefix("HTTP/1.0 ") }
}

extension RequestRecord {
  /// Whether the connection may stay open after the answer to this request. Always false for HTTP/1.0. To keep such a
  /// connection open, the server would have to send a `keep-alive` field; it is simpler that the client opens a new
  /// connection.
  package var keepsAlive: Bool {
    let message = HTTPMessage(line: line, headers: headers)
    return message.keepsAlive && !message.isVersion10
  }
}

extension StringProtocol {
  /// The text without spaces and tabs at both ends (the optional white space of RFC 9110 §5.6.3).
  var trimmed: String {
    let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
    guard let first = firstIndex(where: { !isSpace($0) }), let last = lastIndex(where: { !isSpace($0) }) else {
      return ""
    }
    return String(self[first...last])
  }
}
