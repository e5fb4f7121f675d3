import NIOCore

/// The connection to an adapter that runs elsewhere. It lives on the event loop of the carriers.
protocol AdapterConnection: AnyObject {
  /// Sends a command: the line without its end.
  func send(_ line: ByteBuffer)
  /// Ends the connection. The adapter was asked to end before, or its process counts as killed.
  func end(isKill: Bool)
  /// Whether messages are taken from the adapter; false while the kit has not processed earlier ones.
  func setReading(_ isReading: Bool)
}

/// A carrier: it connects relays with adapters. It is called on the event loop of the carriers.
protocol Carrier: AnyObject {
  /// Connects a relay with an adapter, at once or later.
  func connect(_ relay: RelayConnection)
  /// The relay has ended before it was connected.
  func forget(_ relay: RelayConnection)
  /// Completes once an adapter can be connected.
  func arrival() -> EventLoopFuture<Void>
  /// Ends the relay that waits, and the session that was started.
  func close() -> EventLoopFuture<Void>
}

/// The kit's end of the connection to a ``Relay``: it splits what the kit sends to the adapter into lines, and passes on
/// what the adapter sends.
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

  /// Checks the key that comes first. Another program of this machine does not know it.
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

/// The reports of the carrier of an adapter.
extension RelayConnection {
  /// The adapter is connected. The lines that the kit has sent meanwhile go out.
  func take(_ adapter: any AdapterConnection, from device: String) {
    self.adapter = adapter
    write(.log("the adapter is connected: \(device)"))
    for line in waiting { adapter.send(line) }
    waiting = []
  }

  /// A message of the adapter.
  func deliver(_ message: ByteBuffer) {
    var line = message
    line.writeInteger(UInt8(ascii: "\n"))
    write(.bytes(line))
  }

  /// The adapter has ended the connection as a program exits with 0.
  func finish() { close(with: nil) }

  /// The connection is lost, or the adapter uses it in a wrong way.
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
