extension Optional where Wrapped: Comparable {
  /// The earlier of two instants, of which each may be none.
  package func earlier(_ other: Self) -> Self {
    guard let self, let other else { return self ?? other }
    return Swift.min(self, other)
  }
}
