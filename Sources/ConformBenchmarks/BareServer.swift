import NIOCore
import NIOHTTP1
import NIOPosix

/// A server that does as little as possible. Benchmarks use it to measure lower bounds. It is the HTTP pipeline of NIO
/// with a handler that gives the same answer to each request.
struct BareServer {
  let port: Int
  private let channel: any Channel

  init(_ group: any EventLoopGroup, body: [UInt8]) async throws {
    channel = try await ServerBootstrap(group: group)
      .serverChannelOption(.backlog, value: 256)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.configureHTTPServerPipeline()
          try channel.pipeline.syncOperations.addHandler(BareHandler(ByteBuffer(bytes: body)))
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    port = channel.localAddress?.port ?? 0
  }

  func stop() async throws { try await channel.close() }
}

private final class BareHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let body: ByteBuffer

  init(_ body: ByteBuffer) { self.body = body }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .end = unwrapInboundIn(data) else { return }
    let headers: HTTPHeaders = ["Content-Type": "application/json", "Content-Length": "\(body.readableBytes)"]
    context.write(wrapOutboundOut(.head(.init(version: .http1_1, status: .ok, headers: headers))), promise: nil)
    context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
  }
}
