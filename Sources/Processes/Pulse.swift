/// The spans in which the kit could not run, computed from the beats of a clock, without the clock.
///
/// A beat is due an interval after the last one. A beat that comes much later shows that the whole process stood still:
/// it was stopped, or the machine had no time for it. A message that is late in this span may be late because of the
/// kit.
package struct Pulse {
  package typealias Instant = SuspendingClock.Instant

  /// The interval between two beats.
  package static let interval = Duration.milliseconds(100)
  /// The delay of a beat that a busy machine explains.
  package static let busyMachine = Duration.milliseconds(250)

  private struct Gap {
    var start: Instant
    var end: Instant
    var length: Duration { start.duration(to: end) }
  }

  private let tolerance: Duration
  private var lastBeat: Instant
  /// The gaps in the order of time, without overlaps.
  private var gaps: [Gap] = []
  private var total = Duration.zero

  package init(at now: Instant, tolerance: Duration = Self.busyMachine) {
    self.tolerance = tolerance
    lastBeat = now
  }

  /// Takes a beat.
  package mutating func beat(at now: Instant) {
    if let gap = openGap(at: now) {
      gaps.append(gap)
      total += gap.length
    }
    lastBeat = max(lastBeat, now)
  }

  /// The part of the time since an instant that the kit could not use.
  func starved(since start: Instant, at now: Instant) -> Duration {
    gaps(since: start, at: now).reduce(.zero) { sum, gap in
      sum + max(gap.start, start).duration(to: max(gap.end, start))
    }
  }

  /// The length of the longest gap that ended after an instant.
  package func longestGap(since start: Instant, at now: Instant) -> Duration {
    gaps(since: start, at: now).map(\.length).max() ?? .zero
  }

  private func gaps(since start: Instant, at now: Instant) -> [Gap] {
    gaps.reversed().prefix { $0.end > start } + (openGap(at: now).map { [$0] } ?? [])
  }

  /// This instant on a clock that stands still while the kit does. It may step back a little when a gap becomes known.
  func runningTime(at now: Instant) -> Instant {
    now.advanced(by: .zero - total - (openGap(at: now)?.length ?? .zero))
  }

  /// The gap that a beat would end now. A caller may ask after the kit continues and before the next beat.
  private func openGap(at now: Instant) -> Gap? {
    let due = lastBeat.advanced(by: Self.interval)
    return due.duration(to: now) > tolerance ? Gap(start: due, end: now) : nil
  }
}
