import Glibc
import NIOCore
import NIOPosix
import Synchronization

@testable import ConformanceWire

/// A TCP client without any notion of HTTP, which sees each byte and how the connection ended.
final class RawClient: Sendable {
  /// How a connection ended.
  enum Ending: Sendable {
    case fin, reset
  }

  struct State: Sendable {
    var bytes: [UInt8] = []
    var ending: Ending?
    var text: String { String(decoding: bytes, as: UTF8.self) }
  }

  let channel: any Channel
  private let inbox: Inbox<State>

  private init(_ channel: any Channel, _ inbox: Inbox<State>) {
    self.channel = channel
    self.inbox = inbox
  }

  static func connect(to port: Int) async throws -> RawClient {
    let inbox = Inbox(State())
    let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .channelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(Collector(inbox))
        }
      }
      .connect(host: "127.0.0.1", port: port).get()
    return RawClient(channel, inbox)
  }

  /// Sends a text to a port and gives all that came until the connection ended.
  static func exchange(_ text: String, with port: Int) async throws -> State {
    let client = try await connect(to: port)
    try await client.send(text)
    return await client.end()
  }

  func send(_ text: String) async throws { try await channel.writeAndFlush(ByteBuffer(string: text)) }

  func send(_ bytes: [UInt8]) async throws { try await channel.writeAndFlush(ByteBuffer(bytes: bytes)) }

  /// Returns the state when the predicate holds or the connection has ended.
  func received(until isDone: @escaping @Sendable (State) -> Bool) async -> State {
    await inbox.wait { isDone($0) || $0.ending != nil }
  }

  func received(_ text: String) async -> State { await received { $0.text.contains(text) } }

  func end() async -> State { await inbox.wait { $0.ending != nil } }

  /// Sends the last text and ends this side (FIN) before an answer can be read, and goes on reading.
  func finishSending(_ text: String) async throws {
    let channel = self.channel
    try await channel.eventLoop.flatSubmit {
      channel.writeAndFlush(ByteBuffer(string: text), promise: nil)
      return channel.close(mode: .output)
    }.get()
  }

  func close() async throws { try await channel.close() }

  /// Ends this side (FIN), and returns when the system of the other side has acknowledged the end. Closing would not be
  /// enough: a process that another test starts has a copy of the socket until its program begins, and the system sends
  /// the end only when the last copy is closed.
  func leave() async throws {
    try await channel.close(mode: .output)
    while try await unacknowledgedCount() > 0 { try await Task.sleep(for: .milliseconds(1)) }
  }

  /// The number of bytes that the other side has not acknowledged; the end counts as one byte (SIOCOUTQ in tcp(7)).
  private func unacknowledgedCount() async throws -> CInt {
    try await channel.eventLoop.submit { [channel] in
      guard let socket = channel.socket else { throw ChannelError.ioOnClosedChannel }
      var count: CInt = 0
      guard ioctl(socket, UInt(TIOCOUTQ), &count) == 0 else { throw IOError(errnoCode: errno, reason: "ioctl") }
      return count
    }.get()
  }

  /// Ends with RST.
  func reset() async throws {
    try await (channel as? any SocketOptionProvider)?.setSoLinger(linger(l_onoff: 1, l_linger: 0)).get()
    try await channel.close()
  }

  private final class Collector: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let inbox: Inbox<State>

    init(_ inbox: Inbox<State>) { self.inbox = inbox }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      let bytes = unwrapInboundIn(data).readableBytesView
      inbox.change { $0.bytes.append(contentsOf: bytes) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
      guard (error as? IOError)?.errnoCode == ECONNRESET else { return }
      inbox.change { $0.ending = .reset }
    }

    func channelInactive(context: ChannelHandlerContext) {
      inbox.change { state in if state.ending == nil { state.ending = .fin } }
    }
  }
}

/// A value that threads change and tests wait for, without polling.
final class Inbox<Value: Sendable>: Sendable {
  private struct Waiter {
    var isDone: @Sendable (Value) -> Bool
    var continuation: CheckedContinuation<Value, Never>
  }

  private struct Book {
    var value: Value
    var waiters: [Waiter] = []
  }

  private let book: Mutex<Book>

  init(_ value: Value) { book = Mutex(Book(value: value)) }

  var value: Value { book.withLock(\.value) }

  func change(_ body: (inout Value) -> Void) {
    let (value, done) = book.withLock { book in
      body(&book.value)
      let value = book.value
      let done = book.waiters.filter { $0.isDone(value) }
      book.waiters.removeAll { $0.isDone(value) }
      return (value, done)
    }
    for waiter in done { waiter.continuation.resume(returning: value) }
  }

  func wait(until isDone: @escaping @Sendable (Value) -> Bool) async -> Value {
    await withCheckedContinuation { continuation in
      let value: Value? = book.withLock { book in
        if isDone(book.value) { return book.value }
        book.waiters.append(Waiter(isDone: isDone, continuation: continuation))
        return nil
      }
      if let value { continuation.resume(returning: value) }
    }
  }
}
