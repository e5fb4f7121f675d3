/// Tells the time and runs timers. Every action comes on the SDK's own loop.
package protocol SDKClock: AnyObject {
  /// Milliseconds since 1970.
  var now: Int { get }

  /// Runs the action once after so many milliseconds.
  func schedule(after milliseconds: Int, _ action: @escaping () -> Void) -> Cancellation
}
