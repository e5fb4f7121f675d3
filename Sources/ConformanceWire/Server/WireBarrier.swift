import Synchronization

/// Delays actions until it is opened. An open barrier stays open.
package final class WireBarrier: Sendable, Hashable {
  private struct State {
    var isOpen = false
    var waiting: [@Sendable () -> Void] = []
  }

  private let state = Mutex(State())

  package init() {}

  /// Releases all answers that wait for the barrier. Later answers do not wait.
  package func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = [] }
      return state.waiting
    }
    for action in waiting { action() }
  }

  /// Runs the action once the barrier is open: at once, or later on the thread that opens the barrier.
  func whenOpen(_ action: @escaping @Sendable () -> Void) {
    let isOpen = state.withLock { state in
      if !state.isOpen { state.waiting.append(action) }
      return state.isOpen
    }
    if isOpen { action() }
  }

  package static func == (left: WireBarrier, right: WireBarrier) -> Bool { left === right }
  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
