import Testing

@testable import Processes

@Suite struct PromiseTests {
  @Test func givesTheFirstValueToAll() async throws {
    let promise = Promise<Int>()
    async let early = promise.value()
    async let steady = promise.valueInAnyCase()
    #expect(!promise.isKept)
    promise.keep(1)
    promise.keep(2)
    #expect(promise.isKept)
    #expect(try await early == 1)
    #expect(await steady == 1)
    #expect(try await promise.value() == 1)
  }

  @Test func aCancelledTaskStopsWaiting() async {
    let promise = Promise<Int>()
    let task = Task { try await promise.value() }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func aCancelledTaskMayWaitOn() async {
    let promise = Promise<Int>()
    let task = Task { await promise.valueInAnyCase() }
    task.cancel()
    promise.keep(5)
    #expect(await task.value == 5)
  }
}
