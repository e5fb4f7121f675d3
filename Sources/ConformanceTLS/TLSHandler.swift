import NIOCore

/// The event with which the next handlers in the pipeline learn that a handshake has succeeded.
struct HandshakeCompleted {}

/// Encrypts and decrypts the bytes of a connection with TLS. The next handlers read and write plain text.
final class TLSHandler: ChannelDuplexHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer
  typealias OutboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private enum Phase {
    case shaking, open
    /// This side has sent its close alert, and waits for the close alert of the other side.
    case leaving
    case over
  }

  private struct Write {
    var bytes: ByteBuffer
    var promise: EventLoopPromise<Void>?
  }

  /// The longest time that this side waits for the other side's close alert after it has sent its own. The wait is
  /// short, because the other side may close without this alert (RFC 8446 §6.1), and a subject without open requests
  /// does not read from its connections.
  private static let farewell = TimeAmount.milliseconds(20)

  private let session: TLSSession
  private var phase = Phase.shaking
  /// The writes in order. The first `flushed` of them may be sent now.
  private var writes: [Write] = []
  private var flushed = 0
  private var hasSaidFarewell = false
  private var hasHeardFarewell = false
  private var leave: EventLoopPromise<Void>?
  private var timer: Scheduled<Void>?

  init(_ session: TLSSession) { self.session = session }
}

// MARK: - Input

extension TLSHandler {
  func handlerAdded(context: ChannelHandlerContext) { if context.channel.isActive { shakeHands(context) } }

  func channelActive(context: ChannelHandlerContext) {
    shakeHands(context)
    context.fireChannelActive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard phase != .over else { return }
    session.take(unwrapInboundIn(data).readableBytesView)
    if phase == .shaking { shakeHands(context) }
    if phase == .open || phase == .leaving { readOn(context) }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case ChannelEvent.inputClosed = event {
      // A client that leaves during a handshake will not finish it.
      if phase == .shaking { return fail(context, .endedEarly) }
      if hasHeardFarewell { return }
    }
    context.fireUserInboundEventTriggered(event)
  }

  func channelInactive(context: ChannelHandlerContext) {
    let problem: TLSProblem? =
      switch phase {
      case .shaking: .endedEarly
      case .open where !hasHeardFarewell: .cut
      case .open, .leaving, .over: nil
      }
    phase = .over
    timer?.cancel()
    if let problem { context.fireErrorCaught(problem) }
    failWrites()
    leave?.succeed()
    leave = nil
    context.fireChannelInactive()
  }

  private func shakeHands(_ context: ChannelHandlerContext) {
    guard phase == .shaking else { return }
    do throws(TLSProblem) {
      let isOver = try session.shakeHands()
      sendOutput(context)
      guard isOver else { return }
      phase = .open
      context.fireUserInboundEventTriggered(HandshakeCompleted())
      sendWrites(context)
    } catch {
      fail(context, error)
    }
  }

  private func readOn(_ context: ChannelHandlerContext) {
    var buffer = context.channel.allocator.buffer(capacity: 0)
    var problem: TLSProblem?
    do throws(TLSProblem) { hasHeardFarewell = try session.read(into: &buffer) || hasHeardFarewell } catch {
      problem = error
    }
    sendOutput(context)
    if buffer.readableBytes > 0, phase == .open { context.fireChannelRead(wrapInboundOut(buffer)) }
    if let problem { return fail(context, problem) }
    if hasHeardFarewell { heardFarewell(context) }
  }

  private func heardFarewell(_ context: ChannelHandlerContext) {
    switch phase {
    case .leaving: closeNow(context)
    case .open:
      let staysOpen = (try? context.channel.syncOptions?.getOption(.allowRemoteHalfClosure)) ?? false
      if staysOpen {
        context.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
      } else {
        end(context, promise: nil)
      }
    case .shaking, .over: break
    }
  }

  /// Sends an alert if TLS defines one for the problem, passes the error to the next handlers, and closes the
  /// connection.
  private func fail(_ context: ChannelHandlerContext, _ problem: TLSProblem) {
    guard phase != .over else { return }
    sendOutput(context)
    phase = .over
    context.fireErrorCaught(problem)
    closeNow(context)
  }
}

// MARK: - Output

extension TLSHandler {
  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard phase == .shaking || phase == .open, !hasSaidFarewell else {
      promise?.fail(ChannelError.outputClosed)
      return
    }
    writes.append(Write(bytes: unwrapOutboundIn(data), promise: promise))
  }

  func flush(context: ChannelHandlerContext) {
    flushed = writes.count
    if phase == .open { sendWrites(context) }
  }

  func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
    switch (mode, phase) {
    case (.all, .open): end(context, promise: promise)
    case (.output, .open):
      sayFarewell(context)
      context.close(mode: .output, promise: promise)
    case (.all, .leaving): leave.setOrCascade(to: promise)
    default:
      if mode == .all { phase = .over }
      context.close(mode: mode, promise: promise)
    }
  }

  private func sendWrites(_ context: ChannelHandlerContext) {
    let ready = writes.prefix(flushed)
    writes.removeFirst(flushed)
    flushed = 0
    for write in ready {
      do throws(TLSProblem) { try session.write(write.bytes.readableBytesView) } catch {
        write.promise?.fail(error)
        return fail(context, error)
      }
      let output = session.output(context.channel.allocator) ?? context.channel.allocator.buffer(capacity: 0)
      context.write(wrapOutboundOut(output), promise: write.promise)
    }
    if !ready.isEmpty { context.flush() }
  }

  private func sendOutput(_ context: ChannelHandlerContext) {
    guard let output = session.output(context.channel.allocator) else { return }
    context.writeAndFlush(wrapOutboundOut(output), promise: nil)
  }

  private func sayFarewell(_ context: ChannelHandlerContext) {
    guard !hasSaidFarewell else { return }
    sendWrites(context)
    guard phase == .open else { return }
    hasSaidFarewell = true
    session.end()
    sendOutput(context)
  }

  private func end(_ context: ChannelHandlerContext, promise: EventLoopPromise<Void>?) {
    sayFarewell(context)
    guard phase == .open else {
      context.close(promise: promise)
      return
    }
    phase = .leaving
    leave.setOrCascade(to: promise)
    if hasHeardFarewell { return closeNow(context) }
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    timer = context.eventLoop.scheduleTask(in: Self.farewell) {
      let (handler, context) = bound.value
      if handler.phase == .leaving { handler.closeNow(context) }
    }
  }

  private func closeNow(_ context: ChannelHandlerContext) {
    phase = .over
    timer?.cancel()
    let promise = leave
    leave = nil
    context.close(promise: promise)
  }

  private func failWrites() {
    let left = writes
    writes = []
    flushed = 0
    for write in left { write.promise?.fail(ChannelError.ioOnClosedChannel) }
  }
}
