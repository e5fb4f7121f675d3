/// What an app waits to hear of a call: it is told once all requests of the call have ended.
struct PendingOutcome: Hashable, Sendable {
  var handle: String
  /// The numbers of the requests that have not ended.
  var requests: Set<Int>
  /// Why the first of those that failed did.
  var failure: EngageFailure?

  var result: Result<Void, EngageFailure> { failure.map { .failure($0) } ?? .success(()) }
}
