import Dispatch
import Glibc
import Synchronization

/// The least that the work of a run takes on this machine: as many bare exchanges, lines through pipes and starts of
/// processes, one kind after the other, each on all cores.
struct Floor {
  /// In seconds.
  let exchanges: Double
  let lines: Double
  let starts: Double

  var seconds: Double { exchanges + lines + starts }

  init(of work: SuiteWork) async throws {
    starts = try Self.onAllCores(work.restarts) { count in
      for _ in 0..<count { _ = try Child("/bin/true").wait() }
    }
    lines = try Self.onAllCores(work.commands) { count in
      let echo = try EchoProcess("cat")
      defer { echo.stop() }
      for _ in 0..<count { try echo.roundTrip() }
    }
    exchanges =
      Double(work.exchanges) / (try await MockThroughput.bareRate(loops: Self.cores, requests: work.exchanges))
  }

  private static let cores = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))

  /// How long it takes to do something so often, an equal part on each core.
  private static func onAllCores(_ count: Int, _ body: @Sendable (Int) throws -> Void) throws -> Double {
    let failure = Mutex<(any Error)?>(nil)
    let duration = ContinuousClock().measure {
      DispatchQueue.concurrentPerform(iterations: cores) { core in
        do { try body(count / cores + (core < count % cores ? 1 : 0)) } catch { failure.withLock { $0 = error } }
      }
    }
    if let error = failure.withLock({ $0 }) { throw error }
    return duration.seconds
  }
}
