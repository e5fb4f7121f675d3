import ConformanceModel
import Templates

/// A failure of the server that a developer can switch on to see how an app reacts.
package enum LiveFault: String, CaseIterable, Sendable {
  case status500 = "500"
  case status503 = "503"
  case status429 = "429"
  case slow
  case hang
  case drop
  case reset
  case cut

  /// A description of the effect that the app sees.
  package var text: String {
    switch self {
    case .status500: "answer 500"
    case .status503: "answer 503"
    case .status429: "answer 429"
    case .slow: "answer after 5 s"
    case .hang: "never answer"
    case .drop: "close the connection without an answer"
    case .reset: "reset the connection"
    case .cut: "break off the body"
    }
  }

  var kind: Fault.Kind {
    switch self {
    case .status500: .status(500)
    case .status503: .status(503)
    case .status429: .status(429)
    case .slow: .delay(.seconds(5))
    case .hang: .hang
    case .drop: .drop(serverActs: false)
    case .reset: .reset(afterBytes: 0)
    case .cut: .truncate(bytes: 1)
    }
  }
}
