// The same for every SDK and every protocol: the parts of an adapter. Replace nothing here.
import Foundation

/// An adapter around an SDK. Every closure is called on one thread, the loop.
public struct ConformAdapter<SDK> {
  /// Ends a command, once: with its result, which JSON can express, or with an error.
  public typealias Reply = (Result<Any?, any Error>) -> Void
  /// A command of the protocol. It calls `reply` on the loop, at once or later, or throws.
  public typealias Command = (SDK, [String: Any], App, @escaping Reply) throws -> Void

  /// The members of the reply to `hello` in addition to `protocolVersion`.
  public var hello: [String: Any]
  /// Starts the SDK for one app.
  public var open: (App) throws -> SDK
  /// Called when the app is closed. The SDK writes its data and ends.
  public var close: (SDK) -> Void
  /// Describes an error of the SDK that is not a ``Failed``.
  public var failure: (any Error) -> Failed
  /// A function for each command, by the command's name.
  public var commands: [String: Command]

  /// An adapter that is served by ``serve()``.
  public init(
    hello: [String: Any], open: @escaping (App) throws -> SDK, close: @escaping (SDK) -> Void,
    failure: @escaping (any Error) -> Failed, commands: [String: Command]
  ) {
    self.hello = hello
    self.open = open
    self.close = close
    self.failure = failure
    self.commands = commands
  }

  /// Serves commands until shutdown or the end of stdin.
  public func serve() -> Never {
    let loop = Loop()
    let host = Host(self, loop, Output())
    let reader = Thread {
      while let line = readLine() {
        guard let message = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] else {
          giveUp("a line of the kit is not a JSON object")
        }
        loop.add { host.receive(message) }
      }
      loop.add { host.end() }
    }
    reader.start()
    while true {
      loop.next()()
      if loop.isEmpty { host.step() }
    }
  }
}

/// Thrown by a command whose feature the SDK does not have.
public struct Unsupported: Error {
  /// A sentence about the missing part.
  public let message: String

  /// An error with a text for people.
  public init(_ message: String) { self.message = message }
}

/// An error of the SDK. `kind` is one of the protocol's error kinds; `status` is the HTTP status.
public struct Failed: Error {
  public var kind: String
  public var status: Int?
  public var message: String

  /// An error with a text for people. `status` is nil if there was no response.
  public init(kind: String, status: Int? = nil, message: String) {
    self.kind = kind
    self.status = status
    self.message = message
  }
}
