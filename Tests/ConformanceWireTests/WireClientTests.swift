import ConformanceTranscript
import HTTPValues
import NIOCore
import NIOPosix
import Testing

@testable import ConformanceWire

@Suite struct WireClientTests {
  private func play(
    _ text: String, then ending: RawServer.Ending = .close, atOnce: Bool = false, method: String = "GET",
    limits: WireClient.Limits = .init()
  ) async throws -> Result<ResponseRecord, WireFailure> {
    let server = try await RawServer.start(Array(text.utf8), then: ending, atOnce: atOnce)
    let result = await exchange(HTTPRequest(method: method, target: "/"), port: server.port, limits: limits)
    try await server.stop()
    return result
  }

  private func exchange(
    _ request: HTTPRequest, port: Int, limits: WireClient.Limits = .init()
  ) async -> Result<ResponseRecord, WireFailure> {
    do throws(WireFailure) {
      return .success(try await WireClient(limits: limits).send(request, to: .init(host: "127.0.0.1", port: port)))
    } catch {
      return .failure(error)
    }
  }

  struct Whole: Sendable, CustomTestStringConvertible {
    var name: String
    var bytes: String
    var status: Int
    var body: String
    var method = "GET"
    var testDescription: String { name }
  }

  @Test(arguments: [
    Whole(name: "sized", bytes: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", status: 200, body: "hi"),
    Whole(
      name: "chunked", bytes: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;x=y\r\nh\r\n1\r\ni\r\n0\r\n\r\n",
      status: 200, body: "hi"),
    Whole(name: "until close", bytes: "HTTP/1.0 200\r\n\r\nhi", status: 200, body: "hi"),
    Whole(
      name: "interim",
      bytes: "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n"
        + "HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n", status: 201, body: ""),
    Whole(name: "no content", bytes: "HTTP/1.1 204 No Content\r\nContent-Length: 9\r\n\r\n", status: 204, body: ""),
    Whole(name: "not modified", bytes: "HTTP/1.1 304 Not Modified\r\n\r\n", status: 304, body: ""),
    Whole(name: "head", bytes: "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n", status: 200, body: "", method: "HEAD"),
  ])
  func readsWholeResponses(_ whole: Whole) async throws {
    // `stay` for all that end by themselves: nothing may wait for the connection to close.
    let ending: RawServer.Ending = whole.name == "until close" ? .close : .stay
    let response = try await play(whole.bytes, then: ending, method: whole.method).get()
    #expect(response.status == whole.status)
    #expect(response.body.text == whole.body)
  }

  @Test func keepsTheHeaderAsItWas() async throws {
    let text = "HTTP/1.1 299  Odd  Phrase\r\nb-Two: 2\r\nA-ONE:1 \r\nb-two: 3\r\ncontent-length: 0\r\n\r\n"
    let response = try await play(text).get()
    #expect(response.line == "HTTP/1.1 299  Odd  Phrase")
    #expect(response.headers == ["b-Two": "2", "A-ONE": "1", "b-two": "3", "content-length": "0"])
  }

  struct Broken: Sendable, CustomTestStringConvertible {
    var name: String
    var bytes: String
    var kind: WireFailure.Kind
    var text: String
    var ending = RawServer.Ending.close
    var atOnce = false
    var testDescription: String { name }
  }

  @Test(arguments: [
    Broken(name: "nothing", bytes: "", kind: .closed, text: "without a response"),
    Broken(name: "half a line", bytes: "HTTP/1.1 20", kind: .closed, text: "in the first line"),
    Broken(name: "half a header", bytes: "HTTP/1.1 200 OK\r\nA: 1\r\n", kind: .closed, text: "in the header"),
    Broken(
      name: "short body", bytes: "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhi", kind: .closed,
      text: "3 bytes before the end"),
    Broken(
      name: "cut chunks", bytes: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", kind: .closed,
      text: "in a chunked body"),
    Broken(
      name: "bad chunk", bytes: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\nhello\r\n",
      kind: .malformed,
      text: "not hexadecimal: 'ZZ'", ending: .stay),
    Broken(
      name: "banner", bytes: "SSH-2.0-OpenSSH_9.2\r\n", kind: .malformed, text: "begins with 'SSH-2.0-'", ending: .stay,
      atOnce: true),
    Broken(name: "short banner", bytes: "+OK", kind: .malformed, text: "begins with '+OK'"),
    Broken(
      name: "TLS alert", bytes: "\u{15}\u{03}\u{01}\u{00}\u{02}\u{02}\u{46}", kind: .tls,
      text: "the server speaks TLS: use https", ending: .stay),
    Broken(name: "reset", bytes: "", kind: .reset, text: "reset", ending: .reset),
    Broken(name: "reset inside", bytes: "HTTP/1.1 200 OK\r\nContent-Le", kind: .reset, text: "reset", ending: .reset),
    Broken(name: "bad status", bytes: "HTTP/1.1 2x0 OK\r\n\r\n", kind: .malformed, text: "not three digits"),
    Broken(name: "version", bytes: "HTTP/2.0 200 OK\r\n\r\n", kind: .malformed, text: "'HTTP/2.0', not HTTP/1.1"),
  ])
  func namesWhatIsBroken(_ broken: Broken) async throws {
    let result = try await play(broken.bytes, then: broken.ending, atOnce: broken.atOnce)
    let failure = try #require(throws: WireFailure.self) { try result.get() }
    #expect(failure.kind == broken.kind)
    #expect(failure.text.contains(broken.text), "\(failure.text)")
    #expect(failure.received.bytes == Array(broken.bytes.utf8))
  }
}
