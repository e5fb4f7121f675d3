import Glibc
import NIOCore
import NIOPosix

@testable import ConformanceTLS

/// A server that sends fixed bytes to every client and knows nothing of HTTP.
struct RawServer {
  /// The end of a connection after the bytes.
  enum Ending: Sendable {
    case close, reset, stay
    /// Closes TCP without the close alert of TLS.
    case cut
  }

  let channel: any Channel

  var port: Int { channel.localAddress?.port ?? 0 }

  /// Sends `bytes` when something has arrived, or at once, and then ends the connection.
  static func start(
    _ bytes: [UInt8], then ending: Ending = .close, atOnce: Bool = false, tls: TLSSettings? = nil
  ) async throws -> RawServer {
    let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          if let tls { try channel.pipeline.syncOperations.addHandler(TLSHandler(TLSSession(tls))) }
          try channel.pipeline.syncOperations.addHandler(Player(bytes, ending, atOnce: atOnce))
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    return RawServer(channel: channel)
  }

  func stop() async throws { try await channel.close() }

  private final class Player: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let bytes: [UInt8]
    private let ending: Ending
    private let atOnce: Bool
    private var hasPlayed = false

    init(_ bytes: [UInt8], _ ending: Ending, atOnce: Bool) {
      self.bytes = bytes
      self.ending = ending
      self.atOnce = atOnce
    }

    func channelActive(context: ChannelHandlerContext) { if atOnce { play(context) } }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) { play(context) }

    private func play(_ context: ChannelHandlerContext) {
      guard !hasPlayed else { return }
      hasPlayed = true
      let channel = context.channel
      // Closing below TLS leaves out its own farewell.
      let tls = try? channel.pipeline.syncOperations.context(handlerType: TLSHandler.self)
      channel.writeAndFlush(ByteBuffer(bytes: bytes)).assumeIsolated().whenComplete { [ending] _ in
        switch ending {
        case .stay: break
        case .close: channel.close(promise: nil)
        case .reset:
          (channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0)).assumeIsolated()
            .whenComplete { _ in if let tls { tls.close(promise: nil) } else { channel.close(promise: nil) } }
        case .cut: (tls ?? context).close(promise: nil)
        }
      }
    }
  }
}
