extension Sequence where Element: Sendable {
  /// Calls `work` for the elements in order, with up to `limit` calls at the same time. Passes each result to `take` as
  /// soon as it exists. Begins no further call after the task is cancelled.
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
