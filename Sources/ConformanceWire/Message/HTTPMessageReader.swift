/// Reads HTTP/1.1 messages from bytes in pieces of any size: a state machine without I/O.
///
/// The kit has its own reader, since the decoder of a library normalises messages and answers 400 by itself. With such
/// a decoder, the transcript would not show the malformed HTTP of a subject. Source: RFC 9112 §2 to §7. Where the RFC
/// allows a lenient recipient (bare LF, folded lines, white space before the colon), this reader is strict and reports
/// the problem. The result depends only on the bytes, never on the pieces in which they arrive.
package struct HTTPMessageReader: Sendable {
  /// The kind of messages that the reader expects.
  package enum Kind: Hashable, Sendable {
    /// Requests, any number of them.
    case requests
    /// The final response to a request of this method. Interim responses (RFC 9110 §15.2) before it are skipped.
    case response(to: String)
  }

  /// The largest size of a message, in bytes.
  package struct Limits: Hashable, Sendable {
    /// The limit of the header, from the first line to the empty line. Interim responses before the header count, too.
    /// 64 KiB by default.
    package var head: Int
    /// The limit of the body as sent: chunk sizes and trailers count, too. 16 MiB by default.
    package var body: Int

    package init(head: Int = 64 << 10, body: Int = 16 << 20) {
      self.head = head
      self.body = body
    }
  }

  /// The result of a read.
  package enum Output: Hashable, Sendable {
    case needsMore
    /// The client waits for `100 Continue` before it sends the body of its request. Returned once for each such
    /// request.
    case expectsContinue
    case message(HTTPMessage)
    /// The bytes are not a message; nothing more will be read.
    case failed(HTTPProblem)
  }

  enum State: Hashable, Sendable {
    case startLine, fields
    case sized(end: Int)
    case chunkSize, chunkData(end: Int), chunkEnd, trailers
    case untilClose
    case failed(HTTPProblem)
  }

  let kind: Kind
  let limits: Limits
  var state = State.startLine
  /// The bytes of the present message. Bytes of earlier messages may come before them, until ``forget()`` drops these.
  /// The indices in `State` are indices of `buffer`.
  var buffer: [UInt8] = []
  /// The index in `buffer` at which the present message begins.
  var start = 0
  /// The index at which the header of the present message begins, after interim responses.
  var headStart = 0
  /// The index at which the body of the present message begins.
  var bodyStart = 0
  /// The index of the first byte that is not read yet.
  var position = 0
  /// The bytes from `position` up to this index were searched, and contain no line end.
  var searched = 0
  var message = HTTPMessage(line: "")

  package init(_ kind: Kind, limits: Limits = Limits()) {
    self.kind = kind
    self.limits = limits
  }

  /// The request that these bytes contain, or the problem with them. A wrong Host field is a problem, too.
  package static func request(_ bytes: [UInt8]) -> Result<HTTPMessage, HTTPProblem> {
    var reader = HTTPMessageReader(.requests)
    reader.append(bytes)
    switch reader.finish() {
    case .message(let message): return message.hostProblem.map { .failure($0) } ?? .success(message)
    case .failed(let problem): return .failure(problem)
    case .needsMore, .expectsContinue: return .failure(HTTPProblem(.truncated, "the bytes contain no request"))
    }
  }

  /// Whether a message has begun and not ended.
  package var isInMessage: Bool { start < buffer.count }

  /// Whether the head of the present message is complete, and its body is not complete.
  package var isInBody: Bool {
    switch state {
    case .startLine, .fields, .failed: false
    case .sized, .chunkSize, .chunkData, .chunkEnd, .trailers, .untilClose: true
    }
  }

  /// The number of all bytes in the buffer, including bytes that are not read yet.
  package var keptCount: Int { buffer.count }

  /// Drops all bytes; nothing will be read any more.
  mutating func discard() { self = HTTPMessageReader(kind, limits: limits) }

  /// The number of bytes that are not read yet.
  package var unreadCount: Int { buffer.count - position }

  /// The bytes that have arrived since the last complete message.
  package var raw: ArraySlice<UInt8> { buffer[start...] }

  /// Adds bytes that have arrived. ``next()`` then returns the messages that they complete.
  package mutating func append(_ bytes: some Sequence<UInt8>) {
    if case .failed = state, raw.count > limits.head { return }
    buffer.append(contentsOf: bytes)
  }

  /// The next message or problem. Call this method until it returns `needsMore`.
  package mutating func next() -> Output {
    if case .failed(let problem) = state { return .failed(problem) }
    do throws(HTTPProblem) {
      while true {
        if let output = try step() { return output }
      }
    } catch {
      state = .failed(error)
      return .failed(error)
    }
  }

  /// Like ``next()``, after the end of the connection: no more bytes can come, so an incomplete message is a problem.
  /// Returns `needsMore` if no message has begun.
  package mutating func finish() -> Output {
    let output = next()
    guard output == .needsMore, isInMessage else { return output }
    if state == .untilClose {
      message.body = Array(buffer[bodyStart...])
      position = buffer.count
      return complete()
    }
    let problem = notHTTP ?? HTTPProblem(.truncated, "the connection ended \(whereItIs)")
    state = .failed(problem)
    return .failed(problem)
  }

  private var whereItIs: String {
    switch state {
    case .startLine: "in the first line"
    case .fields: "in the header"
    case .sized(let end): "\(end - buffer.count) bytes before the end that Content-Length promised"
    default: "in a chunked body"
    }
  }

  private mutating func step() throws(HTTPProblem) -> Output? {
    switch state {
    case .startLine: try readStartLine()
    case .fields: try readFields()
    case .sized(let end): readSized(end)
    case .chunkSize: try readChunkSize()
    case .chunkData(let end): readChunkData(end)
    case .chunkEnd: try readChunkEnd()
    case .trailers: try readTrailers()
    case .untilClose: try readUntilClose()
    case .failed(let problem): .failed(problem)
    }
  }

  /// Ends the present message; the next message begins at `position`.
  mutating func complete() -> Output {
    let done = message
    message = HTTPMessage(line: "")
    state = .startLine
    start = position
    headStart = position
    // Bytes are dropped only between messages, since `State` contains indices inside a message.
    if start >= buffer.count / 2 { forget() }
    return .message(done)
  }

  /// Drops the bytes before the present message.
  private mutating func forget() {
    if start == buffer.count {
      buffer.removeAll(keepingCapacity: buffer.capacity <= 64 << 10)
    } else {
      buffer.removeFirst(start)
    }
    position -= start
    headStart -= start
    bodyStart -= start
    searched = position
    start = 0
  }

  /// The next line without its end; nil if the line has not arrived completely. Throws `excess` if the line does not
  /// end before the index `limit`; this does not depend on the pieces in which the bytes arrive.
  mutating func takeLine(
    _ place: @autoclosure () -> String, before limit: Int, else excess: @autoclosure () -> HTTPProblem
  ) throws(HTTPProblem) -> ArraySlice<UInt8>? {
    guard let end = buffer[max(searched, position)...].firstIndex(of: 0x0A) else {
      searched = buffer.count
      guard buffer.count <= limit else { throw excess() }
      return nil
    }
    guard end < limit else { throw excess() }
    guard end > position, buffer[end - 1] == 0x0D else { throw .malformed("LF without CR at the end of \(place())") }
    let line = buffer[position..<(end - 1)]
    position = end + 1
    return line
  }
}
