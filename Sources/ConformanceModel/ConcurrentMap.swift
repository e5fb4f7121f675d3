import Dispatch
import Synchronization

extension Collection where Self: Sendable, Index == Int {
  /// What becomes of each element, in their order; made on all processors at once. Blocks until the last one is there.
  package func concurrentMap<Value: Sendable>(_ transform: @Sendable (Element) -> Value) -> [Value] {
    guard count > 1 else { return map(transform) }
    let values = Mutex([Value?](repeating: nil, count: count))
    DispatchQueue.concurrentPerform(iterations: count) { offset in
      let value = transform(self[startIndex + offset])
      values.withLock { $0[offset] = value }
    }
    return values.withLock { $0.compactMap(\.self) }
  }
}
