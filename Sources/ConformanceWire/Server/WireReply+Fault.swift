import ConformanceModel
import ConformanceTranscript
import HTTPValues
import JSONKit
import Templates

extension WireReply {
  /// The reply that sends this response, as the fault changes it.
  ///
  /// - Parameters:
  ///   - response: the server's answer. Content-Length is added if absent; with `Transfer-Encoding: chunked` the body
  ///     is sent as one chunk.
  ///   - fault: the fault. `refuse` and `tls` are states of the port; here they end the connection like `drop`.
  ///   - method: the method of the request. The answer to HEAD has no body.
  ///   - keepsAlive: whether the connection may stay open for the next request after a complete reply. Otherwise
  ///     `Connection: close` is added.
  ///   - common: fields of every answer, even of an answer that a fault makes. Fields of the response itself take
  ///     precedence.
  ///   - barrier: the barrier that the answer waits for.
  package init(
    response: HTTPResponse, fault: Fault.Kind? = nil, method: String = "GET", keepsAlive: Bool = true,
    common: HTTPHeaders = [:], barrier: WireBarrier? = nil
  ) {
    let response = response.adding(common)
    let whole = WireResponse(response, method: method, keepsAlive: keepsAlive)
    let end: [Action] = whole.keepsAlive ? [] : [.close]
    switch fault {
    case nil, .hold:
      let wait = barrier.map { [Action.wait($0)] } ?? []
      self.init(wait + [.bytes(whole.bytes)] + end, response: whole.record)
    case .refuse, .drop, .tls: self.init([.close])
    case .hang: self.init([.hold])
    case .reset(let count): self = .reset(whole, after: count)
    case .delay(let time): self.init([.pause(time), .bytes(whole.bytes)] + end, response: whole.record)
    case .drip(let count, let interval):
      self.init(Self.drip(whole.bytes, count, interval) + end, response: whole.record)
    case .truncate(let count):
      let cut = whole.with(body: Array(whole.body.prefix(max(0, count))))
      self.init([.bytes(cut.bytes), .close], response: cut.record)
    case .stall(let count):
      let begun = whole.with(body: Array(whole.body.prefix(max(0, count))))
      // A whole body leaves nothing to hold.
      let rest = count < whole.body.count ? [.hold] : end
      self.init([.bytes(begun.bytes)] + rest, response: begun.record)
    case .wrongLength(let difference):
      let wrong = WireResponse(response, method: method, keepsAlive: false, lengthError: difference)
      self.init([.bytes(wrong.bytes), .close], response: wrong.record)
    case .badChunk:
      let bad = WireResponse(badChunkIn: response)
      self.init([.bytes(bad.bytes), .close], response: bad.record)
    case .status(let status):
      self.init(response: Self.error(status), method: method, keepsAlive: keepsAlive, common: common)
    case .raw(let octets): self.init([.bytes(octets.bytes), .close], response: Self.record(of: octets, method))
    case .redirect(let status, let location):
      let redirect = HTTPResponse(status: status, headers: ["Location": location])
      self.init(response: redirect, method: method, keepsAlive: keepsAlive, common: common)
    }
    self.fault = fault?.word
  }

  /// The reply of an origin server to this request. The request decides whether the answer has a body and fields for a
  /// page of another origin, and whether the connection may stay open.
  package init(
    response: HTTPResponse, fault: Fault.Kind? = nil, to request: RequestRecord, at instant: Timestamp,
    barrier: WireBarrier? = nil
  ) {
    self.init(
      response: response, fault: fault, method: request.method, keepsAlive: request.keepsAlive,
      common: .ofOrigin(to: request, at: instant), barrier: barrier)
  }

  /// An answer with this status, whose body only repeats the reason phrase. A 405 must have an Allow field (RFC 9110
  /// §15.5.6); here it is empty.
  private static func error(_ status: Int) -> HTTPResponse {
    let reason = HTTPResponse(status: status).reason
    var answer = HTTPResponse.json(status, ["error": .string(reason.isEmpty ? "status \(status)" : reason)])
    if status == 405 { answer.headers["Allow"] = "" }
    return answer
  }

  /// A reply that sends `count` bytes of the body and then resets the connection. Its record contains the header and
  /// the part of the body that is sent, and is nil if nothing is sent.
  private static func reset(_ whole: WireResponse, after count: Int) -> WireReply {
    guard count > 0 else { return WireReply([.reset]) }
    let cut = whole.with(body: Array(whole.body.prefix(max(0, count - whole.head.count))))
    return WireReply([.bytes(Array(whole.bytes.prefix(count))), .reset], response: cut.record)
  }

  /// The actions that send the bytes in pieces of `count` bytes: the first piece at once, and another one after each
  /// interval.
  private static func drip(_ bytes: [UInt8], _ count: Int, _ interval: LogicalTime) -> [Action] {
    stride(from: 0, to: bytes.count, by: max(1, count)).flatMap { start -> [Action] in
      let piece = Action.bytes(Array(bytes[start...].prefix(max(1, count))))
      return start == 0 ? [piece] : [.pause(interval), piece]
    }
  }

  /// The response that raw bytes contain. If the bytes are not a response, returns a record without a status line, with
  /// the bytes as its body. Returns nil if `octets` is empty.
  private static func record(of octets: Octets, _ method: String) -> ResponseRecord? {
    guard !octets.bytes.isEmpty else { return nil }
    var reader = HTTPMessageReader(.response(to: method))
    reader.append(octets.bytes)
    guard case .message(let message) = reader.finish() else {
      return ResponseRecord(connection: 0, line: "", headers: [:], body: octets)
    }
    return ResponseRecord(connection: 0, line: message.line, headers: message.headers, body: Octets(message.body))
  }
}
