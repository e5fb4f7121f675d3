import ConformanceTranscript
import ConformanceWire
import HTTPValues
import JSONKit

/// An app with its SDK: created at `launch`, released at `quit`. The host calls it on one event loop only.
package protocol HostedApp: AnyObject {
  /// Runs a command of the protocol. It must reply exactly once, now or later.
  func perform(_ command: String, _ params: JSON, reply: @escaping (Result<JSON, CommandError>) -> Void)

  /// Updates facts about the app's surroundings, such as its language. Throws for a fact that the app does not support.
  func surround(_ facts: JSON.Object) throws

  /// Ends the app; the host cancels its timers and requests.
  func quit()
}

/// A timer or a request that can be cancelled.
package struct AppTimer {
  private let onCancel: () -> Void

  package init(_ onCancel: @escaping () -> Void) { self.onCancel = onCancel }

  /// Cancels the timer or request. Does nothing if the timer has fired or the request has ended.
  package func cancel() { onCancel() }
}

/// The services that a host provides for an app. The app must call these services on the host's event loop.
package protocol AppSurroundings: AnyObject {
  /// The wall clock of the app in milliseconds since 1970.
  var now: Int { get }

  /// Runs the action once, after this number of milliseconds on the app's clock.
  func schedule(after milliseconds: Int, _ action: @escaping () -> Void) -> AppTimer

  /// Sends a request over a connection that no other request uses at the same time. `AppTimer.cancel()` closes the
  /// connection; the completion is then never called.
  func send(
    _ request: HTTPRequest, to endpoint: WireEndpoint, chunked: Bool,
    completion: @escaping (Result<HTTPResponse, WireFailure>) -> Void
  ) -> AppTimer

  /// Reports to the kit that the SDK called the callback with this handle.
  func callBack(_ handle: String, _ value: JSON)
}
