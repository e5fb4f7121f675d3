import ConformanceModel
import ConformanceWire
import JSONKit

/// An SDK without I/O: inputs go in, effects come out, and the same inputs give the same effects. ``ReferenceSDK`` plugs
/// it into a network, a clock and a storage.
package protocol SDKStateMachine {
  /// What an app can ask of it.
  associatedtype Call: Hashable, Sendable
  /// What it finds in its storage at a launch.
  associatedtype Stored: StoredContents
  /// The timers that it sets; each runs once at a time.
  associatedtype Timer: Hashable, Sendable
  /// Why it does not do what it was asked.
  associatedtype Failure: Error, Hashable, Sendable
  typealias Input = SDKInput<Call, Stored, Timer>
  typealias Effect = SDKEffect<Stored.File, Timer, Failure>

  /// Takes an input in; the effects are to be carried out in their order. `now` is in milliseconds since 1970.
  mutating func handle(_ input: Input, now: Int) -> [Effect]
}

/// What an SDK keeps between launches, in files of its own.
package protocol StoredContents: Hashable, Sendable {
  associatedtype File: RawRepresentable<String>, CaseIterable, Hashable, Sendable

  /// Reads the files; nil stands for one that is not there. One that makes no sense must not end the app.
  init(reading read: (File) -> [UInt8]?)
}

/// What can happen to an SDK.
///
/// Like ``SDKEffect`` it asks no more of its parts than they need to stand in it: at the first use of a generic type the
/// runtime looks for each conformance that the type asks for, among all of the program's.
package enum SDKInput<Call: Sendable, Stored: Sendable, Timer: Sendable>: Sendable {
  /// The app asks for something; the number returns in the reply.
  case call(Int, Call)
  /// What was stored, as an answer to ``SDKEffect/load``.
  case loaded(Stored)
  /// A request came to its end.
  case answered(Int, Result<HTTPResponse, TransportFailure>)
  /// A timer is due.
  case fired(Timer)
  /// The app ends.
  case closing
}

extension SDKInput: Equatable where Call: Equatable, Stored: Equatable, Timer: Equatable {}
extension SDKInput: Hashable where Call: Hashable, Stored: Hashable, Timer: Hashable {}

/// What an SDK wants done.
package enum SDKEffect<File: Sendable, Timer: Sendable, Failure: Error>: Sendable {
  /// Read what is stored and hand it in before any other input.
  case load
  /// Replace a file as a whole.
  case store(File, JSON)
  /// Remove a file, if there is one.
  case remove(File)
  /// Note changes of a list in a file that is a ``Journal``.
  case note(File, [Journal.Change])
  /// Remove every file.
  case erase
  case send(Int, OutgoingRequest)
  /// Give up a request: its answer is not wanted any more.
  case cancel(Int)
  case startTimer(Timer, milliseconds: Int)
  case stopTimer(Timer)
  case reply(Int, Result<JSON, Failure>)
  case callback(handle: String, JSON)
  /// Something for the developer's eyes.
  case log(String)
  /// The app dies of the SDK, as it does only with a defect.
  case crash
}

extension SDKEffect: Equatable where File: Equatable, Timer: Equatable, Failure: Equatable {}
extension SDKEffect: Hashable where File: Hashable, Timer: Hashable, Failure: Hashable {}

/// Why a request got no answer.
package struct TransportFailure: Error, Hashable, Sendable {
  package var text: String

  package init(_ text: String) { self.text = text }
}

/// A request and the server it goes to.
package struct OutgoingRequest: Hashable, Sendable {
  package var endpoint: WireEndpoint
  package var request: HTTPRequest
  /// Whether the body goes out in chunks instead of with a length.
  package var isChunked: Bool

  package init(to endpoint: WireEndpoint, _ request: HTTPRequest, isChunked: Bool = false) {
    self.endpoint = endpoint
    self.request = request
    self.isChunked = isChunked
  }

  /// Has the server end the connection behind its answer.
  package mutating func closeConnection() { request.headers.append("Connection", "close") }

  /// Has the body, if there is one, go out in chunks.
  package mutating func chunk() { isChunked = !request.body.isEmpty }
}
