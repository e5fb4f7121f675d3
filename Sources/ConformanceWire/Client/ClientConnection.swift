import NIOCore

/// A connection of a client. The connection passes its input on to the exchange that owns the connection.
final class ClientConnection: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  let channel: any Channel
  /// The channel's socket; nil if the channel has none. Looking up a socket takes longer than checking it for input. So
  /// the socket is looked up only if the initialiser did not receive it, and only at its first use.
  private lazy var socket = toldSocket ?? channel.socket
  private let toldSocket: NIOBSDSocket.Handle?
  /// The exchange that owns the connection; nil for an idle connection.
  var exchange: ClientExchange?

  /// `socket` is the socket of the channel, if the caller knows this socket.
  init(_ channel: any Channel, socket: NIOBSDSocket.Handle? = nil) {
    self.channel = channel
    toldSocket = socket
  }

  /// True if, since the last exchange, the other side has neither sent a byte nor ended the connection. The check
  /// includes input that the loop has not read yet.
  var isFresh: Bool { channel.isActive && !(socket?.hasInput ?? true) }

  /// Whether the socket has input that the event loop has not read, or the other side has ended the connection and the
  /// event loop does not know it yet.
  var hasUnread: Bool { channel.isActive && socket?.hasInput ?? false }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    // Input that arrives without an exchange must not become the answer to the next exchange.
    guard let exchange else { return context.close(promise: nil) }
    exchange.arrived(unwrapInboundIn(data))
  }

  func channelInactive(context: ChannelHandlerContext) { exchange?.inputEnded() }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { exchange?.failed(error) }
}
