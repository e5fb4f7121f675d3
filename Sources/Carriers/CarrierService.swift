import Adapters
import NIOCore
import NIOPosix
import Processes

/// Connects the kit with adapters that the kit cannot start, such as an app on a phone.
///
/// In place of each process of such an adapter, the kit starts a ``Relay``. So a session over HTTP or a WebSocket has
/// the same limits, and leaves the same evidence, as the process of an adapter on this machine.
package final class CarrierService: Sendable {
  /// The options of a run that concern adapters which connect by WebSocket.
  package struct Options: Sendable {
    /// The address at which the kit listens for WebSockets. The default is loopback, which other devices in the network
    /// cannot reach.
    package var host: String
    /// The command with which the kit starts the app again if the kit needs an adapter and no adapter is connected.
    package var relaunch: ProgramCommand?
    /// The number of adapters that may be connected at once.
    package var limit: Int

    package init(host: String, relaunch: ProgramCommand?, limit: Int) {
      self.host = host
      self.relaunch = relaunch
      self.limit = limit
    }
  }

  /// The environment variable through which a relaunch command receives the adapter's address.
  package static let addressVariable = "CONFORM_ADAPTER_URL"
  /// The time within which the first adapter must connect.
  package static let patience = Duration.seconds(600)

  /// The place to which relays connect, as ``Relay/run(_:)`` expects it.
  package let place: String
  private let loop: any EventLoop
  private let carrier: NIOLoopBound<any Carrier>

  private init(_ carrier: NIOLoopBound<any Carrier>, on loop: any EventLoop, place: String) {
    self.carrier = carrier
    self.loop = loop
    self.place = place
  }

  /// Starts the carrier for an address, and listens for relays. The address must not be ``AdapterAddress/program(_:)``.
  ///
  /// - Parameter report: receives the reports for the user.
  package static func open(
    _ address: AdapterAddress, _ options: Options, report: @escaping @Sendable (CarrierReport) -> Void
  ) async throws(ProgramFailure) -> CarrierService {
    let loop = MultiThreadedEventLoopGroup(numberOfThreads: 1).next()
    do {
      let carrier = try await carrier(at: address, options, on: loop, report).get()
      return CarrierService(carrier, on: loop, place: try await admitRelays(to: carrier, on: loop))
    } catch {
      throw ProgramFailure(
        .command, "the kit cannot listen for adapters\(Self.place(address, options)): \(SocketReason.text(error))")
    }
  }

  /// The end of an error message: the place at which the kit could not listen, and the options that choose a different
  /// place.
  private static func place(_ address: AdapterAddress, _ options: Options) -> String {
    guard case .webSocket(let port) = address else { return "" }
    return " at \(options.host):\(port) (--sdk ws://:PORT and --listen-on ADDRESS choose another place)"
  }

  /// Returns once an adapter has opened a WebSocket; for an adapter that listens for HTTP, returns at once.
  package func arrival() async throws {
    let carrier = carrier
    try await loop.flatSubmit { carrier.value.arrival() }.get(within: Self.patience, on: loop)
  }

  /// Closes the connections to waiting adapters, and ends the app that the kit has started.
  package func close() async {
    let carrier = carrier
    try? await loop.flatSubmit { carrier.value.close() }.get()
  }

  private static func carrier(
    at address: AdapterAddress, _ options: Options, on loop: any EventLoop,
    _ report: @escaping @Sendable (CarrierReport) -> Void
  ) -> EventLoopFuture<NIOLoopBound<any Carrier>> {
    loop.flatSubmit {
      switch address {
      case .http(let place): loop.makeSucceededFuture(NIOLoopBound(HTTPCarrier(place, on: loop), eventLoop: loop))
      case .webSocket(let port): WebSocketCarrier(on: loop, token: key(), options, report: report).listen(on: port)
      case .program: preconditionFailure("a program needs no carrier")
      }
    }
  }

  /// Listens for relays. Returns the place to which they connect.
  private static func admitRelays(
    to carrier: NIOLoopBound<any Carrier>, on loop: any EventLoop
  ) async throws -> String {
    let key = Self.key()
    let channel = try await ServerBootstrap(group: loop)
      .childChannelOption(.socketOption(.tcp_nodelay), value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          let relay = RelayConnection(key: Array(key.utf8), carrier: carrier.value)
          try channel.pipeline.syncOperations.addHandler(relay)
        }
      }
      .bind(host: "127.0.0.1", port: 0).get()
    return "\(channel.localAddress?.port ?? 0):\(key)"
  }

  /// 128 random bits in hexadecimal digits.
  private static func key() -> String {
    var random = SystemRandomNumberGenerator()
    let bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &random) }
    return bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }
}

extension EventLoopFuture<Void> {
  /// Waits for the future. Throws ``ProgramFailure`` if the limit passes before the future completes.
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
