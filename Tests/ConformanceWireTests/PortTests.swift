import ConformanceTranscript
import Dispatch
import Glibc
import HTTPValues
import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import ConformanceWire

/// A port that refuses and comes back.
@Suite struct PortTests {
  private func failure(of port: Int) async -> WireFailure.Kind? {
    do throws(WireFailure) {
      _ = try await WireClient().send(HTTPRequest(method: "GET", target: "/"), to: .init(host: "127.0.0.1", port: port))
      return nil
    } catch {
      return error.kind
    }
  }

  private func bind(_ port: Int, reuse: Bool) async throws {
    let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: reuse ? 1 : 0)
      .bind(host: "127.0.0.1", port: port).get()
    try await channel.close()
  }

  /// Every number of the range comes up more than once, and numbers in use are skipped.
  @Test func aLentNumberIsNobodyElses() throws {
    let held = try (0..<400).map { _ in try LentPort() }
    let others = try (0..<1200).map { _ in try LentPort().number }
    #expect(Set(held.map(\.number)).count == 400)
    #expect(Set(held.map(\.number)).isDisjoint(with: others))
  }

  @Test func aNumberThatWasLentIsFreeAgain() throws {
    let numbers = try (0..<2500).map { _ in try LentPort().number }
    #expect(Set(numbers).count <= 1000)
  }

  @Test func refusesAndComesBackOnTheSameNumber() async throws {
    let stage = try await Stage()
    for _ in 0..<5 {
      #expect(await failure(of: stage.port) == nil)
      try await stage.server.refuse()
      try await stage.server.refuse()
      #expect(await failure(of: stage.port) == .refused)
      try await stage.server.listen()
      try await stage.server.listen()
    }
    #expect(await failure(of: stage.port) == nil)
    await stage.server.stop()
    #expect(await failure(of: stage.port) == .refused)
  }

  @Test func aNumberOfTheSystemIsKeptToo() throws {
    let held = try (0..<200).map { _ in
      try PortReservation(SocketAddress(ipAddress: "127.0.0.1", port: 0), own: nil)
    }
    #expect(Set(held.map(\.address.port)).count == held.count)
    for reservation in held {
      try #require(throws: IOError.self) { try PortReservation(reservation.address) }
      close(try reservation.makeListeningSocket())
    }
  }

  @Test(arguments: [false, true]) func nobodyElseCanTakeTheNumber(_ reuse: Bool) async throws {
    let stage = try await Stage()
    let port = stage.port
    try await stage.server.refuse()
    await #expect(throws: IOError.self) { try await bind(port, reuse: reuse) }
    await #expect(throws: MockServer.ListenFailure.self) {
      let other = try await MockServer.start(
        name: "other", port: port, clock: ScaledClock(), responder: { _ in WireReply([.close]) }, journal: { _ in })
      await other.stop()
    }
    try await stage.server.listen()
    await #expect(throws: IOError.self) { try await bind(port, reuse: reuse) }
    await stage.server.stop()
    try await bind(port, reuse: true)
  }

  /// A loop that was busy reads what clients sent meanwhile before it says that nothing is left.
  @Test(arguments: [1, 20]) func aPortIsReadDry(clients count: Int) async throws {
    try await Stage.withOwnLoop { stage in
      let busy = await BusyLoop(stage.server.eventLoop)
      let clients = try (0..<count).map { _ in try BlockingClient(port: stage.port, sending: Stage.request) }
      let dry = stage.server.readDry()
      busy.end()
      try await dry.get()
      #expect(stage.events.count(where: \.isRequest) == count)
      withExtendedLifetime(clients) {}
    }
  }

  /// Linux drops what a client begins with for whom a port has no room, and it tries again after a second.
  @Test func thereIsRoomForAllWhoComeWhileTheLoopIsBusy() async throws {
    try await Stage.withOwnLoop { stage in
      let busy = await BusyLoop(stage.server.eventLoop)
      let clients = try (0..<300).map { _ in try BlockingClient(port: stage.port, sending: Stage.request) }
      busy.end()
      _ = await stage.journal.wait { $0.count(where: \.isRequest) == 300 }
      withExtendedLifetime(clients) {}
    }
  }

  /// Each round everybody asks for the same number at once.
  @Test func ofAllWhoAskAtOnceAtMostOneGetsANumber() throws {
    let free = try PortReservation(SocketAddress(ipAddress: "127.0.0.1", port: 0))
    let address = free.address
    free.release()
    var given = 0
    for _ in 0..<3000 {
      let got = Mutex<[PortReservation]>([])
      DispatchQueue.concurrentPerform(iterations: 8) { _ in
        if let reservation = try? PortReservation(address) { got.withLock { $0.append(reservation) } }
      }
      let reservations = got.withLock(\.self)
      reservations.forEach { $0.release() }
      try #require(reservations.count <= 1)
      given += reservations.count
    }
    #expect(given > 0)
  }

  @Test func numbersGivenOutByTheSystemAvoidAPortThatRefuses() async throws {
    let stage = try await Stage()
    try await stage.server.refuse()
    for _ in 0..<200 {
      let other = try PortReservation(SocketAddress(ipAddress: "127.0.0.1", port: 0))
      #expect(other.address.port != stage.port)
      other.release()
    }
    await stage.server.stop()
  }

  @Test func closesIdleConnectionsAndLetsOthersFinish() async throws {
    let stage = try await Stage { _ in
      let whole = WireReply(response: Stage.greeting)
      return WireReply([.pause(.seconds(1))] + whole.actions, response: whole.response)
    }
    let idle = try await RawClient.connect(to: stage.port)
    await stage.wait(for: "connected 1")
    let busy = try await RawClient.connect(to: stage.port)
    try await busy.send(Stage.request)
    await stage.wait(for: "held 2")
    try await stage.server.refuse()
    #expect(await idle.end().ending == .fin)
    await stage.clock.advance(by: .seconds(1))
    let state = await busy.end()
    #expect(state.text == Stage.greetingBytes.replacing("Connection: close\r\n", with: ""))
    #expect(await stage.words(closed: 2).suffix(2) == ["concluded 2", "closed 2 kit"])
    await stage.server.stop()
  }

  @Test func servesIPv6AndNames() async throws {
    for host in ["::1", "localhost"] {
      let server = try await MockServer.start(
        name: "six", host: host, clock: ScaledClock(), responder: { _ in WireReply(response: Stage.greeting) },
        journal: { _ in })
      let response = try await WireClient().send(
        HTTPRequest(method: "GET", target: "/"), to: .init(host: host, port: server.port))
      #expect(response.status == 200)
      try await server.refuse()
      try await server.listen()
      await server.stop()
    }
  }

  @Test func saysWhyItCannotListen() async throws {
    let failure = try await #require(throws: MockServer.ListenFailure.self) {
      _ = try await MockServer.start(
        name: "main", host: "203.0.113.7", clock: ScaledClock(), responder: { _ in WireReply([.close]) },
        journal: { _ in })
    }
    #expect(failure.description.hasPrefix("the mock server 'main' cannot listen on 203.0.113.7:0: bind "))
  }
}

/// A client whose bytes are at the server's side, in the system, once it is there.
private final class BlockingClient {
  /// How long a connection may take that the system makes at once where there is room for it.
  private static let patience = timeval(tv_sec: 10, tv_usec: 0)

  private let descriptor: Int32

  init(port: Int, sending text: String) throws {
    descriptor = Glibc.socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    let socket = descriptor
    var patience = Self.patience
    setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    let isConnected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    try #require(isConnected)
    let bytes = Array(text.utf8)
    try #require(write(descriptor, bytes, bytes.count) == bytes.count)
  }

  deinit { close(descriptor) }
}

extension WireEvent {
  fileprivate var isRequest: Bool { if case .request = self { true } else { false } }
}
