import ConformanceModel
import JSONKit

/// Who an adapter drives, as it says in its answer to `hello`.
package struct AdapterIdentity: Hashable, Sendable {
  package var name: String
  package var version: String
  package var language: String
  package var platform: String
  package var protocolName: String
  package var specRevision: String
  package var capabilities: [String]
  /// Values of the SDK that the protocol leaves open, by name: numbers, texts and booleans.
  package var declares: JSON.Object

  package init(
    name: String, version: String, language: String, platform: String, protocolName: String, specRevision: String,
    capabilities: [String], declares: JSON.Object = [:]
  ) {
    self.name = name
    self.version = version
    self.language = language
    self.platform = platform
    self.protocolName = protocolName
    self.specRevision = specRevision
    self.capabilities = capabilities
    self.declares = declares
  }
}

/// What an app is launched with.
package struct AppLaunch: Hashable, Sendable {
  /// The folder for all that the app stores.
  package var storage: String
  /// Facts about the app's surroundings that the protocol defines.
  package var environment: JSON
  package var seed: UInt64

  package init(storage: String, environment: JSON, seed: UInt64) {
    self.storage = storage
    self.environment = environment
    self.seed = seed
  }
}

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

/// Where a request goes.
package struct URLParts: Hashable, Sendable {
  package var isTLS: Bool
  package var host: String
  package var port: Int

  package init(isTLS: Bool, host: String, port: Int) {
    self.isTLS = isTLS
    self.host = host
    self.port = port
  }
}

/// What an app may use of the world. Confined to the host's one loop.
package protocol AppSurroundings: AnyObject {
  /// The wall clock of the app in milliseconds since 1970.
  var now: Int { get }

  /// Runs the action once after so many milliseconds of the app's clock.
  func schedule(after milliseconds: Int, _ action: @escaping () -> Void) -> AppTimer

  /// Sends a request over a connection of its own; cancelling gives it up without a completion.
  func send(
    _ request: HTTPRequest, to endpoint: URLParts, chunked: Bool,
    completion: @escaping (Result<HTTPResponse, WireFailure>) -> Void
  ) -> AppTimer

  /// Tells the kit that the SDK called the callback with this handle.
  func callBack(_ handle: String, _ value: JSON)
}
