/// A request or a timer that can be called off.
public struct Cancellation {
  private let action: () -> Void

  public init(_ action: @escaping () -> Void) { self.action = action }

  /// Calls it off; does nothing when it is over.
  public func cancel() { action() }
}
