import Dispatch

extension Collection where Self: Sendable, Index == Int {
  /// The results of `transform` for each element, in order. The function uses all processors, and blocks until the last
  /// result is computed.
  package func concurrentMap<Value: Sendable>(_ transform: @Sendable (Element) -> Value) -> [Value] {
    guard count > 1 else { return map(transform) }
    return [Value](unsafeUninitializedCapacity: count) { room, made in
      // Each iteration writes only its own place, and the places are read only after the last iteration.
      nonisolated(unsafe) let room = room
      DispatchQueue.concurrentPerform(iterations: count) { offset in
        room.initializeElement(at: offset, to: transform(self[startIndex + offset]))
      }
      made = count
    }
  }
}
