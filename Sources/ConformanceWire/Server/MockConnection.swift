import CLinux
import ConformanceModel
import Glibc
import NIOCore

/// One connection of a mock server: reads requests, plays the replies one after the other, reports what happens.
///
/// A client that ends its side (FIN) while nothing waits has only finished asking: it gets its answer. A client that
/// ends its side while its reply waits has given up, as an SDK does whose timeout is over: the wait ends there. TCP does
/// not tell the two apart, and a reply to somebody who left would be evidence of an answer that nobody got.
final class MockConnection: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private enum Phase {
    case open
    /// A 400 is out; what the client still sends is thrown away.
    case turnedAway
    /// The connection is being closed.
    case leaving
  }

  /// A request that is being answered.
  private struct Turn {
    var reply: WireReply
    var keepsAlive: Bool
    /// The next action.
    var next = 0
    var hasResponded = false
    var wait = Wait.nothing
  }

  private enum Wait {
    case nothing, write
    /// For the clock, or for ever.
    case held(Int)
  }

  /// What the client is waited for, for so long and no longer.
  private enum Patience {
    case head, body
    /// That the client reads its answer.
    case reading
  }

  /// How much may pile up behind a request that is being answered.
  private static let pileLimit = 1 << 20
  private static let evidenceLimit = 64 << 10

  let number: Int
  let channel: any Channel
  /// The channel's socket, asked for once: that takes a channel longer than to look at it. nil for one without.
  private let socket: NIOBSDSocket.Handle?
  private let port: MockPort
  private var reader: HTTPMessageReader
  private var phase = Phase.open
  private var turn: Turn?
  private var timer: WireTimer?
  private var holds = 0
  private var inputEnded = false
  private var wantsRead = false
  private var isRunning = false
  private var hasConnected = false
  private var hasReportedMalformed = false
  /// Whether the last request was answered and nothing has come since.
  private var isKept = false
  private var closer: TranscriptEntry.Closer?
  /// What the client is waited for within bounds, and what ends that.
  private var patience: (awaited: Patience, end: Scheduled<Void>)?
  /// How many bytes of requests the port knows to be kept here.
  private var keptBytes = 0

  init(_ port: MockPort, number: Int, _ channel: any Channel, _ socket: NIOBSDSocket.Handle?) {
    self.port = port
    self.number = number
    self.channel = channel
    self.socket = socket
    reader = HTTPMessageReader(.requests, limits: port.options.limits)
  }

  /// Whether no request has begun to arrive or is being answered.
  var isIdle: Bool { turn == nil && !reader.isInMessage }

  /// Closes the connection from our side.
  func leave() { close(by: .kit) }

  /// Ends the wait of a client that has left, though the loop has not come to look at its connection yet; whether it has.
  func noticeDeparture() -> Bool {
    guard case .held? = turn?.wait, hasClientLeft else { return false }
    close(by: .subject)
    return true
  }

  /// Whether the client's side has ended, with bytes that nobody has read yet or without.
  private var hasClientLeft: Bool { socket?.isReady(for: clinux_poll_peer_ended) ?? false }

  /// Whether the client has sent something, or ended its side, that the loop is going to read and has not read.
  var hasUnread: Bool {
    guard phase != .leaving, !inputEnded, !wantsRead else { return false }
    return socket?.hasInput ?? false
  }
}

// MARK: - What the channel reports

extension MockConnection {
  func channelActive(context: ChannelHandlerContext) {
    hasConnected = true
    port.journal(.connected(connection: number))
    limitPatience()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard phase == .open else { return }
    isKept = false
    unwrapInboundIn(data).withUnsafeReadableBytes { reader.append($0) }
    guard noteKeptBytes() else {
      reader.discard()
      _ = noteKeptBytes()
      return turnAway(.tooLarge("requests under way have too many bytes together"), [], status: 503)
    }
    run()
  }

  /// Reading pauses while too much piles up.
  func read(context: ChannelHandlerContext) {
    if turn != nil, reader.unreadCount > Self.pileLimit { wantsRead = true } else { context.read() }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    guard case ChannelEvent.inputClosed = event else { return }
    inputEnded = true
    if phase == .turnedAway { return close(by: .subject) }
    if case .held? = turn?.wait { return close(by: .subject) }
    run()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { close(by: .subject) }

  func channelInactive(context: ChannelHandlerContext) {
    timer?.cancel()
    timer = nil
    forgetPatience()
    if turn != nil {
      release()
      conclude()
    } else {
      reportUnfinished()
    }
    phase = .leaving
    if hasConnected { port.journal(.closed(connection: number, by: closer ?? .subject, isIdle: isKept)) }
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    _ = port.keep(-keptBytes)
    keptBytes = 0
    port.removed(self)
  }
}

// MARK: - Requests and replies

extension MockConnection {
  /// Does all that can be done now. Writing often completes at once, so this is a loop and not a recursion.
  private func run() {
    guard !isRunning else { return }
    isRunning = true
    while phase == .open, advance() {}
    isRunning = false
    limitPatience()
    _ = noteKeptBytes()
  }

  /// One step; false when something must happen first.
  private func advance() -> Bool {
    guard let turn else { return readRequest() }
    guard case .nothing = turn.wait else { return false }
    guard turn.next < turn.reply.actions.count else {
      finish(turn)
      return true
    }
    self.turn?.next += 1
    perform(turn.reply.actions[turn.next])
    return true
  }

  private func readRequest() -> Bool {
    switch inputEnded ? reader.finish() : reader.next() {
    case .needsMore:
      if inputEnded { close(by: .subject) }
      return false
    case .expectsContinue: channel.writeAndFlush(ByteBuffer(string: "HTTP/1.1 100 Continue\r\n\r\n"), promise: nil)
    case .message(let message): receive(message)
    case .failed(let problem): turnAway(problem, reader.raw)
    }
    return true
  }

  private func receive(_ message: HTTPMessage) {
    if let problem = message.hostProblem { return turnAway(problem, ArraySlice(message.head + message.body)) }
    let record = RequestRecord(
      connection: number, line: message.line, headers: message.headers, body: Octets(message.body))
    forgetPatience()
    // Whoever hears of the request can count on its answer: a fault that is healed now has fired.
    let reply = port.responder(record)
    port.journal(.request(record))
    if let fault = reply.fault { port.journal(.fault(connection: number, kind: fault)) }
    turn = Turn(reply: reply, keepsAlive: record.keepsAlive)
  }

  private func perform(_ action: WireReply.Action) {
    switch action {
    case .bytes(let bytes): write(bytes)
    case .pause(let time):
      // The timer stands before the wait is reported, so that whoever hears of it can move the clock.
      let hold = holds + 1
      let bound = NIOLoopBound(self, eventLoop: port.loop)
      timer = port.clock.schedule(after: time, on: port.loop) { bound.value.pauseEnded(hold) }
      beginHold()
    case .wait(let barrier):
      let hold = holds + 1
      let bound = NIOLoopBound(self, eventLoop: port.loop)
      beginHold()
      // Never at once: whoever opens the barrier may stand on this loop, in the middle of something else.
      barrier.whenOpen { [loop = port.loop] in loop.execute { bound.value.pauseEnded(hold) } }
    case .hold:
      beginHold()
      // Whoever has finished asking cannot be told from one who gave up; there is nothing to wait for.
      if inputEnded { close(by: .subject) }
    case .close: close(by: .kit)
    case .reset: reset()
    }
  }

  private func finish(_ turn: Turn) {
    conclude()
    guard turn.keepsAlive, port.keepsConnections else { return close(by: .kit) }
    isKept = !reader.isInMessage
    port.journal(.kept(connection: number))
    if wantsRead {
      wantsRead = false
      channel.read()
    }
  }

  private func write(_ bytes: [UInt8]) {
    if let turn, !turn.hasResponded, !bytes.isEmpty {
      self.turn?.hasResponded = true
      if let response = turn.reply.response { report(response) }
    }
    turn?.wait = .write
    channel.writeAndFlush(ByteBuffer(bytes: bytes)).assumeIsolated().whenComplete { [self] _ in
      // A write that failed is followed by the end of the connection.
      if case .write? = turn?.wait { turn?.wait = .nothing }
      run()
    }
  }

  private func beginHold() {
    holds += 1
    turn?.wait = .held(holds)
    port.journal(.held(connection: number))
  }

  /// An action that was already on its way when its timer was cancelled finds another hold, or none.
  private func pauseEnded(_ hold: Int) {
    guard case .held(hold)? = turn?.wait else { return }
    timer = nil
    release()
    run()
  }

  private func release() {
    guard case .held? = turn?.wait else { return }
    turn?.wait = .nothing
    port.journal(.released(connection: number))
  }

  private func conclude() {
    turn = nil
    port.journal(.concluded(connection: number))
  }

  private func report(_ response: ResponseRecord) {
    var response = response
    response.connection = number
    port.journal(.response(response))
  }
}

// MARK: - Bounds of a service

extension MockConnection {
  private var awaited: Patience? {
    guard phase == .open else { return nil }
    guard let turn else { return reader.isInBody ? .body : .head }
    if case .write = turn.wait { return .reading }
    return nil
  }

  /// Waits from now on for what the client has to do next.
  private func limitPatience() {
    guard let bounds = port.options.bounds, self.awaited != patience?.awaited else { return }
    forgetPatience()
    guard let awaited else { return }
    let bound = NIOLoopBound(self, eventLoop: port.loop)
    let limit = awaited == .head ? bounds.head : bounds.body
    let end = port.loop.scheduleTask(in: TimeAmount(limit)) { bound.value.patienceEnded(awaited, after: limit) }
    patience = (awaited, end)
  }

  private func forgetPatience() {
    patience?.end.cancel()
    patience = nil
  }

  private func patienceEnded(_ awaited: Patience, after limit: Duration) {
    guard patience?.awaited == awaited else { return }
    patience = nil
    guard awaited != .reading, reader.isInMessage else { return close(by: .kit) }
    let part = awaited == .head ? "head" : "body"
    turnAway(HTTPProblem(.truncated, "the \(part) of the request took longer than \(limit)"), reader.raw, status: 408)
  }

  /// Tells the port how many bytes are kept here; whether that is within the bounds.
  private func noteKeptBytes() -> Bool {
    let more = reader.keptCount - keptBytes
    keptBytes += more
    return port.keep(more)
  }
}

// MARK: - Ends

extension MockConnection {
  private func close(by closer: TranscriptEntry.Closer) {
    guard phase != .leaving else { return }
    phase = .leaving
    if self.closer == nil { self.closer = closer }
    channel.close(promise: nil)
  }

  /// SO_LINGER with 0 seconds makes closing send RST.
  private func reset() {
    guard let options = channel as? any SocketOptionProvider else { return close(by: .kit) }
    phase = .leaving
    closer = .kit
    options.setSoLinger(linger(l_onoff: 1, l_linger: 0)).assumeIsolated().whenComplete { [channel] _ in
      channel.close(promise: nil)
    }
  }

  /// Reports a request that has begun and will not end.
  private func reportUnfinished() {
    guard case .failed(let problem) = reader.finish() else { return }
    reportMalformed(problem, reader.raw)
  }

  /// Reports bytes that form no request, once.
  private func reportMalformed(_ problem: HTTPProblem, _ bytes: ArraySlice<UInt8>) {
    guard !hasReportedMalformed else { return }
    hasReportedMalformed = true
    let reason = problem.kind == .truncated && closer == .kit ? "\(problem.text), by the mock" : problem.text
    port.journal(.malformed(connection: number, reason: reason, Octets(bytes.prefix(Self.evidenceLimit))))
  }

  /// Answers with the status and the reason. Closing at once would reset the connection while the client is still sending, and
  /// the answer could be lost: so only our side ends, and the rest of its bytes are thrown away (RFC 9112 §9.6).
  private func turnAway(_ problem: HTTPProblem, _ bytes: ArraySlice<UInt8>, status: Int = 400) {
    phase = .turnedAway
    forgetPatience()
    reportMalformed(problem, bytes)
    closer = inputEnded ? .subject : .kit
    let answer = HTTPResponse(
      status: status, headers: ["Content-Type": "text/plain; charset=utf-8", "Date": Timestamp.now.httpDate],
      body: Array((problem.text + "\n").utf8))
    let response = WireResponse(answer, method: "GET", keepsAlive: false)
    report(response.record)
    let bound = NIOLoopBound(self, eventLoop: port.loop)
    let task = port.loop.scheduleTask(in: TimeAmount(port.options.farewell)) { bound.value.close(by: .kit) }
    timer = WireTimer { task.cancel() }
    channel.writeAndFlush(ByteBuffer(bytes: response.bytes)).assumeIsolated().whenComplete { [self] _ in
      if inputEnded { close(by: .subject) } else { channel.close(mode: .output, promise: nil) }
    }
  }
}
