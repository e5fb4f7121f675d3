import Synchronization

/// Returns the numbers from 1, each of them once.
final class Counter: Sendable {
  private let last = Mutex(0)

  func next() -> Int {
    last.withLock { last in
      last += 1
      return last
    }
  }
}
