import CLinux
import ConformanceTranscript
import Glibc
import HTTPValues
import NIOCore
import Templates

/// One connection of a mock server: reads requests, plays the replies one after the other, and reports events.
///
/// TCP does not distinguish a client that has finished its requests from a client that has given up: both end their
/// side of the connection (FIN). If no reply waits for the clock or a barrier at that time, the client counts as
/// finished and gets its answer. If its reply waits, the client counts as having left, like an SDK after its timeout,
/// and the connection is closed. A reply to a client that has left would be false evidence of an answer.
final class MockConnection: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private enum Phase {
    case open
    /// The input was refused with an error status; further input of the client is dropped.
    case turnedAway
    /// The connection is being closed.
    case leaving
  }

  /// A request that is being answered.
  private struct Turn {
    var reply: WireReply
    var keepsAlive: Bool
    /// The index of the reply's next action.
    var next = 0
    var hasResponded = false
    var wait = Wait.nothing
  }

  private enum Wait {
    case nothing, write
    /// The reply waits for the clock or a barrier, or never continues. The number distinguishes this wait from earlier
    /// waits.
    case held(Int)
  }

  /// The action that the client must complete within a time limit.
  private enum Patience {
    case head, body
    /// The client reads the answer that is being sent to it.
    case reading
  }

  /// The largest number of unread bytes that the connection keeps while a request is being answered. With more, it
  /// stops reading from the socket.
  private static let pileLimit = 1 << 20
  private static let evidenceLimit = 64 << 10

  let number: Int
  let channel: any Channel
  /// The channel's socket; nil if the channel has none. It is looked up once, since the lookup takes longer than a
  /// check of the socket.
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
  /// Whether the last request was answered and no byte has come since.
  private var isKept = false
  private var closer: TranscriptEntry.Closer?
  /// The action that the client must complete now, and the timer that fires if it takes too long.
  private var patience: (awaited: Patience, end: Scheduled<Void>)?
  /// The number of bytes of requests that the port counts for this connection.
  private var keptBytes = 0

  init(_ port: MockPort, number: Int, _ channel: any Channel, _ socket: NIOBSDSocket.Handle?) {
    self.port = port
    self.number = number
    self.channel = channel
    self.socket = socket
    reader = HTTPMessageReader(.requests, limits: port.options.limits)
  }

  /// Whether the connection is neither receiving nor answering a request.
  var isIdle: Bool { turn == nil && !reader.isInMessage }

  /// Closes the connection. The journal records the kit as the side that ended it.
  func leave() { close(by: .kit) }

  /// Closes the connection if its reply waits and its client has left, even if the loop has not read the end of the
  /// connection yet. Returns whether the connection was closed for this reason.
  func noticeDeparture() -> Bool {
    guard case .held? = turn?.wait, hasClientLeft else { return false }
    close(by: .subject)
    return true
  }

  /// Whether the client has ended its side of the connection, even if the loop has not read its last bytes yet.
  private var hasClientLeft: Bool { socket?.isReady(for: clinux_poll_peer_ended) ?? false }

  /// Whether the loop has yet to read something from the client: bytes, or the end of its side.
  var hasUnread: Bool {
    guard phase != .leaving, !inputEnded, !wantsRead else { return false }
    return socket?.hasInput ?? false
  }
}

// MARK: - Events of the channel

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

  /// Pauses reading while too many unread bytes are kept.
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
  /// Runs all actions that need not wait. Writing often completes at once, so this is a loop and not a recursion.
  private func run() {
    guard !isRunning else { return }
    isRunning = true
    while phase == .open, advance() {}
    isRunning = false
    limitPatience()
    _ = noteKeptBytes()
  }

  /// Reads one request, or performs one action of the reply. Returns false if neither is possible before another event.
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
    // The responder is called before the journal. So when the journal reports the request, the answer to the request is
    // decided. A fault that is healed after this report has already affected the answer.
    let reply = port.responder(record)
    switch reply.request {
    case .asReceived: port.journal(.request(record))
    case .read(let own): port.journal(.request(own))
    case .unnoted: break
    case .malformed(let reason, let octets): port.journal(.malformed(connection: number, reason: reason, octets))
    }
    if let fault = reply.fault { port.journal(.fault(connection: number, kind: fault)) }
    turn = Turn(reply: reply, keepsAlive: record.keepsAlive)
  }

  private func perform(_ action: WireReply.Action) {
    switch action {
    case .bytes(let bytes): write(bytes)
    case .pause(let time):
      // The timer is set before the wait is reported, so that the receiver of the report can move the clock.
      let hold = holds + 1
      let bound = NIOLoopBound(self, eventLoop: port.loop)
      timer = port.clock.schedule(after: time, on: port.loop) { bound.value.pauseEnded(hold) }
      beginHold()
    case .wait(let barrier):
      let hold = holds + 1
      let bound = NIOLoopBound(self, eventLoop: port.loop)
      beginHold()
      // The wait never ends inside this call, because the barrier may be opened on this loop, in the middle of other
      // work.
      barrier.whenOpen { [loop = port.loop] in loop.execute { bound.value.pauseEnded(hold) } }
    case .pending(let pending):
      let hold = holds + 1
      let bound = NIOLoopBound(self, eventLoop: port.loop)
      beginHold()
      pending.whenGiven { [loop = port.loop] reply in loop.execute { bound.value.resume(with: reply, hold) } }
    case .hold:
      beginHold()
      // A client that has finished its requests looks like a client that gave up, and this reply would never end.
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
      // A failed write is followed by the end of the connection.
      if case .write? = turn?.wait { turn?.wait = .nothing }
      run()
    }
  }

  private func beginHold() {
    holds += 1
    turn?.wait = .held(holds)
    port.journal(.held(connection: number))
  }

  /// Continues the reply after the wait with this number. Has no effect if this wait has already ended, which happens
  /// if its timer fires just before it is cancelled.
  private func pauseEnded(_ hold: Int) {
    guard case .held(hold)? = turn?.wait else { return }
    timer = nil
    release()
    run()
  }

  /// Continues with the reply for which the connection has waited. The reply is ignored if the client has left.
  private func resume(with reply: WireReply, _ hold: Int) {
    guard let turn, case .held(hold) = turn.wait else { return }
    self.turn?.reply.actions = turn.reply.actions[..<turn.next] + reply.actions
    self.turn?.reply.response = reply.response
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

  /// Starts the timer that limits the time for the client's next action.
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

  /// Reports the change in the number of kept bytes to the port. Returns whether the bytes that all connections keep
  /// are within the bounds.
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

  /// Closes the connection with RST, by means of SO_LINGER with 0 seconds.
  private func reset() {
    guard let options = channel as? any SocketOptionProvider else { return close(by: .kit) }
    phase = .leaving
    closer = .kit
    options.setSoLinger(linger(l_onoff: 1, l_linger: 0)).assumeIsolated().whenComplete { [channel] _ in
      channel.close(promise: nil)
    }
  }

  /// Reports a request that the connection's end has cut off.
  private func reportUnfinished() {
    guard case .failed(let problem) = reader.finish() else { return }
    reportMalformed(problem, reader.raw)
  }

  /// Reports bytes that are not a request; at most once for each connection.
  private func reportMalformed(_ problem: HTTPProblem, _ bytes: ArraySlice<UInt8>) {
    guard !hasReportedMalformed else { return }
    hasReportedMalformed = true
    let reason = problem.kind == .truncated && closer == .kit ? "\(problem.text), by the mock" : problem.text
    port.journal(.malformed(connection: number, reason: reason, Octets(bytes.prefix(Self.evidenceLimit))))
  }

  /// Answers with the status and the text of the problem. If the connection were closed at once, it would be reset
  /// while the client is still sending, and the answer could be lost. So only the kit's side ends, and further input is
  /// dropped (RFC 9112 §9.6).
  private func turnAway(_ problem: HTTPProblem, _ bytes: ArraySlice<UInt8>, status: Int = 400) {
    phase = .turnedAway
    forgetPatience()
    reportMalformed(problem, bytes)
    closer = inputEnded ? .subject : .kit
    let answer = HTTPResponse.refusal(of: problem, status: status).adding(.ofOrigin(at: .now))
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
