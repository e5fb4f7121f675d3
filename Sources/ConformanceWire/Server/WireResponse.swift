import ConformanceTranscript
import HTTPValues

/// A response as it is sent: the header, with fields that this type adds, and the body in its transfer coding.
struct WireResponse {
  var line: String
  var headers: HTTPHeaders
  /// The body on the wire.
  var body: [UInt8]
  /// Whether the connection may stay open after the response.
  private(set) var keepsAlive: Bool
  /// The body without transfer coding, for the journal.
  private var content: [UInt8]

  /// Even with `keepsAlive`, the connection ends if nothing else marks the end of the body, or if a field of the
  /// response closes the connection. `lengthError` is added to the Content-Length, so that the field is wrong.
  init(_ response: HTTPResponse, method: String, keepsAlive: Bool, lengthError: Int? = nil) {
    line = Self.line(of: response)
    headers = response.headers
    content = Self.mayHaveBody(response.status) && method != "HEAD" ? response.body : []
    if let lengthError {
      headers["Transfer-Encoding"] = nil
      headers["Content-Length"] = "\(max(0, response.body.count + lengthError))"
    }
    let isChunked = HTTPMessageWriter.isChunked(headers)
    let saysLength = isChunked || headers["Content-Length"] != nil || headers["Transfer-Encoding"] != nil
    if !saysLength, Self.mayHaveBody(response.status) {
      headers.append("Content-Length", "\(response.body.count)")
    }
    let hasNoBody = method == "HEAD" || !Self.mayHaveBody(response.status)
    let tellsItsEnd = isChunked || hasNoBody || headers["Content-Length"] == "\(content.count)"
    self.keepsAlive = keepsAlive && tellsItsEnd && HTTPMessage(line: line, headers: headers).keepsAlive
    if !self.keepsAlive, headers["Connection"] == nil { headers.append("Connection", "close") }
    body = isChunked && !(content.isEmpty && method == "HEAD") ? HTTPMessageWriter.chunked(content) : content
  }

  /// A chunked response whose chunk size is not hexadecimal.
  init(badChunkIn response: HTTPResponse) {
    line = Self.line(of: response)
    headers = response.headers
    headers["Content-Length"] = nil
    headers["Transfer-Encoding"] = "chunked"
    if headers["Connection"] == nil { headers.append("Connection", "close") }
    keepsAlive = false
    content = response.body
    body = Array("ZZ\r\n".utf8) + content + Array("\r\n0\r\n\r\n".utf8)
  }

  var head: [UInt8] { HTTPMessageWriter.head(line, headers) }
  var bytes: [UInt8] { head + body }
  var record: ResponseRecord { ResponseRecord(connection: 0, line: line, headers: headers, body: Octets(content)) }

  /// A copy with the same header and a part of the body.
  func with(body part: [UInt8]) -> WireResponse {
    var cut = self
    cut.content = body == content ? part : []
    cut.body = part
    return cut
  }

  private static func line(of response: HTTPResponse) -> String { "HTTP/1.1 \(response.status) \(response.reason)" }

  /// Whether a response with this status may have a body (RFC 9110 §6.4.1).
  private static func mayHaveBody(_ status: Int) -> Bool { status / 100 != 1 && status != 204 && status != 304 }
}
