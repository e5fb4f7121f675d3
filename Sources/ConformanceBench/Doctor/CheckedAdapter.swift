import AdapterProtocol
import ConformanceModel
import NIOPosix
import Synchronization

/// One process of an adapter that is being checked, and what it said unasked.
final class CheckedAdapter: Sendable {
  /// What came from the process.
  private final class Events: Sendable {
    private let events = Mutex<[AdapterEvent]>([])

    var all: [AdapterEvent] { events.withLock { $0 } }
    func append(_ event: AdapterEvent) { events.withLock { $0.append(event) } }
  }

  let session: AdapterSession
  private let events: Events

  private init(_ session: AdapterSession, _ events: Events) {
    self.session = session
    self.events = events
  }

  static func start(_ command: AdapterCommand, limit: Duration) async throws -> CheckedAdapter {
    let events = Events()
    let session = try await AdapterSession.start(command, limits: AdapterLimits(reply: limit)) { events.append($0) }
    return CheckedAdapter(session, events)
  }

  /// Sends a command whose result is null. Throws ``AdapterFailure`` when it is answered with anything else.
  func perform(_ request: AdapterRequest) async throws {
    let outcome = try await session.call(request)
    guard outcome == .result(.null) else {
      throw AdapterFailure(
        .broke, "the adapter answered '\(request.method)' with \(outcome.view.excerpt); expected null")
    }
  }

  /// The first breach of the adapter protocol so far; nil without one.
  var breach: String? {
    for case .breach(let text) in events.all { return text }
    return nil
  }

  /// How many callbacks have come so far.
  var callbackCount: Int {
    events.all.count { if case .callback = $0 { true } else { false } }
  }
}
