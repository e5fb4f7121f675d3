// The same for every SDK and every protocol: the thread that everything runs on. Replace nothing here.
import Foundation

/// Closures that run one after the other on the main thread; any thread may add one.
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
