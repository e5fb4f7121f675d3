import Adapters
import NIOCore
import NIOHTTP1
import NIOPosix

/// The carrier for an adapter that listens for HTTP. Each relay of the kit gets its own session with the adapter.
///
/// The adapter sends all messages in one stream of server-sent events. So they keep their order: a callback arrives
/// before a reply that is sent after it. With long polling, this order could be lost between two polls.
final class HTTPCarrier: Carrier {
  private let address: HTTPAddress
  private let loop: any EventLoop
  /// The number of the last session. The first number is random. One adapter can serve several runs, and their sessions
  /// need different numbers.
  private var lastSession = Int(UInt32.random(in: 1 ... .max)) << 20

  init(_ address: HTTPAddress, on loop: any EventLoop) {
    self.address = address
    self.loop = loop
  }

  func connect(_ relay: RelayConnection) {
    lastSession += 1
    HTTPAdapter(address, session: lastSession, relay: relay, on: loop).open()
  }

  func forget(_ relay: RelayConnection) {}

  /// Completes at once, because the adapter listens before the run begins.
  func arrival() -> EventLoopFuture<Void> { loop.makeSucceededVoidFuture() }

  func close() -> EventLoopFuture<Void> { loop.makeSucceededVoidFuture() }
}

/// A session with an adapter that listens for HTTP.
final class HTTPAdapter: AdapterConnection {
  static let sessionHeader = "Conform-Session"
  /// The time limit for opening a connection, and again for the beginning of an answer.
  private static let patience = TimeAmount.seconds(20)
  /// If an answer has not begun after this time, the kit notes this for the text of a later failure.
  private static let promptness = TimeAmount.seconds(2)

  private let address: HTTPAddress
  private let session: Int
  private let loop: any EventLoop
  private var relay: RelayConnection?
  private var stream: (any Channel)?
  /// The lines that wait until the adapter has accepted all earlier lines.
  private var queue: [ByteBuffer] = []
  /// Whether the stream of messages is open, so that the adapter accepts commands.
  private var isReady = false
  private var isPosting = false

  init(_ address: HTTPAddress, session: Int, relay: RelayConnection, on loop: any EventLoop) {
    self.address = address
    self.session = session
    self.relay = relay
    self.loop = loop
  }

  /// Requests the stream of messages from the adapter.
  func open() {
    relay?.take(self)
    exchange(.GET, ByteBuffer(), headers: ["Accept": "text/event-stream"]) { [self] in EventStreamReader(self) }
  }

  /// Opens a connection, sends a request, and lets a new reader handle the answer.
  private func exchange(
    _ method: HTTPMethod, _ body: ByteBuffer, headers: HTTPHeaders, reader: @escaping () -> any HTTPAnswerReader
  ) {
    var headers = headers
    headers.add(name: "Host", value: address.authority)
    headers.add(name: "Connection", value: "close")
    headers.add(name: Self.sessionHeader, value: "\(session)")
    let head = HTTPRequestHead(version: .http1_1, method: method, uri: address.path, headers: headers)
    let make = NIOLoopBound(reader, eventLoop: loop)
    let own = NIOLoopBound(self, eventLoop: loop)
    ClientBootstrap(group: loop)
      .channelOption(.socketOption(.tcp_nodelay), value: 1)
      .connectTimeout(Self.patience)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHTTPClientHandlers()
          try channel.pipeline.syncOperations.addHandler(AnswerWait(own.value, method))
          try channel.pipeline.syncOperations.addHandler(make.value())
        }
      }
      .connect(host: address.host, port: address.port)
      .whenComplete { own.value.send(head, body, on: $0) }
  }

  private func send(_ head: HTTPRequestHead, _ body: ByteBuffer, on connection: Result<any Channel, any Error>) {
    switch connection {
    case .failure(let error):
      fail("nothing answers at \(address): \(SocketReason.text(error)). Start the adapter first, and give its address")
    case .success(let channel):
      if head.method == .GET { stream = channel }
      guard relay != nil || head.method != .GET else { return channel.close(promise: nil) }
      channel.write(HTTPClientRequestPart.head(head), promise: nil)
      if body.readableBytes > 0 { channel.write(HTTPClientRequestPart.body(.byteBuffer(body)), promise: nil) }
      channel.writeAndFlush(HTTPClientRequestPart.end(nil), promise: nil)
    }
  }

  func send(_ line: ByteBuffer) {
    queue.append(line)
    post()
  }

  /// Sends all waiting lines in one request. The next request is sent only after the answer, so that lines keep their
  /// order.
  private func post() {
    guard isReady, !isPosting, !queue.isEmpty else { return }
    isPosting = true
    var body = ByteBuffer()
    for line in queue {
      body.writeImmutableBuffer(line)
      body.writeInteger(UInt8(ascii: "\n"))
    }
    queue = []
    let headers: HTTPHeaders = ["Content-Type": "application/json", "Content-Length": "\(body.readableBytes)"]
    exchange(.POST, body, headers: headers) { [self] in PostAnswerReader(self) }
  }

  func end(isKill: Bool) {
    relay = nil
    stream?.close(promise: nil)
  }

  func setReading(_ isReading: Bool) { stream?.setOption(.autoRead, value: isReading).whenFailure { _ in } }
}

/// The reactions to the adapter's answers.
extension HTTPAdapter {
  func takeCommands() {
    isReady = true
    relay?.note(device: "\(address)")
    post()
  }

  func tookCommands() {
    isPosting = false
    post()
  }

  func deliver(_ message: ByteBuffer) { relay?.deliver(message) }

  /// Notes what the kit waits for, so that the text of a later failure can contain it.
  func note(_ text: String) { relay?.note(text) }

  /// Starts two timers for the beginning of an answer. The first notes that the answer is missing. The second, after
  /// ``patience``, ends the session.
  fileprivate func awaitAnswer(to method: HTTPMethod, on channel: any Channel) -> [Scheduled<Void>] {
    let own = NIOLoopBound(self, eventLoop: loop)
    let what = "the adapter has accepted the connection, but has not answered \(method.rawValue) \(address)"
    let expected = method == .GET ? "200 and a stream of events at once" : "202 at once"
    return [
      channel.eventLoop.scheduleTask(in: Self.promptness) { own.value.note("\(what) yet; expected \(expected)") },
      channel.eventLoop.scheduleTask(in: Self.patience) {
        own.value.fail(
          "\(what) for \(Self.patience.nanoseconds / 1_000_000_000) s; expected \(expected). Is this the address of an adapter?"
        )
      },
    ]
  }

  /// Ends the session because an answer is not HTTP, or because a connection ended early.
  fileprivate func fail(_ method: HTTPMethod, _ error: any Error) {
    let what = "the adapter's answer to \(method.rawValue) \(address)"
    fail(
      error is HTTPParserError
        ? "\(what) cannot be read: \(SocketReason.text(error)). Is this the address of an adapter?"
        : "\(what) broke off: \(SocketReason.text(error))")
  }

  func finish() {
    relay?.finish()
    relay = nil
  }

  func fail(_ text: String) {
    relay?.fail(text)
    relay = nil
    stream?.close(promise: nil)
  }

  /// Describes what is wrong with the head of an answer; nil if its status is right and its body has no content
  /// encoding.
  func problem(of head: HTTPResponseHead, to method: HTTPMethod) -> String? {
    let what = "the adapter answered \(method.rawValue) \(address) with"
    if [301, 302, 303, 307, 308].contains(head.status.code) {
      return "\(what) \(head.status.code), a redirect; give the address that takes the messages"
    }
    guard head.status.code == (method == .GET ? 200 : 202) else {
      return "\(what) \(head.status.code); expected \(method == .GET ? "200 and a stream of events" : "202"). "
        + "Is this the address of an adapter?"
    }
    for name in ["Content-Encoding", "Transfer-Encoding"] {
      let codings = head.headers[canonicalForm: name].map { $0.lowercased() }
      if let coding = codings.first(where: { !["identity", "chunked"].contains($0) }) {
        return "\(what) a body in the encoding '\(coding)'; expected plain text"
      }
    }
    guard method == .GET else { return nil }
    let type = head.headers.first(name: "Content-Type") ?? "none"
    let name = type.prefix { $0 != ";" }.lowercased().filter { $0 != " " }
    guard name == "text/event-stream" else {
      return "\(what) the media type '\(type)'; expected text/event-stream. Is this the address of an adapter?"
    }
    return nil
  }
}

/// A reader of one answer.
protocol HTTPAnswerReader: ChannelInboundHandler where InboundIn == HTTPClientResponsePart {}

/// Reads the answer to a request with commands: an empty answer with the status 202.
private final class PostAnswerReader: HTTPAnswerReader {
  typealias InboundIn = HTTPClientResponsePart

  private let adapter: HTTPAdapter
  private var isOver = false

  init(_ adapter: HTTPAdapter) { self.adapter = adapter }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      guard let problem = adapter.problem(of: head, to: .POST) else { return }
      isOver = true
      adapter.fail(problem)
    case .body(let bytes):
      guard !isOver else { return }
      isOver = true
      let beginning = String(
        buffer: bytes.getSlice(at: bytes.readerIndex, length: min(bytes.readableBytes, 100)) ?? bytes)
      adapter.fail(
        "the adapter answered a POST with a body; expected 202 without a body, because replies belong in the stream "
          + "of events. The body begins: \(beginning)")
    case .end:
      if !isOver { adapter.tookCommands() }
      isOver = true
      context.close(promise: nil)
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    if !isOver { adapter.fail("the adapter closed the connection of a POST before it answered") }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if !isOver { adapter.fail(.POST, error) }
    isOver = true
    context.close(promise: nil)
  }
}

/// Reads the stream of messages: server-sent events, of which only `data` counts.
private final class EventStreamReader: HTTPAnswerReader {
  typealias InboundIn = HTTPClientResponsePart

  private let adapter: HTTPAdapter
  private var events = EventStreamParser()
  private var isOver = false
  /// Whether the timer of ``expectEnd(on:)`` is running.
  private var isTimed = false
  private var hasNoted = false

  init(_ adapter: HTTPAdapter) { self.adapter = adapter }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      guard let problem = adapter.problem(of: head, to: .GET) else { return adapter.takeCommands() }
      isOver = true
      adapter.fail(problem)
    case .body(let bytes):
      guard !isOver else { return }
      for message in events.read(bytes) { adapter.deliver(message) }
      expectEnd(on: context.eventLoop)
      if let problem = events.problem {
        isOver = true
        adapter.fail(problem)
      } else if events.isTooLong {
        isOver = true
        adapter.fail("an event of the adapter is longer than \(EventStreamParser.longestEvent) bytes")
      }
    case .end:
      if !isOver { adapter.finish() }
      isOver = true
      context.close(promise: nil)
    }
  }

  func channelInactive(context: ChannelHandlerContext) {
    if !isOver { adapter.fail("the stream of messages of the adapter broke off") }
    isOver = true
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if !isOver { adapter.fail(.GET, error) }
    isOver = true
    context.close(promise: nil)
  }

  /// Starts a timer. If the current event has not ended when the timer fires, notes this for the text of a later
  /// failure.
  private func expectEnd(on loop: any EventLoop) {
    guard !isTimed, !hasNoted, events.unfinished != nil else { return }
    isTimed = true
    loop.assumeIsolated().scheduleTask(in: Self.promptness) { [self] in
      isTimed = false
      guard !isOver, let text = events.unfinished else { return }
      hasNoted = true
      adapter.note(text)
    }
  }

  /// The rest of an event usually arrives within this time after its beginning.
  private static let promptness = TimeAmount.seconds(1)
}

/// Limits the time until an answer begins.
private final class AnswerWait: ChannelInboundHandler {
  typealias InboundIn = HTTPClientResponsePart

  private let adapter: HTTPAdapter
  private let method: HTTPMethod
  private var timers: [Scheduled<Void>] = []

  init(_ adapter: HTTPAdapter, _ method: HTTPMethod) { (self.adapter, self.method) = (adapter, method) }

  func channelActive(context: ChannelHandlerContext) {
    timers = adapter.awaitAnswer(to: method, on: context.channel)
    context.fireChannelActive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    stop()
    context.fireChannelRead(data)
  }

  func channelInactive(context: ChannelHandlerContext) {
    stop()
    context.fireChannelInactive()
  }

  private func stop() {
    for timer in timers { timer.cancel() }
    timers = []
  }
}
