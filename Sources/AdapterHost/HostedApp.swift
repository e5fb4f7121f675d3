import ConformanceModel
import ConformanceWire
import JSONKit

/// One app with its SDK: made at `launch`, dropped at `quit`. Every call comes on the host's one loop.
package protocol HostedApp: AnyObject {
  /// Does a command of the protocol and replies once, at any later time.
  func perform(_ command: String, _ params: JSON, reply: @escaping (Result<JSON, CommandError>) -> Void)

  /// Takes note that these facts of its surroundings are others now; throws when it cannot know of one of them.
  func surround(_ facts: JSON.Object) throws

  /// Ends the app; the host cancels its timers and requests.
  func quit()
}

/// Something that can be called off.
package struct AppTimer {
  private let onCancel: () -> Void

  package init(_ onCancel: @escaping () -> Void) { self.onCancel = onCancel }

  /// Calls it off; does nothing when it is over.
  package func cancel() { onCancel() }
}

/// What an app may use of the world. Confined to the host's one loop.
package protocol AppSurroundings: AnyObject {
  /// The wall clock of the app in milliseconds since 1970.
  var now: Int { get }

  /// Runs the action once after so many milliseconds of the app's clock.
  func schedule(after milliseconds: Int, _ action: @escaping () -> Void) -> AppTimer

  /// Sends a request over a connection that no other has meanwhile; cancelling closes that, without a completion.
  func send(
    _ request: HTTPRequest, to endpoint: WireEndpoint, chunked: Bool,
    completion: @escaping (Result<HTTPResponse, WireFailure>) -> Void
  ) -> AppTimer

  /// Tells the kit that the SDK called the callback with this handle.
  func callBack(_ handle: String, _ value: JSON)
}
