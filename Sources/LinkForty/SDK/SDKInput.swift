import ConformanceModel
import JSONKit

/// What can happen to the SDK.
package enum SDKInput: Hashable, Sendable {
  /// The app asks for something; the number returns in the reply.
  case call(Int, SDKCall)
  /// What was stored, as an answer to ``SDKEffect/load``.
  case loaded(StoredState)
  /// A request came to its end.
  case answered(Int, Result<HTTPResponse, TransportFailure>)
  /// A timer is due.
  case fired(SDKTimer)
  /// The app ends.
  case closing
}

/// What the SDK wants done.
package enum SDKEffect: Hashable, Sendable {
  /// Read what is stored and hand it in before any other input.
  case load
  /// Replace a file as a whole.
  case store(StoredFile, JSON)
  /// Remove every file.
  case erase
  case send(Int, OutgoingRequest)
  /// Give up a request: its answer is not wanted any more.
  case cancel(Int)
  case startTimer(SDKTimer, milliseconds: Int)
  case stopTimer(SDKTimer)
  case reply(Int, Result<JSON, SDKError>)
  case callback(handle: String, JSON)
  /// Something for the developer's eyes, in debug mode.
  case log(String)
  /// The app dies of the SDK, as it does only with a defect.
  case crash
}

/// The timers that the SDK sets; each runs once at a time.
package enum SDKTimer: Hashable, Sendable {
  /// A request has taken too long.
  case timeout(Int)
  /// Queued events are tried again.
  case retry
  /// Only defects ask again for a link that opened the app.
  case again(String)
  /// Only a variant sends a request again after a pause.
  case later(Int)
}

/// Why a request got no answer.
package struct TransportFailure: Error, Hashable, Sendable {
  package var text: String

  package init(_ text: String) { self.text = text }
}

/// A request and the server it goes to.
package struct OutgoingRequest: Hashable, Sendable {
  package var isTLS: Bool
  package var host: String
  package var port: Int
  package var request: HTTPRequest
  /// Whether the body goes out in chunks instead of with a length.
  package var isChunked: Bool

  package init(isTLS: Bool, host: String, port: Int, request: HTTPRequest, isChunked: Bool = false) {
    self.isTLS = isTLS
    self.host = host
    self.port = port
    self.request = request
    self.isChunked = isChunked
  }
}
