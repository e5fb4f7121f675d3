import HTTPValues

/// Writes messages byte for byte, with the fields in their order and case. It adds only fields without which a message
/// is incomplete.
package enum HTTPMessageWriter {
  /// The bytes of a request. These fields are added if the request does not contain them: Host, the length of the body
  /// and, unless the connection is to be kept, `Connection: close`.
  ///
  /// With `Transfer-Encoding: chunked` the body travels as one chunk.
  package static func bytes(of request: HTTPRequest, to authority: String, keepsAlive: Bool = false) -> [UInt8] {
    var headers = request.headers
    if headers["Host"] == nil { headers.fields.insert(.init(name: "Host", value: authority), at: 0) }
    let wantsLength = !request.body.isEmpty || ["POST", "PUT", "PATCH"].contains(request.method)
    if wantsLength, headers["Content-Length"] == nil, headers["Transfer-Encoding"] == nil {
      headers.append("Content-Length", "\(request.body.count)")
    }
    if !keepsAlive, headers["Connection"] == nil { headers.append("Connection", "close") }
    let body = isChunked(headers) ? chunked(request.body) : request.body
    return head("\(request.method) \(request.target) HTTP/1.1", headers) + body
  }

  /// The first line and the fields, with the empty line after them.
  package static func head(_ line: String, _ headers: HTTPHeaders) -> [UInt8] {
    var bytes: [UInt8] = []
    let size = headers.fields.reduce(line.utf8.count + 4) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
    bytes.reserveCapacity(size)
    bytes.append(contentsOf: line.utf8)
    for field in headers.fields {
      bytes.append(contentsOf: "\r\n".utf8)
      bytes.append(contentsOf: field.name.utf8)
      bytes.append(contentsOf: ": ".utf8)
      bytes.append(contentsOf: field.value.utf8)
    }
    bytes.append(contentsOf: "\r\n\r\n".utf8)
    return bytes
  }

  /// Whether `chunked` is the only transfer coding in the fields, and the fields contain no `Content-Length`.
  static func isChunked(_ headers: HTTPHeaders) -> Bool {
    headers["Content-Length"] == nil
      && headers.values("Transfer-Encoding").map(\.trimmed).elementsEqual(["chunked"]) { $0.equalsIgnoringCase($1) }
  }

  /// The body as one chunk, followed by the last chunk (RFC 9112 §7.1).
  static func chunked(_ body: [UInt8]) -> [UInt8] {
    let end = Array("0\r\n\r\n".utf8)
    return body.isEmpty ? end : Array("\(String(body.count, radix: 16))\r\n".utf8) + body + Array("\r\n".utf8) + end
  }
}
