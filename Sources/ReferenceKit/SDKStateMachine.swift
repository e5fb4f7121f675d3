import ConformanceWire
import HTTPValues
import JSONKit

/// An SDK without I/O: inputs go in, effects come out, and the same inputs result in the same effects. ``ReferenceSDK``
/// connects it to a network, a clock and a storage.
package protocol SDKStateMachine {
  /// A call that the app makes to the SDK.
  associatedtype Call: Hashable, Sendable
  /// The contents of the storage when the app is launched.
  associatedtype Stored: StoredContents
  /// The SDK's timers. Each value is one timer: to start it while it runs means to restart it.
  associatedtype Timer: Hashable, Sendable
  /// The error with which a call of the app fails.
  associatedtype Failure: Error, Hashable, Sendable
  typealias Input = SDKInput<Call, Stored, Timer>
  typealias Effect = SDKEffect<Stored.File, Timer, Failure>

  /// Handles an input. The caller must carry out the returned effects in their order. `now` is in milliseconds since
  /// 1970.
  mutating func handle(_ input: Input, now: Int) -> [Effect]
}

/// The data that an SDK keeps in files between launches.
package protocol StoredContents: Hashable, Sendable {
  associatedtype File: RawRepresentable<String>, CaseIterable, Hashable, Sendable

  /// Decodes the files. `read` returns nil for a file that does not exist. This initializer must accept an invalid
  /// file, since such a file must not end the app.
  init(reading read: (File) -> [UInt8]?)
}

/// An input of an SDK.
///
/// Its generic parameters, like those of ``SDKEffect``, have only the constraints that its members need, so that a
/// process starts fast. At the first use of a generic type, the runtime searches the whole program for each conformance
/// that the type requires.
package enum SDKInput<Call: Sendable, Stored: Sendable, Timer: Sendable>: Sendable {
  /// The app calls the SDK. The ``SDKEffect/reply(_:_:)`` to this call has the same number.
  case call(Int, Call)
  /// The stored data, which ``SDKEffect/load`` requested.
  case loaded(Stored)
  /// A request has received its answer or has failed. The ``SDKEffect/send(_:_:)`` of this request has the same number.
  case answered(Int, Result<HTTPResponse, TransportFailure>)
  /// A timer is due.
  case fired(Timer)
  /// The app ends.
  case closing
}

extension SDKInput: Equatable where Call: Equatable, Stored: Equatable, Timer: Equatable {}
extension SDKInput: Hashable where Call: Hashable, Stored: Hashable, Timer: Hashable {}

/// An action that an SDK requests from its surroundings.
package enum SDKEffect<File: Sendable, Timer: Sendable, Failure: Error>: Sendable {
  /// Read the stored data, and pass it to the SDK before any other input.
  case load
  /// Replace a file as a whole.
  case store(File, JSON)
  /// Remove a file, if there is one.
  case remove(File)
  /// Append changes to the list in a file that is a ``Journal``.
  case note(File, [Journal.Change])
  /// Remove every file.
  case erase
  case send(Int, OutgoingRequest)
  /// Abandon the request with this number. An answer to it is ignored.
  case cancel(Int)
  case startTimer(Timer, milliseconds: Int)
  case stopTimer(Timer)
  case reply(Int, Result<JSON, Failure>)
  case callback(handle: String, JSON)
  /// Log a message for the developer.
  case log(String)
  /// The SDK crashes the app. Only an SDK with a defect does this.
  case crash
}

extension SDKEffect: Equatable where File: Equatable, Timer: Equatable, Failure: Equatable {}
extension SDKEffect: Hashable where File: Hashable, Timer: Hashable, Failure: Hashable {}

/// The reason why a request received no answer.
package struct TransportFailure: Error, Hashable, Sendable {
  package var text: String

  package init(_ text: String) { self.text = text }
}

/// A request, and the server to which it is sent.
package struct OutgoingRequest: Hashable, Sendable {
  package var endpoint: WireEndpoint
  package var request: HTTPRequest
  /// Whether the body is sent in chunks. If not, it is sent with a `Content-Length`.
  package var isChunked: Bool

  package init(to endpoint: WireEndpoint, _ request: HTTPRequest, isChunked: Bool = false) {
    self.endpoint = endpoint
    self.request = request
    self.isChunked = isChunked
  }

  /// Adds a header field that asks the server to close the connection after its answer.
  package mutating func closeConnection() { request.headers.append("Connection", "close") }

  /// Makes the request send its body in chunks, unless the body is empty.
  package mutating func chunk() { isChunked = !request.body.isEmpty }
}
