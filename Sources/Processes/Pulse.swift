/// Computes from the beats of a timer in which spans the kit could not run. The caller supplies the time, so that tests
/// need no clock.
///
/// A beat is due one interval after the last beat. A beat that comes much later shows that the whole process did not
/// run: it was stopped, or the machine was overloaded. A message that is overdue in this span may be overdue because of
/// the kit.
package struct Pulse {
  package typealias Instant = SuspendingClock.Instant

  /// The interval between two beats.
  package static let interval = Duration.milliseconds(100)
  /// The longest delay of a beat on a machine that is busy, but not overloaded.
  package static let busyMachine = Duration.milliseconds(250)

  private struct Gap {
    var start: Instant
    var end: Instant
    var length: Duration { start.duration(to: end) }
  }

  private let tolerance: Duration
  private var lastBeat: Instant
  /// The spans in which the kit could not run, in chronological order and without overlaps.
  private var gaps: [Gap] = []
  private var total = Duration.zero

  package init(at now: Instant, tolerance: Duration = Self.busyMachine) {
    self.tolerance = tolerance
    lastBeat = now
  }

  /// Records a beat.
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

  /// This instant on a clock that stops while the kit cannot run. The clock may step back a little when a gap is
  /// detected.
  func runningTime(at now: Instant) -> Instant {
    now.advanced(by: .zero - total - (openGap(at: now)?.length ?? .zero))
  }

  /// The gap that began after the last beat and is not recorded yet; its end is `now`. Nil if the last beat is recent.
  private func openGap(at now: Instant) -> Gap? {
    let due = lastBeat.advanced(by: Self.interval)
    return due.duration(to: now) > tolerance ? Gap(start: due, end: now) : nil
  }
}
