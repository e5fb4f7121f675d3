import NIOPosix
import Templates
import Testing

@testable import ConformanceWire

/// A watch reports whether an exchange has ended to code that does not await the exchange.
@Suite struct ExchangeWatchTests {
  /// The loop is kept busy until the answer has arrived and the watch is asked, so it cannot have read the answer
  /// before.
  @Test func readsAnAnswerThatItsLoopHasNotRead() async throws {
    let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    let barrier = WireBarrier()
    let stage = try await Stage { record in
      WireReply(response: Stage.greeting, to: record, at: Timestamp(milliseconds: 0), barrier: barrier)
    }
    let (client, port) = (WireClient(group: group), stage.port)
    let watch = ExchangeWatch()
    #expect(await !watch.hasEndedByNow())
    let answer = Task {
      try await client.send(
        Array(Stage.request.utf8), to: WireEndpoint(host: "127.0.0.1", port: port), watchedBy: watch)
    }
    await stage.wait(for: "held 1")
    #expect(await !watch.hasEndedByNow())
    let busy = await BusyLoop(group.next())
    barrier.open()
    await stage.wait(for: "concluded 1")
    let asking = Task.immediate { await watch.hasEndedByNow() }
    busy.end()
    #expect(await asking.value)
    #expect(try await answer.value.body.text == "hello")
    #expect(await watch.hasEndedByNow())
    await stage.server.stop()
    try await group.shutdownGracefully()
  }
}
