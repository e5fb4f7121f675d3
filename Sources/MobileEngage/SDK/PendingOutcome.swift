/// The outcome of a call that the app waits for. The outcome is reported after all requests of the call have ended.
struct PendingOutcome: Hashable, Sendable {
  var handle: String
  /// The numbers of the call's requests that have not ended.
  var requests: Set<Int>
  /// The failure of the first request that failed; nil while no request has failed.
  var failure: EngageFailure?

  var result: Result<Void, EngageFailure> { failure.map { .failure($0) } ?? .success(()) }
}
