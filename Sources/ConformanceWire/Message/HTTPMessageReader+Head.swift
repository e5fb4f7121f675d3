/// Reads the header: the first line and the fields. From the fields it finds out where the body ends.
extension HTTPMessageReader {
  mutating func readStartLine() throws(HTTPProblem) -> Output? {
    if kind == .requests { skipEmptyLines() }
    if let problem = notHTTP, problem.kind == .tls || firstBytes.count == 8 || firstBytes.contains(0x0A) {
      throw problem
    }
    guard let line = try takeHeadLine("the first line") else { return .needsMore }
    message.line = String(decoding: line, as: UTF8.self)
    if kind == .requests {
      try HTTPLines.checkRequestLine(line, message.line)
    } else {
      try HTTPLines.checkStatusLine(line)
    }
    state = .fields
    return nil
  }

  /// Skips empty lines before a request. RFC 9112 §2.2 allows a client to send such lines.
  private mutating func skipEmptyLines() {
    while unreadCount >= 2, buffer[position] == 0x0D, buffer[position + 1] == 0x0A { position += 2 }
    if position > start {
      start = position
      headStart = position
    }
  }

  /// The bytes of a message that have arrived, at most the first eight. Bytes after the first line end or beyond the
  /// limit of the header are left out, because ``notHTTP`` must not depend on the pieces in which the bytes arrive.
  private var firstBytes: ArraySlice<UInt8> {
    let first = buffer[position..<max(position, min(buffer.count, position + 8, start + limits.head))]
    return first.firstIndex(of: 0x0A).map { first[...$0] } ?? first
  }

  /// The reason why the first bytes of a message cannot be HTTP; nil if a message can begin with them.
  var notHTTP: HTTPProblem? {
    let first = firstBytes
    guard state == .startLine, !first.isEmpty else { return nil }
    if first.count >= 2, (0x14...0x17).contains(buffer[position]), buffer[position + 1] == 0x03 {
      return HTTPProblem(
        .tls, kind == .requests ? "the client speaks TLS: use http" : "the server speaks TLS: use https")
    }
    if kind == .requests {
      return buffer[position].isToken || buffer[position] == 0x0D
        ? nil : .malformed("not HTTP/1.1: it begins with '\(HTTPLines.excerpt(first))'")
    }
    return Array("HTTP/".utf8).starts(with: first.prefix(5))
      ? nil : .malformed("not HTTP/1.1: it begins with '\(HTTPLines.excerpt(first))'")
  }

  mutating func readFields() throws(HTTPProblem) -> Output? {
    while true {
      let number = message.headers.fields.count + 1
      guard let line = try takeHeadLine("header \(number)") else { return .needsMore }
      if line.isEmpty { break }
      message.headers.fields.append(try HTTPLines.field(line, "header \(number)"))
    }
    message.head = Array(buffer[headStart..<position])
    bodyStart = position
    if isInterim {
      message = HTTPMessage(line: "")
      state = .startLine
      headStart = position
      return nil
    }
    return try beginBody()
  }

  private mutating func takeHeadLine(_ place: @autoclosure () -> String) throws(HTTPProblem) -> ArraySlice<UInt8>? {
    let limits = limits
    return try takeLine(
      place(), before: start + limits.head, else: .tooLarge("the header is larger than \(limits.head) bytes"))
  }

  /// Whether the message is an interim response. A response with the status 101 is final: the bytes after it belong to
  /// another protocol.
  private var isInterim: Bool { kind != .requests && message.status / 100 == 1 && message.status != 101 }

  private mutating func beginBody() throws(HTTPProblem) -> Output? {
    let framing = try HTTPFraming(of: message, kind: kind)
    switch framing {
    case .sized(0): return complete()
    case .sized(let length):
      guard length <= limits.body else {
        throw .tooLarge("a Content-Length of \(length) is more than \(limits.body) bytes")
      }
      state = .sized(end: position + length)
    case .chunked: state = .chunkSize
    case .untilClose: state = .untilClose
    }
    return expectsContinue ? .expectsContinue : nil
  }

  private var expectsContinue: Bool {
    kind == .requests && !message.isVersion10
      && message.headers["Expect"]?.equalsIgnoringCase("100-continue") == true
  }
}
