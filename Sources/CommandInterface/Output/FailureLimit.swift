import ConformanceModel
import Synchronization

/// Stops a run after a number of failing cases.
package final class FailureLimit: Sendable {
  private struct State {
    var failing: Set<CaseInstance> = []
    var stop: (@Sendable () -> Void)?
  }

  private let limit: Int
  private let state = Mutex(State())

  /// - Parameter limit: the number of failing cases, from 1.
  package init(_ limit: Int) { self.limit = limit }

  var isReached: Bool { state.withLock { $0.failing.count >= limit } }

  /// The sentence of the report about the stop; nil if the run was not stopped.
  var note: String? {
    isReached ? "the run was stopped after \("failing case".counted(limit)) (--fail-fast)" : nil
  }

  /// Sets the action that stops the work. It is called at once if the limit is reached already.
  func onReached(_ stop: @escaping @Sendable () -> Void) {
    state.withLock { $0.stop = stop }
    if isReached { stop() }
  }

  /// Counts a case that has a failing verdict.
  func count(_ instance: CaseInstance) {
    let stop = state.withLock { state in
      state.failing.insert(instance)
      return state.failing.count >= limit ? state.stop : nil
    }
    stop?()
  }
}
