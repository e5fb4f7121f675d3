import ConformanceModel
import NIOCore
import NIOPosix
import Synchronization

/// Notices when the kit itself is late with what it has to do, which a subject on a running clock takes for a slow server,
/// and which no limit may take for a subject that hangs.
///
/// A beat goes where an answer goes: through the pool of the tasks and through every event loop. One that takes long
/// shows that an answer took as long. It beats from its first use on.
package final class Promptness: Sendable {
  /// That of this process.
  package static let shared = Promptness()

  /// How late the kit may be in logical time: next to nothing of what an SDK waits for an answer.
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

  /// By how much the kit was late at most since an instant.
  package func worstDelay(since start: Heartbeat.Instant) -> Duration {
    pulse.withLock { $0.longestGap(since: start, at: .now) }
  }
}
