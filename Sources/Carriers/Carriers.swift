import NIOCore
import NIOPosix
import Processes

/// The carriers of a run: the connections to adapters that the kit does not start.
///
/// The kit starts a ``Relay`` for each process of such an adapter. So a session over HTTP or a WebSocket meets the same
/// limits, and leaves the same evidence, as the process of an adapter on this machine.
package actor Carriers {
  /// The choices of a user about adapters that run elsewhere.
  package struct Options: Sendable {
    /// The address to listen at for WebSockets; loopback unless a device in the network must reach it.
    package var host: String
    /// The command that starts the app anew, when no adapter is connected and one is needed.
    package var relaunch: ProgramCommand?
    /// The number of adapters that may be connected at once.
    package var limit: Int

    package init(host: String = "127.0.0.1", relaunch: ProgramCommand? = nil, limit: Int = 1) {
      self.host = host
      self.relaunch = relaunch
      self.limit = limit
    }
  }

  package static let shared = Carriers()
  /// The variable by which a relaunch command gets the address for the adapter.
  package static let addressVariable = "CONFORM_ADAPTER_URL"
  /// The time that the first adapter has to connect.
  package static let patience = Duration.seconds(600)

  private let loop: any EventLoop = MultiThreadedEventLoopGroup(numberOfThreads: 1).next()
  private var commands: [CarrierAddress: ProgramCommand] = [:]
  private var carriers: [NIOLoopBound<any Carrier>] = []

  /// The command for the processes of the adapter at an address: that of a program, or that of a relay.
  ///
  /// - Parameters:
  ///   - relay: the command that runs ``Relay``.
  ///   - note: receives sentences for the user.
  package func command(
    for address: CarrierAddress, _ options: Options, relay: ProgramCommand, note: @escaping @Sendable (String) -> Void
  ) async throws -> ProgramCommand {
    if case .program(let command) = address { return command }
    if let command = commands[address] { return command }
    let command = try await carried(address, options, relay, note)
    commands[address] = command
    return command
  }

  /// Ends all carriers: adapters that wait, and apps that were started.
  package func close() async {
    for carrier in carriers { try? await loop.flatSubmit { carrier.value.close() }.get() }
    carriers = []
    commands = [:]
  }

  private func carried(
    _ address: CarrierAddress, _ options: Options, _ relay: ProgramCommand, _ note: @escaping @Sendable (String) -> Void
  ) async throws -> ProgramCommand {
    let carrier = try await open(address, options, note)
    carriers.append(carrier)
    var command = relay
    command.environment[Relay.variable] = try await admitRelays(to: carrier)
    try await loop.flatSubmit { carrier.value.arrival() }.get(within: Self.patience, on: loop)
    return command
  }

  private func open(
    _ address: CarrierAddress, _ options: Options, _ note: @escaping @Sendable (String) -> Void
  ) async throws -> NIOLoopBound<any Carrier> {
    let token = Self.key()
    return try await Self.listening(
      loop.flatSubmit { [loop] in
        switch address {
        case .http(let place):
          loop.makeSucceededFuture(NIOLoopBound(HTTPCarrier(place, on: loop), eventLoop: loop))
        case .webSocket(let port):
          WebSocketCarrier(on: loop, token: token, options, note: note).listen(on: port)
        case .program: preconditionFailure("a program needs no carrier")
        }
      })
  }

  /// Listens for relays. Returns the place that a relay connects to.
  private func admitRelays(to carrier: NIOLoopBound<any Carrier>) async throws -> String {
    let key = Self.key()
    let channel = try await Self.listening(
      ServerBootstrap(group: loop)
        .childChannelOption(.socketOption(.tcp_nodelay), value: 1)
        .childChannelInitializer { channel in
          channel.eventLoop.makeCompletedFuture {
            let relay = RelayConnection(key: Array(key.utf8), carrier: carrier.value)
            try channel.pipeline.syncOperations.addHandler(relay)
          }
        }
        .bind(host: "127.0.0.1", port: 0))
    return "\(channel.localAddress?.port ?? 0):\(key)"
  }

  private static func listening<Value: Sendable>(_ future: EventLoopFuture<Value>) async throws -> Value {
    do { return try await future.get() } catch {
      throw ProgramFailure(.command, "the kit cannot listen for adapters: \(error)")
    }
  }

  /// A random text of 128 bits.
  private static func key() -> String {
    var random = SystemRandomNumberGenerator()
    let bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    return bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }
}

extension EventLoopFuture<Void> {
  /// Waits for the future, at most for a time.
  fileprivate func get(within limit: Duration, on loop: any EventLoop) async throws {
    let promise = loop.makePromise(of: Void.self)
    cascade(to: promise)
    let timer = loop.scheduleTask(in: TimeAmount(limit)) {
      promise.fail(ProgramFailure(.start, "no adapter has connected within \(limit)"))
    }
    defer { timer.cancel() }
    try await withTaskCancellationHandler {
      try await promise.futureResult.get()
    } onCancel: {
      promise.fail(CancellationError())
    }
  }
}
