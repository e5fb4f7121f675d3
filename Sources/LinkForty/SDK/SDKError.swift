import ConformanceModel

/// Why the SDK does not do what it was asked.
package struct SDKError: Error, Hashable, Sendable {
  /// What an app can tell errors apart by. Source: section 12 of the specification.
  package enum Kind: String, CaseIterable, Sendable {
    case notInitialized, alreadyInitialized, invalidConfiguration, missingApiKey, invalidEventData
    /// No connection, or one that broke.
    case network
    /// No answer in time.
    case timeout
    /// The server answered with an error status.
    case serverError
    /// The server's answer is not what the protocol says.
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

  /// A call that came before initialisation.
  package static let notInitialized = SDKError(.notInitialized, "call initialize first")

  /// Whether the same request may succeed later: no answer, or one that blames the server or the moment.
  package var isTransient: Bool {
    switch kind {
    case .network, .timeout: true
    case .serverError: status.map { $0 >= 500 || $0 == 408 || $0 == 429 } ?? false
    default: false
    }
  }
}
