import NIOCore

/// The connection to an adapter that the kit has not started. It is used only on the event loop of the carriers.
protocol AdapterConnection: AnyObject {
  /// Sends a command. `line` has no line end.
  func send(_ line: ByteBuffer)
  /// Ends the connection, either after a `shutdown` command or (`isKill`) because the kit has killed the relay.
  func end(isKill: Bool)
  /// Decides whether messages are read from the adapter. The kit does not read while it has too many unprocessed
  /// messages.
  func setReading(_ isReading: Bool)
}

/// Connects relays with adapters. All calls are made on the event loop of the carriers.
protocol Carrier: AnyObject {
  /// Connects a relay with an adapter, now or when an adapter is available.
  func connect(_ relay: RelayConnection)
  /// Forgets a relay that has ended before it was connected.
  func forget(_ relay: RelayConnection)
  /// Completes once an adapter can be connected.
  func arrival() -> EventLoopFuture<Void>
  /// Closes the connections to adapters that wait for a relay, and ends the app that the kit has started.
  func close() -> EventLoopFuture<Void>
}

/// The carrier's end of the connection to a ``Relay``. It splits the bytes that the kit sends to the adapter into
/// lines, and forwards the adapter's messages to the kit.
final class RelayConnection: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let key: [UInt8]
  private let carrier: any Carrier
  private var context: ChannelHandlerContext?
  private var received = ByteBuffer()
  private var line = ByteBuffer()
  private var isKnown = false
  private var hasEnded = false
  /// Lines for an adapter that is not connected yet.
  private var waiting: [ByteBuffer] = []
  private var adapter: (any AdapterConnection)?

  init(key: [UInt8], carrier: any Carrier) {
    self.key = key
    self.carrier = carrier
  }

  func handlerAdded(context: ChannelHandlerContext) { self.context = context }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var piece = unwrapInboundIn(data)
    received.writeBuffer(&piece)
    guard isKnown || greet(context) else { return }
    while let frame = RelayFrame.read(from: &received) {
      switch frame {
      case .bytes(let bytes): split(bytes)
      case .end: end(isKill: false)
      case .failure, .log: break
      }
    }
    received.discardReadBytes()
  }

  /// Checks the key with which the connection begins. Other programs on this machine do not know the key.
  private func greet(_ context: ChannelHandlerContext) -> Bool {
    guard received.readableBytes >= key.count else { return false }
    guard received.readBytes(length: key.count) == key else {
      context.close(promise: nil)
      return false
    }
    isKnown = true
    carrier.connect(self)
    return true
  }

  private func split(_ bytes: ByteBuffer) {
    var bytes = bytes
    while let end = bytes.readableBytesView.firstIndex(of: UInt8(ascii: "\n")) {
      var rest = bytes.readSlice(length: end - bytes.readerIndex) ?? ByteBuffer()
      bytes.moveReaderIndex(forwardBy: 1)
      line.writeBuffer(&rest)
      send(line)
      line = ByteBuffer()
    }
    line.writeBuffer(&bytes)
  }

  private func send(_ line: ByteBuffer) {
    if let adapter { adapter.send(line) } else { waiting.append(line) }
  }

  func channelWritabilityChanged(context: ChannelHandlerContext) {
    adapter?.setReading(context.channel.isWritable)
    context.fireChannelWritabilityChanged()
  }

  func channelInactive(context: ChannelHandlerContext) {
    end(isKill: true)
    self.context = nil
  }

  private func end(isKill: Bool) {
    guard isKnown, !hasEnded else { return }
    hasEnded = true
    if let adapter { adapter.end(isKill: isKill) } else { carrier.forget(self) }
    adapter = nil
    context?.close(promise: nil)
  }
}

/// The functions that an ``AdapterConnection`` calls.
extension RelayConnection {
  /// Connects the relay with an adapter, and sends the adapter the lines that the kit has already written.
  func take(_ adapter: any AdapterConnection) {
    self.adapter = adapter
    for line in waiting { adapter.send(line) }
    waiting = []
  }

  /// Forwards a message of the adapter to the kit.
  func deliver(_ message: ByteBuffer) {
    var line = message
    line.writeInteger(UInt8(ascii: "\n"))
    write(.bytes(line))
  }

  /// Adds a sentence to the evidence, and to the text of a later failure.
  func note(_ text: String) { write(.log(text)) }

  /// Notes which device has connected.
  func note(device: String) { note("the adapter is connected: \(device)") }

  /// Ends the relay with exit code 0: the adapter has ended the connection properly.
  func finish() { close(with: nil) }

  /// Ends the relay with exit code 1 and a reason. The connection is lost, or the adapter breaks the rules of HTTP or
  /// WebSockets.
  func fail(_ reason: String) { close(with: .failure(reason)) }

  private func close(with last: RelayFrame?) {
    guard !hasEnded else { return }
    hasEnded = true
    adapter = nil
    if let last { write(last) }
    context?.close(promise: nil)
  }

  private func write(_ frame: RelayFrame) {
    guard let context else { return }
    var buffer = context.channel.allocator.buffer(capacity: 256)
    frame.write(into: &buffer)
    context.writeAndFlush(wrapOutboundOut(buffer), promise: nil)
  }
}
