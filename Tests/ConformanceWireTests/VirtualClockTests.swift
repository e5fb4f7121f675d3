import NIOCore
import NIOPosix
import Synchronization
import Templates
import Testing

@testable import ConformanceWire

/// The order of timers, on several loops, moved by the clock alone.
@Suite struct VirtualClockTests {
  /// The timers that went off, and their times.
  private final class Diary: Sendable {
    private let lines = Mutex<[String]>([])

    var all: [String] { lines.withLock { $0 } }

    func note(_ name: String, _ clock: VirtualClock) { lines.withLock { $0.append("\(name)@\(clock.now)") } }
  }

  private let clock = VirtualClock()
  private let diary = Diary()

  private func set(_ name: String, _ delay: LogicalTime) -> WireTimer {
    let (clock, diary) = (self.clock, self.diary)
    return clock.schedule(after: delay, on: MultiThreadedEventLoopGroup.singleton.next()) { diary.note(name, clock) }
  }

  /// The delays of timers in the order in which they are set, the movement of the clock, and the timers that have gone
  /// off then.
  @Test(
    arguments: [
      ([], 5, []),
      ([("a", 1)], 0.5, []),
      ([("a", 1)], 1, ["a@1ms"]),
      ([("a", 3), ("b", 1), ("c", 2)], 9, ["b@1ms", "c@2ms", "a@3ms"]),
      ([("a", 2), ("b", 2), ("c", 2), ("d", 1)], 2, ["d@1ms", "a@2ms", "b@2ms", "c@2ms"]),
      ([("a", 0), ("b", 4)], 3, ["a@0ms"]),
    ] as [([(String, Double)], Double, [String])])
  func timersGoOffInTheOrderOfTheirTime(timers: [(String, Double)], to: Double, expected: [String]) async {
    for (name, delay) in timers { _ = set(name, .milliseconds(delay)) }
    await clock.advance(to: .milliseconds(to))
    #expect(diary.all == expected)
    #expect(clock.now == .milliseconds(to))
  }

  @Test func aTimerSetByATimerGoesOffOnTheSameWay() async {
    let (clock, diary) = (self.clock, self.diary)
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    _ = clock.schedule(after: .seconds(1), on: loop) {
      diary.note("first", clock)
      _ = clock.schedule(after: .seconds(1), on: loop) { diary.note("second", clock) }
    }
    _ = set("last", .seconds(3))
    await clock.advance(to: .seconds(2))
    #expect(diary.all == ["first@1s", "second@2s"])
    #expect(clock.nextDue == .seconds(3))
  }

  @Test func aCancelledTimerDoesNotGoOff() async {
    let timer = set("cancelled", .seconds(1))
    _ = set("kept", .seconds(2))
    timer.cancel()
    timer.cancel()
    #expect(clock.nextDue == .seconds(2))
    await clock.advance(to: .seconds(5))
    #expect(diary.all == ["kept@2s"])
    #expect(clock.nextDue == nil)
  }

  @Test func theClockNeverGoesBack() async {
    await clock.advance(to: .seconds(2))
    await clock.advance(to: .seconds(1))
    #expect(clock.now == .seconds(2))
    _ = set("later", .seconds(1))
    #expect(clock.nextDue == .seconds(3))
  }
}
