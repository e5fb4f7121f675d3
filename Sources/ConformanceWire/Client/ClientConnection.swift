import NIOCore

/// A connection of a client: hands what comes out of it to the exchange that has it now.
final class ClientConnection: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  let channel: any Channel
  /// The channel's socket, asked for once and where it is needed, unless it was told: that takes a channel longer than to
  /// look at it. nil for one without.
  private lazy var socket = toldSocket ?? channel.socket
  private let toldSocket: NIOBSDSocket.Handle?
  /// nil while nobody has it.
  var exchange: ClientExchange?

  /// `socket` is the channel's, where the caller knows it.
  init(_ channel: any Channel, socket: NIOBSDSocket.Handle? = nil) {
    self.channel = channel
    toldSocket = socket
  }

  /// Whether nothing came since its last exchange, its end included: the loop may not have looked yet.
  var isFresh: Bool { channel.isActive && !(socket?.hasInput ?? true) }

  /// Whether something has come, or the other side ended, that the loop has not read.
  var hasUnread: Bool { channel.isActive && socket?.hasInput ?? false }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    // What nobody asked for is no answer to who comes next.
    guard let exchange else { return context.close(promise: nil) }
    exchange.arrived(unwrapInboundIn(data))
  }

  func channelInactive(context: ChannelHandlerContext) { exchange?.inputEnded() }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { exchange?.failed(error) }
}
