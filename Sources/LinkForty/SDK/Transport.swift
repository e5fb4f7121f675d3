import ConformanceModel

/// Carries requests to a server and answers back. Every completion comes on the SDK's own loop.
package protocol Transport: AnyObject {
  /// Sends a request. After a cancellation there is no completion.
  func send(
    _ request: OutgoingRequest, completion: @escaping (Result<HTTPResponse, TransportFailure>) -> Void
  ) -> Cancellation
}
