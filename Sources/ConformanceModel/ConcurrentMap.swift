import Dispatch

extension Collection where Self: Sendable, Index == Int {
  /// What becomes of each element, in their order; made on all processors at once. Blocks until the last one is there.
  package func concurrentMap<Value: Sendable>(_ transform: @Sendable (Element) -> Value) -> [Value] {
    guard count > 1 else { return map(transform) }
    return [Value](unsafeUninitializedCapacity: count) { room, made in
      // Each place is written by one of the iterations, and read by nobody before the last of them is over.
      nonisolated(unsafe) let room = room
      DispatchQueue.concurrentPerform(iterations: count) { offset in
        room.initializeElement(at: offset, to: transform(self[startIndex + offset]))
      }
      made = count
    }
  }
}
