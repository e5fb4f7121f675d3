import NIOCore
import NIOWebSocket

/// An adapter that has opened a WebSocket to the kit. A text message is one line of the adapter protocol.
final class WebSocketAdapter: ChannelInboundHandler, AdapterConnection {
  typealias InboundIn = WebSocketFrame
  typealias OutboundOut = WebSocketFrame

  /// The longest message, in bytes. It is longer than the longest line that the adapter protocol allows. So a longer
  /// line still reaches the kit, which reports the breach.
  static let longestMessage = 16 << 20
  /// The largest number of fragments of a message.
  static let mostFragments = 1 << 14
  /// The time within which an adapter must answer a close frame.
  private static let farewell = TimeAmount.seconds(1)

  /// Why the kit closes a WebSocket. The reason determines the code and the text of the close frame.
  enum Closing {
    case done, killed, refused, breach(WebSocketErrorCode, String)

    fileprivate var code: WebSocketErrorCode {
      switch self {
      case .done: .normalClosure
      case .killed: .unknown(4000)
      case .refused: .unknown(1013)
      case .breach(let code, _): code
      }
    }

    fileprivate var text: String {
      switch self {
      case .done: "the app has ended"
      case .killed: "the kit kills the app: drop all of it but its storage, and connect again"
      case .refused: "enough adapters are connected; close the other page, or raise --jobs"
      case .breach(_, let text): text
      }
    }
  }

  /// The address of the adapter, and its `User-Agent`.
  let device: String
  private weak var carrier: WebSocketCarrier?
  private var context: ChannelHandlerContext?
  private var relay: RelayConnection?
  /// The messages that the adapter has sent before a relay was connected with it.
  private var early: [ByteBuffer] = []
  private var isClosing = false

  init(device: String, carrier: WebSocketCarrier) {
    self.device = device
    self.carrier = carrier
  }

  /// Starts to exchange messages with a relay.
  func serve(_ relay: RelayConnection) {
    self.relay = relay
    relay.note(device: device)
    relay.take(self)
    for message in early { relay.deliver(message) }
    early = []
  }

  func handlerAdded(context: ChannelHandlerContext) {
    self.context = context
    carrier?.add(self)
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let frame = unwrapInboundIn(data)
    switch frame.opcode {
    case .text: deliver(frame.unmaskedData)
    case .binary:
      breach(.unacceptableData, "the adapter sent a binary WebSocket message; expected text messages, one line each")
    case .ping: write(.pong, frame.unmaskedData)
    case .connectionClose: hearClose(frame.unmaskedData)
    default: break
    }
  }

  private func deliver(_ message: ByteBuffer) {
    if let relay { relay.deliver(message) } else { early.append(message) }
    if early.count > 1 { breach(.policyViolation, "the adapter sent messages although it has no command") }
  }

  private func hearClose(_ payload: ByteBuffer) {
    leave()
    var payload = payload
    guard payload.readableBytes != 1 else {
      return breach(
        .protocolError, "the adapter's close frame has a payload of one byte; expected none, or a code of two bytes")
    }
    let code: UInt16? = payload.readInteger()
    if let code, !Self.codes.contains(where: { $0.contains(code) }) {
      return breach(
        .protocolError,
        "the adapter closed its WebSocket with code \(code), which no close frame may have (RFC 6455 §7.4); expected 1000"
      )
    }
    let reason = String(buffer: payload)
    if !isClosing { write(.connectionClose, code.map { ByteBuffer(integer: $0) } ?? ByteBuffer()) }
    if code == 1000 {
      relay?.finish()
    } else {
      let words = reason.isEmpty ? "" : ", \"\(reason)\""
      let meaning = code == 1001 ? ": its page was left or loaded again" : ""
      let form = code.map { "with code \($0)" } ?? "without a code, and 1000 is the code of a normal end"
      relay?.fail("the adapter closed its WebSocket \(form)\(words)\(meaning)")
    }
    relay = nil
    context?.close(promise: nil)
  }

  /// The ranges of codes that a close frame may contain (RFC 6455 §7.4).
  private static let codes: [ClosedRange<UInt16>] = [1000...1003, 1007...1014, 3000...4999]

  func channelInactive(context: ChannelHandlerContext) {
    relay?.fail("the connection of the adapter's WebSocket was lost")
    relay = nil
    self.context = nil
    leave()
  }

  /// Stops counting the adapter as connected. The app may connect again before this connection is closed.
  private func leave() {
    carrier?.remove(self)
    carrier = nil
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if error is IOError {
      relay?.fail("the connection of the adapter's WebSocket was lost: \(SocketReason.text(error))")
      relay = nil
      return context.close(promise: nil)
    }
    let (code, text) = Self.fault(error)
    breach(code, text)
  }

  /// The code of the close frame, and a sentence for people, for an error that NIO found in a frame.
  private static func fault(_ error: any Error) -> (WebSocketErrorCode, String) {
    typealias Joining = NIOWebSocketFrameAggregator.Error
    let what = "a WebSocket frame of the adapter"
    return switch error {
    case NIOWebSocketError.invalidFrameLength, Joining.accumulatedFrameSizeIsTooLarge:
      (.messageTooLarge, "a WebSocket message of the adapter is longer than \(longestMessage) bytes")
    case Joining.tooManyFragments:
      (.messageTooLarge, "a WebSocket message of the adapter has more than \(mostFragments) fragments")
    case Joining.receivedNewFrameWithoutFinishingPrevious:
      (
        .protocolError,
        "\(what) begins a message before the message before it has ended; expected its last fragment first"
      )
    case Joining.didReceiveFragmentBeforeReceivingTextOrBinaryFrame:
      (.protocolError, "\(what) continues a message that has not begun; expected a text frame first")
    case NIOWebSocketError.fragmentedControlFrame:
      (.protocolError, "a ping, pong or close frame of the adapter is a fragment; expected it in one frame")
    case NIOWebSocketError.multiByteControlFrameLength:
      (.protocolError, "a ping, pong or close frame of the adapter has more than 125 bytes")
    case let fault as FrameCheck.Fault: (.protocolError, "\(what) \(fault.text)")
    default: (.protocolError, "the kit cannot read \(what): \(SocketReason.text(error))")
    }
  }

  private func breach(_ code: WebSocketErrorCode, _ text: String) {
    relay?.fail(text)
    relay = nil
    close(.breach(code, text))
  }

  /// Sends a close frame. Closes the connection if the adapter does not answer the frame.
  func close(_ closing: Closing) {
    guard !isClosing, let context else { return }
    isClosing = true
    leave()
    var payload = ByteBuffer()
    payload.write(webSocketErrorCode: closing.code)
    // A control frame has at most 125 bytes.
    payload.writeBytes(Array(closing.text.utf8.prefix(120)))
    write(.connectionClose, payload)
    let channel = context.channel
    context.eventLoop.scheduleTask(in: Self.farewell) { channel.close(promise: nil) }
  }

  private func write(_ opcode: WebSocketOpcode, _ data: ByteBuffer) {
    guard let context else { return }
    context.writeAndFlush(wrapOutboundOut(WebSocketFrame(fin: true, opcode: opcode, data: data)), promise: nil)
  }

  func send(_ line: ByteBuffer) { write(.text, line) }

  func end(isKill: Bool) {
    relay = nil
    close(isKill ? .killed : .done)
  }

  func setReading(_ isReading: Bool) {
    context?.channel.setOption(.autoRead, value: isReading).whenFailure { _ in }
  }
}

/// Refuses frames that a client must not send: frames without a mask (RFC 6455 §5.1), and frames with a reserved bit or
/// a reserved opcode (§5.2). It comes before the handler that joins fragments.
final class FrameCheck: ChannelInboundHandler {
  typealias InboundIn = WebSocketFrame

  /// A problem of a frame. `text` is the end of a sentence, and the caller adds a beginning that names the frame.
  struct Fault: Error { var text: String }

  private static let known: [WebSocketOpcode] = [.continuation, .text, .binary, .connectionClose, .ping, .pong]

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if let fault = Self.fault(of: unwrapInboundIn(data)) {
      context.fireErrorCaught(fault)
    } else {
      context.fireChannelRead(data)
    }
  }

  private static func fault(of frame: WebSocketFrame) -> Fault? {
    if frame.maskKey == nil { return Fault(text: "is not masked; expected a mask in each frame of a client") }
    if frame.rsv1 || frame.rsv2 || frame.rsv3 {
      return Fault(text: "has a reserved bit; expected none, because no extension, such as compression, was agreed on")
    }
    guard !known.contains(frame.opcode) else { return nil }
    return Fault(
      text: "has the reserved opcode \(UInt8(webSocketOpcode: frame.opcode)); expected text, ping, pong or close")
  }
}
