import Templates
import Testing

@testable import ConformanceWire

/// The timers of a clock that is moved, without a clock, and a clock as the standard library sees it.
@Suite struct TimerQueueTests {
  @Test func timersComeDueInTheOrderOfTimeThenOfSetting() {
    var queue = TimerQueue<String>()
    _ = queue.set(after: .seconds(2), "late")
    _ = queue.set(after: .seconds(1), "first")
    let cancelled = queue.set(after: .seconds(1), "cancelled")
    _ = queue.set(after: .seconds(1), "second")
    queue.cancel(cancelled)
    #expect(queue.nextDue == .seconds(1))
    var fired: [String] = []
    while let action = queue.takeDue(until: .seconds(1)) { fired.append("\(action)@\(queue.now)") }
    #expect(fired == ["first@1s", "second@1s"])
    #expect(queue.now == .seconds(1))
    #expect(queue.takeDue(until: .zero) == nil)
    #expect(queue.now == .seconds(1))
    #expect(queue.count == 1)
  }

  @Test func aTimerThatIsSetWhileOthersFireCountsFromThen() {
    var queue = TimerQueue<Int>()
    _ = queue.set(after: .seconds(1), 1)
    #expect(queue.takeDue(until: .seconds(5)) == 1)
    _ = queue.set(after: .seconds(1), 2)
    #expect(queue.takeDue(until: .seconds(5)) == 2)
    #expect(queue.now == .seconds(2))
  }

  @Test func aScaledClockCanBeSleptOn() async throws {
    let clock = ScaledClock(scale: 1000)
    let start = clock.now
    try await clock.sleep(for: .seconds(2))
    #expect(start.duration(to: clock.now) >= .seconds(2))
  }

  @Test func aSleepEndsWhenAClockIsMovedOrTheTaskIsCancelled() async throws {
    let clock = VirtualClock()
    let sleeper = Task { try await clock.sleep(until: .seconds(1), tolerance: nil) }
    let cancelled = Task { try await clock.sleep(until: .seconds(9), tolerance: nil) }
    while clock.pending < 2 { await Task.yield() }
    await clock.advance(to: .seconds(1))
    try await sleeper.value
    cancelled.cancel()
    await #expect(throws: CancellationError.self) { try await cancelled.value }
  }
}
