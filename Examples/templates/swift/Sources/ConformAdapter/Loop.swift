// The same for every SDK and every protocol: the thread on which everything runs. Replace nothing here.
import Foundation

/// Runs closures one after another on the main thread. Any thread may add a closure.
final class Loop {
  private let condition = NSCondition()
  private var work: [() -> Void] = []

  func add(_ action: @escaping () -> Void) {
    condition.lock()
    work.append(action)
    condition.signal()
    condition.unlock()
  }

  var isEmpty: Bool {
    condition.lock()
    defer { condition.unlock() }
    return work.isEmpty
  }

  func next() -> () -> Void {
    condition.lock()
    defer { condition.unlock() }
    while work.isEmpty { condition.wait() }
    return work.removeFirst()
  }
}
