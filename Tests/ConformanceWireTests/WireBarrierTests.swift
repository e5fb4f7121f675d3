import HTTPValues
import Synchronization
import Testing

@testable import ConformanceWire

@Suite struct WireBarrierTests {
  @Test func whatWaitsGoesOnceItIsOpen() {
    let barrier = WireBarrier()
    let runs = Mutex<[Int]>([])
    for number in 1...2 { barrier.whenOpen { runs.withLock { $0.append(number) } } }
    #expect(runs.withLock(\.self) == [])
    barrier.open()
    #expect(runs.withLock(\.self) == [1, 2])
    barrier.whenOpen { runs.withLock { $0.append(3) } }
    #expect(runs.withLock(\.self) == [1, 2, 3])
    barrier.open()
    #expect(runs.withLock(\.self) == [1, 2, 3])
  }

  @Test func oneIsNotAnother() {
    let barrier = WireBarrier()
    #expect(barrier == barrier)
    #expect(barrier != WireBarrier())
  }

  private static func stage(_ barrier: WireBarrier) async throws -> Stage {
    try await Stage { request in
      WireReply(
        response: Stage.greeting, fault: .hold(until: nil), method: request.method, keepsAlive: false, barrier: barrier)
    }
  }

  @Test func theRightAnswerWaitsUntilItIsReleased() async throws {
    let barrier = WireBarrier()
    let stage = try await Self.stage(barrier)
    let clients = [try await RawClient.connect(to: stage.port), try await RawClient.connect(to: stage.port)]
    for client in clients { try await client.send(Stage.request) }
    await stage.wait(for: "held 1")
    await stage.wait(for: "held 2")
    await stage.clock.advance(by: .seconds(1e9))
    #expect(!stage.events.contains { $0.word.hasPrefix("released") || $0.word.hasPrefix("response") })
    barrier.open()
    for client in clients { #expect(await client.end().text == Stage.greetingBytes) }
    let words = await stage.words(closed: 2)
    #expect(
      words.filter { $0.contains(" 1") } == [
        "connected 1", "request 1", "fault 1 hold", "held 1", "released 1", "response 1 200", "concluded 1",
        "closed 1 kit",
      ])
    await stage.server.stop()
  }

  @Test func anOpenBarrierHoldsNobodyBack() async throws {
    let barrier = WireBarrier()
    barrier.open()
    let stage = try await Self.stage(barrier)
    #expect(try await RawClient.exchange(Stage.request, with: stage.port).text == Stage.greetingBytes)
    await stage.server.stop()
  }

  /// A client says that its request has gone out before there is an answer: here there is none until it has said so.
  @Test func aClientTellsWhenItHasWritten() async throws {
    let barrier = WireBarrier()
    let stage = try await Self.stage(barrier)
    let answer = try await WireClient().send(
      HTTPRequest(method: "GET", target: "/"), to: .init(host: "127.0.0.1", port: stage.port),
      written: { barrier.open() })
    #expect(answer.status == 200)
    await stage.server.stop()
  }

  @Test func whoLeavesGetsNoAnswerWhenItIsReleasedLater() async throws {
    let barrier = WireBarrier()
    let stage = try await Self.stage(barrier)
    let client = try await RawClient.connect(to: stage.port)
    try await client.send(Stage.request)
    await stage.wait(for: "held 1")
    try await client.close()
    _ = await stage.words()
    barrier.open()
    await stage.server.stop()
    #expect(
      stage.events.map(\.word) == [
        "connected 1", "request 1", "fault 1 hold", "held 1", "released 1", "concluded 1", "closed 1 subject",
      ])
  }

  @Test func whoIsHeldIsLetGoWhenTheServerStops() async throws {
    let stage = try await Self.stage(WireBarrier())
    let client = try await RawClient.connect(to: stage.port)
    try await client.send(Stage.request)
    await stage.wait(for: "held 1")
    await stage.server.stop()
    #expect(await client.end().bytes.isEmpty)
  }
}
