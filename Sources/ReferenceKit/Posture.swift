/// How an adapter behaves as an adapter.
package enum Posture: String, CaseIterable, Sendable {
  case honest
  /// Declares nothing and can do nothing.
  case null
  /// Declares everything, says yes to everything and does nothing.
  case lying
}
