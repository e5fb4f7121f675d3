import ConformanceTranscript
import HTTPValues
import Testing

@testable import ConformanceWire

/// The reply that passes the answer of another server on.
@Suite struct RelayedReplyTests {
  private func reply(_ line: String, _ headers: HTTPHeaders, _ body: String, to method: String = "GET") -> WireReply {
    WireReply(
      passingOn: ResponseRecord(connection: 0, line: line, headers: headers, body: Octets(Array(body.utf8))),
      to: RequestRecord(connection: 1, line: "\(method) / HTTP/1.1", headers: [:], body: Octets([])))
  }

  private func bytes(_ reply: WireReply) -> String {
    let bytes = reply.actions.flatMap { action -> [UInt8] in
      if case .bytes(let bytes) = action { bytes } else { [] }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func keepsReasonFieldsAndBody() {
    let reply = reply("HTTP/1.0 299 Fine by me", ["X-A": "1", "x-a": "2", "Content-Length": "4"], "a\r\nb")
    #expect(bytes(reply) == "HTTP/1.1 299 Fine by me\r\nX-A: 1\r\nx-a: 2\r\nContent-Length: 4\r\n\r\na\r\nb")
    #expect(reply.response?.status == 299)
  }

  @Test func replacesFieldsAboutTheConnection() {
    let reply = reply(
      "HTTP/1.1 200 OK",
      ["Transfer-Encoding": "chunked", "Connection": "keep-alive, X-Hop", "X-Hop": "1", "X-End": "2"],
      "ab")
    #expect(bytes(reply) == "HTTP/1.1 200 OK\r\nX-End: 2\r\nContent-Length: 2\r\n\r\nab")
  }

  @Test func followsNoRedirect() {
    let reply = reply("HTTP/1.1 302 Found", ["Location": "https://other.example/", "Content-Length": "0"], "")
    #expect(bytes(reply).hasPrefix("HTTP/1.1 302 Found\r\nLocation: https://other.example/\r\n"))
  }

  @Test func keepsTheLengthInAnAnswerToHEAD() {
    let reply = reply("HTTP/1.1 200 OK", ["Content-Length": "9"], "", to: "HEAD")
    #expect(bytes(reply) == "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n")
  }

  @Test func aPendingReplyIsGivenOnce() async {
    let pending = PendingReply()
    pending.give(WireReply([.close]))
    pending.give(WireReply([.reset]))
    let given = await withCheckedContinuation { continuation in pending.whenGiven { continuation.resume(returning: $0) }
    }
    #expect(given.actions == [.close])
  }
}
