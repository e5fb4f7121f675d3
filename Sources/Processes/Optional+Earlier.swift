extension Optional where Wrapped: Comparable {
  /// The earlier of two optional instants; nil if both are nil.
  package func earlier(_ other: Self) -> Self {
    guard let self, let other else { return self ?? other }
    return Swift.min(self, other)
  }
}
