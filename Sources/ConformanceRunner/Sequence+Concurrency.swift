extension Sequence where Element: Sendable {
  /// Works on the elements, so many at once, in their order, and hands over each result as it comes. When the task is
  /// cancelled, no further elements are begun.
  package func forEachResult<Value: Sendable>(
    atOnce limit: Int, of work: @escaping @Sendable (Element) async throws -> Value, _ take: (Value) throws -> Void
  ) async throws {
    try await withThrowingTaskGroup(of: Value.self) { group in
      var waiting = makeIterator()
      func startNext() {
        guard !Task.isCancelled, let next = waiting.next() else { return }
        group.addTask { try await work(next) }
      }
      for _ in 0..<Swift.max(1, limit) { startNext() }
      while let value = try await group.next() {
        startNext()
        try take(value)
      }
    }
  }
}
