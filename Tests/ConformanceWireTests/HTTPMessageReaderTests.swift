import Testing

@testable import ConformanceWire

@Suite struct HTTPMessageReaderTests {
  /// All that a reader says about bytes that come in these pieces.
  private func outputs(
    _ pieces: [ArraySlice<UInt8>], _ kind: HTTPMessageReader.Kind, limits: HTTPMessageReader.Limits = .init()
  ) -> [HTTPMessageReader.Output] {
    var reader = HTTPMessageReader(kind, limits: limits)
    var outputs: [HTTPMessageReader.Output] = []
    func drain(_ next: () -> HTTPMessageReader.Output) {
      while true {
        let output = next()
        if output == .needsMore { return }
        if case .failed = output, outputs.last == output { return }
        outputs.append(output)
      }
    }
    for piece in pieces {
      reader.append(piece)
      drain { reader.next() }
    }
    drain { reader.finish() }
    return outputs
  }

  private func outputs(
    _ text: String, _ kind: HTTPMessageReader.Kind = .requests, limits: HTTPMessageReader.Limits = .init()
  ) -> [HTTPMessageReader.Output] {
    outputs([Array(text.utf8)[...]], kind, limits: limits)
  }

  private static let streams: [(String, HTTPMessageReader.Kind)] =
    [
      "GET / HTTP/1.1\r\nHost: h\r\n\r\n\r\n\r\nPOST /b?x=%20 HTTP/1.1\r\nA:1\r\na: \t2 \r\nContent-Length: 5\r\n\r\nhello"
        + "PUT /c HTTP/1.0\r\nContent-Length: 0\r\n\r\n",
      "POST / HTTP/1.1\r\nExpect: 100-continue\r\nTransfer-Encoding: chunked\r\n\r\n"
        + "a;x=\"y\"\r\n0123456789\r\n1\r\n!\r\n00\r\nTrailer: t\r\n\r\nGET /next HTTP/1.1\r\n\r\nGET /half HTT",
      "GET /\(String(repeating: "x", count: 99)) HTTP/1.1\r\n\r\nPUT / HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc",
      "GET /\(String(repeating: "x", count: 99)) HTTP/1.1\r\n\r\nPUT / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"
        + "3\r\nabc\r\n0\r\n\r\n",
      "POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\nshort", "GET / HTTP/1.1\nHost: h\n\n",
      "\u{16}\u{03}\u{01}hello, TLS",
      "GET / HTTP/1.1\r\nOk: 1\r\nBad : 2\r\n\r\n", "\r\n\r\n", "\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}",
      "POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabcd\r\n", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    ].map { ($0, HTTPMessageReader.Kind.requests) }
    + [
      "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", "HTTP/1.0 200 OK\r\n\r\nuntil the end",
      "HTTP/1.1 100 Continue\r\nA: 1\r\n\r\nHTTP/1.1 102 \r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        + "2\r\nhi\r\n0\r\n\r\n",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\nxyz\r\n", "220 mail ESMTP\r\n", "+OK",
      "\u{15}\u{03}\u{03}\u{00}\u{02}\u{02}\u{28}", "HTTP/1.1 200 OK\r\nContent-Le",
      // Five bytes before the limit something else begins.
      String(repeating: "HTTP/1.1 100 Continue\r\n\r\n", count: 7) + "HTTP/1.1 102 abc\r\n\r\n::::::::",
    ].map { ($0, HTTPMessageReader.Kind.response(to: "GET")) }

  @Test(arguments: streams.indices) func saysTheSameForEveryFragmentation(_ index: Int) {
    let (text, kind) = Self.streams[index]
    let limits = HTTPMessageReader.Limits(head: 200, body: 60)
    let bytes = Array(text.utf8)
    let whole = outputs([bytes[...]], kind, limits: limits)
    for first in bytes.indices {
      #expect(outputs([bytes[..<first], bytes[first...]], kind, limits: limits) == whole, "split at \(first)")
      for second in first..<min(first + 6, bytes.count) {
        let pieces = [bytes[..<first], bytes[first..<second], bytes[second...]]
        #expect(outputs(pieces, kind, limits: limits) == whole, "split at \(first) and \(second)")
      }
    }
    #expect(outputs(bytes.indices.map { bytes[$0...$0] }, kind, limits: limits) == whole, "byte by byte")
  }

  @Test func readsPipelinedRequestsExactly() throws {
    let expected = [
      HTTPMessage(
        line: "GET / HTTP/1.1", headers: ["Host": "h"], head: Array("GET / HTTP/1.1\r\nHost: h\r\n\r\n".utf8)),
      HTTPMessage(
        line: "POST /b?x=%20 HTTP/1.1", headers: ["A": "1", "a": "2", "Content-Length": "5"], body: Array("hello".utf8),
        head: Array("POST /b?x=%20 HTTP/1.1\r\nA:1\r\na: \t2 \r\nContent-Length: 5\r\n\r\n".utf8)),
      HTTPMessage(
        line: "PUT /c HTTP/1.0", headers: ["Content-Length": "0"],
        head: Array("PUT /c HTTP/1.0\r\nContent-Length: 0\r\n\r\n".utf8)),
    ]
    #expect(outputs(Self.streams[0].0) == expected.map { .message($0) })
  }

  @Test func readsChunksTrailersAndExpectations() throws {
    let said = outputs(Self.streams[1].0)
    #expect(said.first == .expectsContinue)
    guard case .message(let message) = said[1], case .message(let next) = said[2] else {
      Issue.record("no messages: \(said)")
      return
    }
    #expect(message.body == Array("0123456789!".utf8))
    #expect(message.trailers == ["Trailer": "t"])
    #expect(next.line == "GET /next HTTP/1.1")
    #expect(said.last == .failed(HTTPProblem(.truncated, "the connection ended in the first line")))
  }

  @Test func keepsTheBytesOfWhatIsNoMessage() {
    var reader = HTTPMessageReader(.requests)
    reader.append("GET / HTTP/1.1\r\n\r\nGET /two HTTP/1.1\r\nBad : x\r\n\r\nrest".utf8)
    guard case .message = reader.next(), case .failed = reader.next() else {
      Issue.record("expected a message and a failure")
      return
    }
    #expect(String(decoding: reader.raw, as: UTF8.self) == "GET /two HTTP/1.1\r\nBad : x\r\n\r\nrest")
  }

  struct Refusal: Sendable, CustomTestStringConvertible {
    var bytes: String
    var reason: String
    var kind = HTTPProblem.Kind.malformed
    init(_ bytes: String, _ reason: String, _ kind: HTTPProblem.Kind = .malformed) {
      self.bytes = bytes
      self.reason = reason
      self.kind = kind
    }
    var testDescription: String { reason }
  }

  private static let get = "GET / HTTP/1.1\r\n"
  static let refusals = [
    Refusal("GET /\r\n\r\n", "the first line is not a request line: 'GET /'"),
    Refusal("GET / HTTP/1.2\r\n\r\n", "the version is 'HTTP/1.2', not HTTP/1.1"),
    Refusal("PRI * HTTP/2.0\r\n\r\n", "the version is 'HTTP/2.0', not HTTP/1.1"),
    Refusal("GET  / HTTP/1.1\r\n\r\n", "the request line has 3 spaces instead of 2: 'GET  / HTTP/1.1'"),
    Refusal("GET /a b HTTP/1.1\r\n\r\n", "the request line has 3 spaces instead of 2: 'GET /a b HTTP/1.1'"),
    Refusal("G@T / HTTP/1.1\r\n\r\n", "the method is not a token: 'G@T'"),
    Refusal("GET /ä HTTP/1.1\r\n\r\n", "the target has characters that must be percent-encoded: '/ä'"),
    Refusal(" l\nHost: a\r\n\r\n", "not HTTP/1.1: it begins with ' l\\x0a'"),
    Refusal(" GET / HTTP/1.1\r\n\r\n", "not HTTP/1.1: it begins with ' GET / H'"),
    Refusal("GET / HTTP/1.1\nHost: h\n\n", "LF without CR at the end of the first line"),
    Refusal(get + "A: 1\r\nB: 2\n\r\n", "LF without CR at the end of header 2"),
    Refusal(get + "A: 1\r\nB: 2\r\nC : 3\r\n\r\n", "space before the colon in header 3"),
    Refusal(get + "A: 1\r\n folded\r\n\r\n", "header 2 begins with white space (folded lines are obsolete)"),
    Refusal(get + "no colon here\r\n\r\n", "no colon in header 1: 'no colon here'"),
    Refusal(get + "token\r\n\r\n", "no colon in header 1: 'token'"),
    Refusal(get + ": x\r\n\r\n", "no name before the colon in header 1"),
    Refusal(get + "A(b): x\r\n\r\n", "the name in header 1 is not a token: 'A(b)'"),
    Refusal(get + "A: x\u{0}y\r\n\r\n", "a control character in the value of header 1 ('A')"),
    Refusal(get + "A: x\ry\r\n\r\n", "a control character in the value of header 1 ('A')"),
    Refusal(get + "Content-Length: 5\r\nContent-Length: 6\r\n\r\n", "two different Content-Length: 5 and 6"),
    Refusal(get + "Content-Length: -1\r\n\r\n", "a Content-Length that is not a number: '-1'"),
    Refusal(get + "Content-Length: \r\n\r\n", "a Content-Length that is not a number: ''"),
    Refusal(
      get + "Content-Length: 99999999999999999999\r\n\r\n", "a Content-Length of 99999999999999999999", .tooLarge),
    Refusal(get + "Content-Length: 101\r\n\r\n", "a Content-Length of 101 is more than 100 bytes", .tooLarge),
    Refusal(
      get + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n", "both Transfer-Encoding and Content-Length"),
    Refusal(get + "Transfer-Encoding: gzip\r\n\r\n", "a Transfer-Encoding other than 'chunked': 'gzip'"),
    Refusal("GET / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", "Transfer-Encoding in a message of HTTP/1.0"),
    Refusal(chunks + "ZZ\r\n", "a chunk size that is not hexadecimal: 'ZZ'"),
    Refusal(chunks + "+5\r\n", "a chunk size that is not hexadecimal: '+5'"),
    Refusal(chunks + "5 \r\n", "a chunk size that is not hexadecimal: '5 '"),
    Refusal(chunks + "\r\n", "a chunk size that is not hexadecimal: ''"),
    Refusal(chunks + "3\r\nabcd\r\n", "a chunk is longer than its size says"),
    Refusal(chunks + "3\nabc", "LF without CR at the end of a chunk size"),
    Refusal(chunks + "0\r\nBad : x\r\n\r\n", "space before the colon in trailer 1"),
    Refusal(chunks + "7fffffffffffffff\r\n", "the body is larger than 100 bytes", .tooLarge),
    Refusal(chunks + "ffffffffffffffffffff\r\n", "a chunk of 0xffffffffffffffffffff bytes", .tooLarge),
    Refusal(chunks + String(repeating: "1\r\nx\r\n", count: 20), "the body is larger than 100 bytes", .tooLarge),
    Refusal(get + "A: " + String(repeating: "x", count: 300), "the header is larger than 200 bytes", .tooLarge),
    Refusal(String(repeating: "G", count: 300), "the header is larger than 200 bytes", .tooLarge),
    Refusal(get + "A: 1\r\n", "the connection ended in the header", .truncated),
    Refusal(
      get + "Content-Length: 5\r\n\r\nhi", "the connection ended 3 bytes before the end that Content-Length promised",
      .truncated),
    Refusal(chunks + "5\r\nhi", "the connection ended in a chunked body", .truncated),
    Refusal("\u{16}\u{03}\u{01}\u{02}", "the client speaks TLS: use http", .tls),
  ]
  private static let chunks = get + "Transfer-Encoding: chunked\r\n\r\n"

  @Test(arguments: refusals) func namesWhatIsWrong(_ refusal: Refusal) {
    let limits = HTTPMessageReader.Limits(head: 200, body: 100)
    #expect(outputs(refusal.bytes, limits: limits) == [.failed(HTTPProblem(refusal.kind, refusal.reason))])
  }

  @Test func allowsWhatTheGrammarAllows() {
    let odd = "m-SEARCH * HTTP/1.1\r\nEmpty:\r\nobs: \u{E9}\r\nContent-Length: 1, 1\r\nCONTENT-LENGTH: 1\r\n\r\nx"
    guard case .message(let message)? = outputs(odd).first else {
      Issue.record("refused: \(outputs(odd))")
      return
    }
    #expect(message.headers["Empty"] == "" && message.headers["OBS"] == "\u{E9}" && message.body == [0x78])
  }

  @Test(arguments: [
    ("GET / HTTP/1.1\r\n\r\n", true), ("GET / HTTP/1.0\r\n\r\n", false),
    ("GET / HTTP/1.1\r\nConnection: a, Close\r\n\r\n", false),
    ("GET / HTTP/1.1\r\nConnection: a\r\nconnection: close\r\n\r\n", false),
    ("GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n", true),
  ]) func knowsWhetherTheConnectionStays(_ text: String, _ stays: Bool) {
    guard case .message(let message)? = outputs(text).first else {
      Issue.record("no message")
      return
    }
    #expect(message.keepsAlive == stays)
  }
}
