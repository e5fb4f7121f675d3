import Synchronization

/// A value that is set once, and that any number of tasks can await.
package final class Promise<Value: Sendable>: Sendable {
  private enum Answer: Sendable { case value(Value), cancelled }
  private typealias Waiter = CheckedContinuation<Answer, Never>

  private struct State {
    var value: Value?
    var waiters: [Int: Waiter] = [:]
    var lastWaiter = 0
  }

  private let state = Mutex(State())

  package init() {}

  /// Whether the value is set.
  package var isKept: Bool { state.withLock { $0.value != nil } }

  /// Sets the value, and resumes the tasks that await it. Does nothing if a value is set already.
  package func keep(_ value: Value) {
    let waiters = state.withLock { state -> [Waiter] in
      guard state.value == nil else { return [] }
      state.value = value
      defer { state.waiters = [:] }
      return Array(state.waiters.values)
    }
    for waiter in waiters { waiter.resume(returning: .value(value)) }
  }

  /// Returns the value once it is set. Throws if the task is cancelled earlier.
  package func value() async throws(CancellationError) -> Value {
    let number = nextWaiter()
    let answer = await withTaskCancellationHandler {
      await withCheckedContinuation { add($0, number, heedsCancellation: true) }
    } onCancel: {
      state.withLock { $0.waiters.removeValue(forKey: number) }?.resume(returning: .cancelled)
    }
    guard case .value(let value) = answer else { throw CancellationError() }
    return value
  }

  /// Returns the value once it is set, even if the task is cancelled.
  package func valueInAnyCase() async -> Value {
    let number = nextWaiter()
    while true {
      let answer = await withCheckedContinuation { add($0, number, heedsCancellation: false) }
      if case .value(let value) = answer { return value }
    }
  }

  private func nextWaiter() -> Int {
    state.withLock { state in
      state.lastWaiter += 1
      return state.lastWaiter
    }
  }

  private func add(_ waiter: Waiter, _ number: Int, heedsCancellation: Bool) {
    let answer = state.withLock { state -> Answer? in
      if let value = state.value { return .value(value) }
      // A cancellation from now on waits for the lock and finds the waiter.
      if heedsCancellation, Task.isCancelled { return .cancelled }
      state.waiters[number] = waiter
      return nil
    }
    if let answer { waiter.resume(returning: answer) }
  }
}
