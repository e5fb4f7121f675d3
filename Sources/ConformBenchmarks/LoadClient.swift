import NIOCore
import NIOPosix

/// Sends the same request over kept-alive connections. On each connection it waits for the answer before the next
/// request.
///
/// It reads as little of an answer as possible, so that the benchmark measures the server.
struct LoadClient {
  /// The event loop of all connections of this client.
  let loop: any EventLoop
  let connections: Int
  /// The number of requests after which the client opens a new connection; nil to use the same connection for all
  /// requests.
  var requestsOfConnection: Int?
  let request: [UInt8]
  /// The bytes with which every answer ends. The client recognises the end of the first answer by them.
  let answer: [UInt8]

  /// Sends this number of requests, or fewer if the time limit is reached. Returns the rate of answered requests per
  /// second.
  func rate(port: Int, requests: Int, within limit: TimeAmount = .seconds(10)) async throws -> Double {
    let start = ContinuousClock.now
    let answered = try await answers(port: port, requests: requests, within: limit)
    return Double(answered) / (ContinuousClock.now - start).seconds
  }

  /// Sends `requests` requests, an equal number on each connection. Throws if a request is not answered within the
  /// limit.
  func sendAll(port: Int, requests: Int, within limit: TimeAmount = .seconds(60)) async throws {
    let answered = try await answers(port: port, requests: requests, within: limit)
    guard answered == requests / connections * connections else {
      throw BenchFailure("the server under load: \(answered) of \(requests) requests were answered in time")
    }
  }

  private func answers(port: Int, requests: Int, within limit: TimeAmount) async throws -> Int {
    let deadline = NIODeadline.now() + limit
    let counts = (0..<connections).map { _ in line(port, requests / connections, deadline) }
    return try await EventLoopFuture.whenAllSucceed(counts, on: loop).get().reduce(0, +)
  }

  /// Opens one connection after the other until `requests` requests are answered, a connection ends early or the
  /// deadline is over. Returns the number of answered requests.
  private func line(_ port: Int, _ requests: Int, _ deadline: NIODeadline) -> EventLoopFuture<Int> {
    let first = min(requests, requestsOfConnection ?? requests)
    return connect(port, first, deadline).flatMap { answered in
      guard answered == first, first < requests, NIODeadline.now() < deadline else {
        return loop.makeSucceededFuture(answered)
      }
      return line(port, requests - first, deadline).map { $0 + answered }
    }
  }

  /// Opens one connection and sends `requests` requests. Returns the number of answered requests.
  private func connect(_ port: Int, _ requests: Int, _ deadline: NIODeadline) -> EventLoopFuture<Int> {
    let count = loop.makePromise(of: Int.self)
    ClientBootstrap(group: loop)
      .channelInitializer { [request, answer] channel in
        channel.eventLoop.makeCompletedFuture {
          let connection = LoadConnection(request, answer, requests, count)
          try channel.pipeline.syncOperations.addHandler(connection)
        }
      }
      .connect(host: "127.0.0.1", port: port)
      .whenComplete { result in
        switch result {
        case .success(let channel): channel.eventLoop.scheduleTask(deadline: deadline) { channel.close(promise: nil) }
        case .failure(let error): count.fail(error)
        }
      }
    return count.futureResult
  }
}

private final class LoadConnection: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias OutboundOut = ByteBuffer

  private let request: ByteBuffer
  private let answer: [UInt8]
  private let wanted: Int
  private let count: EventLoopPromise<Int>
  private var answered = 0
  private var received = 0
  /// The bytes of the first answer, until it is complete. All other answers must have the same length.
  private var first = ByteBuffer()
  private var length: Int?

  init(_ request: [UInt8], _ answer: [UInt8], _ wanted: Int, _ count: EventLoopPromise<Int>) {
    self.request = ByteBuffer(bytes: request)
    self.answer = answer
    self.wanted = wanted
    self.count = count
  }

  func channelActive(context: ChannelHandlerContext) { send(context) }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    var bytes = unwrapInboundIn(data)
    received += bytes.readableBytes
    if length == nil {
      first.writeBuffer(&bytes)
      guard first.readableBytesView.suffix(answer.count).elementsEqual(answer) else { return }
      guard first.readableBytesView.starts(with: "HTTP/1.1 200 ".utf8) else { return fail("no 200", context) }
      length = received
    }
    guard let length, received >= length else { return }
    guard received == length else { return fail("answers of different lengths", context) }
    received = 0
    answered += 1
    if answered < wanted { send(context) } else { context.close(promise: nil) }
  }

  func channelInactive(context: ChannelHandlerContext) {
    if answered > 0 { count.succeed(answered) } else { fail("the connection ended without an answer", context) }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { fail("\(error)", context) }

  private func send(_ context: ChannelHandlerContext) {
    context.writeAndFlush(wrapOutboundOut(request), promise: nil)
  }

  private func fail(_ reason: String, _ context: ChannelHandlerContext) {
    count.fail(BenchFailure("the server under load: \(reason)"))
    context.close(promise: nil)
  }
}
