/// A request or a timer that can be called off.
package struct Cancellation {
  private let action: () -> Void

  package init(_ action: @escaping () -> Void) { self.action = action }

  /// Calls it off; does nothing when it is over.
  package func cancel() { action() }
}
