import NIOCore

/// A connection of a client. It passes its input on to the exchange that owns it.
final class ClientConnection: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  let channel: any Channel
  /// The channel's socket; nil without one. It is looked up once and on demand unless it was passed in, since the
  /// lookup takes longer than a check of the socket.
  private lazy var socket = toldSocket ?? channel.socket
  private let toldSocket: NIOBSDSocket.Handle?
  /// The exchange that owns the connection; nil for an idle connection.
  var exchange: ClientExchange?

  /// `socket` is the channel's, if the caller knows it.
  init(_ channel: any Channel, socket: NIOBSDSocket.Handle? = nil) {
    self.channel = channel
    toldSocket = socket
  }

  /// Whether no byte has come since the last exchange, and the other side has not ended the connection. The loop may
  /// not have read it yet.
  var isFresh: Bool { channel.isActive && !(socket?.hasInput ?? true) }

  /// Whether there is input, or the end of the other side, that the loop has not read.
  var hasUnread: Bool { channel.isActive && socket?.hasInput ?? false }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    // Input without an exchange must not become the answer to the next one.
    guard let exchange else { return context.close(promise: nil) }
    exchange.arrived(unwrapInboundIn(data))
  }

  func channelInactive(context: ChannelHandlerContext) { exchange?.inputEnded() }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { exchange?.failed(error) }
}
