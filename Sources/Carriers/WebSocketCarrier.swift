import Adapters
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket
import Processes

/// Listens for adapters that open a WebSocket. Each connection takes the place of a process: it serves one relay until
/// the connection or the relay ends. The adapter then opens a new connection for the next relay.
final class WebSocketCarrier: Carrier {
  /// The longest time that a relay waits for an adapter. It is shorter than the limit for the reply to `hello`.
  static let patience = TimeAmount.seconds(20)
  /// If relays wait and no adapter connects for this time, the run ends, because all further cases would wait in vain.
  static let longestAbsence = TimeAmount.seconds(40)
  /// The time for which the kit waits until an app connects again by itself, as a web page does. After this time the
  /// kit starts the app again.
  private static let grace = TimeAmount.seconds(3)

  private let loop: any EventLoop
  private let options: CarrierService.Options
  private let report: @Sendable (CarrierReport) -> Void
  private var door: WebSocketDoor
  private var relauncher: Relauncher?
  /// Whether the kit must start the app before each connection, because the app does not connect by itself.
  private var mustBeLaunched = true
  private var waiting: [WebSocketAdapter] = []
  private var relays: [(relay: RelayConnection, timers: [Scheduled<Void>])] = []
  private var connected = 0
  private var lastDevice: String?
  private var hasRefused = false
  /// Since this instant, at least one relay has waited, and no adapter has connected. Nil after an adapter has
  /// connected.
  private var aloneSince: NIODeadline?
  private var hasNotedAbsence = false
  /// The reasons of refusals that were reported.
  private var refusals: Set<String> = []
  /// One promise for each caller that waits until the first adapter connects.
  private var arrivals: [EventLoopPromise<Void>] = []

  init(
    on loop: any EventLoop, token: String, _ options: CarrierService.Options,
    report: @escaping @Sendable (CarrierReport) -> Void
  ) {
    self.loop = loop
    self.options = options
    self.report = report
    door = WebSocketDoor(host: options.host, port: 0, token: token)
  }

  /// Listens on a port, and reports the URL for adapters.
  func listen(on port: Int) -> EventLoopFuture<NIOLoopBound<any Carrier>> {
    let carrier = NIOLoopBound(self, eventLoop: loop)
    return ServerBootstrap(group: loop)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .childChannelOption(.socketOption(.tcp_nodelay), value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture { try carrier.value.prepare(channel) }
      }
      .bind(host: options.host, port: port)
      .map { channel in
        carrier.value.isListening(on: channel.localAddress?.port ?? port)
        return NIOLoopBound(carrier.value, eventLoop: channel.eventLoop)
      }
  }

  private func isListening(on port: Int) {
    door.port = port
    let carrier = NIOLoopBound(self, eventLoop: loop)
    relauncher = options.relaunch.map { command in
      Relauncher(command, address: door.url) { reason in
        carrier.eventLoop.execute { carrier.value.launchFailed(reason) }
      }
    }
    report(.waiting(url: door.url))
  }

  func connect(_ relay: RelayConnection) {
    if !waiting.isEmpty { return waiting.removeFirst().serve(relay) }
    if mustBeLaunched { relauncher?.launch() }
    aloneSince = aloneSince ?? loop.now
    let timers = [after(Self.grace) { $0.launchAnew(for: relay) }, after(Self.patience) { $0.giveUp(relay) }]
    relays.append((relay, timers))
  }

  private func after(_ time: TimeAmount, _ action: @escaping (WebSocketCarrier) -> Void) -> Scheduled<Void> {
    loop.assumeIsolated().scheduleTask(in: time) { [weak self] in
      if let self { action(self) }
    }
  }

  private func launchAnew(for relay: RelayConnection) {
    guard relays.contains(where: { $0.relay === relay }) else { return }
    if !hasNotedAbsence { report(.note("waiting for the adapter to connect again at \(door.url)")) }
    hasNotedAbsence = true
    guard !mustBeLaunched else { return }
    mustBeLaunched = true
    relauncher?.launch()
  }

  /// Reports that the relaunch command failed. Before the first adapter has connected, this ends the run.
  private func launchFailed(_ reason: String) {
    if arrivals.isEmpty { report(.note(reason)) }
    for arrival in arrivals { arrival.fail(ProgramFailure(.start, "no adapter is connected: \(reason)")) }
    arrivals = []
  }

  private func giveUp(_ relay: RelayConnection) {
    forget(relay)
    relay.fail(
      "no adapter opened a WebSocket to \(door.url) within \(Self.patience.nanoseconds / 1_000_000_000) s, "
        + "\(connected) \(connected == 1 ? "is" : "are") connected; expected it to connect again after each end")
    guard let aloneSince, loop.now - aloneSince >= Self.longestAbsence else { return }
    self.aloneSince = nil
    report(
      .failure(
        "no adapter has connected for \(Self.longestAbsence.nanoseconds / 1_000_000_000) s, so the run ends; let the app "
          + "connect again after each end, or give --relaunch"))
  }

  /// Reports to the user that a request for a WebSocket was refused, because the code of a web page cannot read the
  /// answer. Reports each reason once.
  func note(_ refusal: WebSocketDoor.Refusal, of device: String) {
    guard refusals.count < Self.mostRefusals, refusals.insert(refusal.text).inserted else { return }
    report(.note("a connection of \(device) is refused with \(refusal.status.code): \(refusal.text)"))
  }

  /// The largest number of refusals that are reported.
  private static let mostRefusals = 10

  func close() -> EventLoopFuture<Void> {
    for adapter in waiting { adapter.close(.done) }
    waiting = []
    guard let relauncher else { return loop.makeSucceededVoidFuture() }
    return loop.makeFutureWithTask { await relauncher.end() }
  }

  func forget(_ relay: RelayConnection) {
    guard let index = relays.firstIndex(where: { $0.relay === relay }) else { return }
    for timer in relays.remove(at: index).timers { timer.cancel() }
  }

  /// Adds an adapter that has connected. If a relay waits, the adapter serves it. Otherwise the adapter waits for a
  /// relay, or is refused if too many adapters are connected.
  func add(_ adapter: WebSocketAdapter) {
    connected += 1
    (aloneSince, hasNotedAbsence) = (nil, false)
    if lastDevice == nil { mustBeLaunched = false }
    if adapter.device != lastDevice { report(.note("an adapter is connected: \(adapter.device)")) }
    lastDevice = adapter.device
    for arrival in arrivals { arrival.succeed() }
    arrivals = []
    if let relay = relays.first?.relay {
      forget(relay)
      adapter.serve(relay)
    } else if connected <= options.limit {
      waiting.append(adapter)
    } else {
      if !hasRefused {
        report(.note("another adapter is turned away: \(options.limit) may be connected, as --jobs says"))
      }
      hasRefused = true
      adapter.close(.refused)
    }
  }

  func remove(_ adapter: WebSocketAdapter) {
    connected -= 1
    waiting.removeAll { $0 === adapter }
  }

  func arrival() -> EventLoopFuture<Void> {
    guard connected == 0 else { return loop.makeSucceededVoidFuture() }
    let promise = loop.makePromise(of: Void.self)
    arrivals.append(promise)
    relauncher?.launch()
    return promise.futureResult
  }
}

extension WebSocketCarrier {
  /// Makes the pipeline of a connection: HTTP until the upgrade, then WebSocket messages.
  func prepare(_ channel: any Channel) throws {
    let carrier = NIOLoopBound(self, eventLoop: loop)
    let door = door
    let upgrader = NIOWebSocketServerUpgrader(
      maxFrameSize: WebSocketAdapter.longestMessage, automaticErrorHandling: false,
      shouldUpgrade: { channel, head in
        channel.eventLoop.makeSucceededFuture(door.refusal(of: head) == nil ? HTTPHeaders() : nil)
      },
      upgradePipelineHandler: { channel, head in
        channel.eventLoop.makeCompletedFuture {
          let device = door.device(channel.remoteAddress, head)
          try channel.pipeline.syncOperations.addHandlers([
            FrameCheck(),
            NIOWebSocketFrameAggregator(
              minNonFinalFragmentSize: 0, maxAccumulatedFrameCount: WebSocketAdapter.mostFragments,
              maxAccumulatedFrameSize: WebSocketAdapter.longestMessage),
            WebSocketAdapter(device: device, carrier: carrier.value),
          ])
        }
      })
    let refusal = DialRefusal(self, door)
    let bound = NIOLoopBound(refusal, eventLoop: loop)
    // ``DialRefusal`` answers errors of the parser with a sentence.
    try channel.pipeline.syncOperations.configureHTTPServerPipeline(
      withPipeliningAssistance: false,
      withServerUpgrade: (
        upgraders: [upgrader],
        completionHandler: { $0.pipeline.syncOperations.removeHandler(bound.value, promise: nil) }
      ), withErrorHandling: false)
    try channel.pipeline.syncOperations.addHandler(refusal)
  }
}

/// Refuses a request that may not open a WebSocket, with the reason.
private final class DialRefusal: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let door: WebSocketDoor
  private weak var carrier: WebSocketCarrier?
  private var refusal: WebSocketDoor.Refusal?
  private var device: String?
  private var hasAnswered = false

  init(_ carrier: WebSocketCarrier, _ door: WebSocketDoor) { (self.carrier, self.door) = (carrier, door) }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      device = door.device(context.channel.remoteAddress, head)
      refusal = door.refusal(of: head) ?? .init(status: .upgradeRequired, text: door.invitation)
    case .body: break
    case .end: if let refusal { answer(refusal, context) }
    }
  }

  /// Refuses a request that is not HTTP, and closes every connection that cannot be read.
  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if error is HTTPParserError {
      let text = "the request for a WebSocket cannot be read: \(SocketReason.text(error)); \(door.invitation)"
      answer(WebSocketDoor.Refusal(status: .badRequest, text: text), context)
    } else if error is IOError {
      context.close(promise: nil)
    }
  }

  private func answer(_ refusal: WebSocketDoor.Refusal, _ context: ChannelHandlerContext) {
    guard !hasAnswered else { return }
    hasAnswered = true
    carrier?.note(refusal, of: device ?? context.channel.remoteAddress?.ipAddress ?? "an unknown address")
    let body = ByteBuffer(string: refusal.text + "\n")
    let headers: HTTPHeaders = [
      "Content-Type": "text/plain; charset=utf-8", "Content-Length": "\(body.readableBytes)", "Connection": "close",
    ]
    context.write(
      wrapOutboundOut(.head(.init(version: .http1_1, status: refusal.status, headers: headers))), promise: nil)
    context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
    let channel = context.channel
    context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in channel.close(promise: nil) }
  }
}
