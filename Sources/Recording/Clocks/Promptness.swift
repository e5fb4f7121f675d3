import NIOCore
import NIOPosix
import Processes
import Synchronization
import Templates

/// Detects when the kit itself is delayed. To a subject on a running clock, such a delay looks like a slow server, and
/// the kit must not conclude from it that the subject hangs.
///
/// At each beat of a timer, a task takes the same path as an answer: through the task pool and through every event
/// loop. If this task is slow, answers were equally slow. The timer starts at the first use.
package final class Promptness: Sendable {
  /// The instance of this process.
  package static let shared = Promptness()

  /// The longest delay of the kit, in logical time, that does not affect a case. This delay is a small part of the time
  /// for which an SDK waits for an answer.
  package static let tolerance = LogicalTime.seconds(1)

  private let pulse = Mutex(Pulse(at: .now, tolerance: .milliseconds(10)))

  private init() {
    Task.detached { [weak self] in
      let loops = Array(MultiThreadedEventLoopGroup.singleton.makeIterator())
      while let self {
        try await Task.sleep(for: Pulse.interval)
        for loop in loops { try await loop.submit {}.get() }
        self.pulse.withLock { $0.beat(at: .now) }
      }
    }
  }

  /// The longest delay of the kit since an instant.
  package func worstDelay(since start: Heartbeat.Instant) -> Duration {
    pulse.withLock { $0.longestGap(since: start, at: .now) }
  }
}
