/// The reason why a call of the SDK fails.
package struct SDKError: Error, Hashable, Sendable {
  /// The kind by which an app distinguishes errors. Source: section 12 of the specification.
  package enum Kind: String, CaseIterable, Sendable {
    case notInitialized, alreadyInitialized, invalidConfiguration, missingApiKey, invalidEventData
    /// No connection could be made, or the connection broke.
    case network
    /// No answer arrived in time.
    case timeout
    /// The server answered with an error status.
    case serverError
    /// The server's answer does not follow the protocol.
    case decoding
    case generic
  }

  package var kind: Kind
  /// The status of a ``Kind/serverError``.
  package var status: Int?
  package var message: String

  package init(_ kind: Kind, _ message: String, status: Int? = nil) {
    self.kind = kind
    self.status = status
    self.message = message
  }

  /// The error of a call before initialisation.
  package static let notInitialized = SDKError(.notInitialized, "call initialize first")

  /// Whether the same request may succeed later: there was no answer, or a status of a temporary failure.
  package var isTransient: Bool {
    switch kind {
    case .network, .timeout: true
    case .serverError: status.map { $0 >= 500 || $0 == 408 || $0 == 429 } ?? false
    default: false
    }
  }
}
