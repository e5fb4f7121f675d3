import AdapterProtocol
import NIOPosix
import Processes
import Synchronization

/// One process of an adapter that is being checked, and all events of that process.
final class CheckedAdapter: Sendable {
  /// The events of the process.
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

  static func start(_ command: ProgramCommand, limit: Duration) async throws -> CheckedAdapter {
    let events = Events()
    let session = try await AdapterSession.start(command, limits: AdapterLimits(reply: limit)) { events.append($0) }
    return CheckedAdapter(session, events)
  }

  /// Sends a command whose result must be null. Throws ``ProgramFailure`` for any other answer.
  func perform(_ request: AdapterRequest) async throws {
    let outcome = try await session.call(request)
    guard outcome == .result(.null) else {
      throw ProgramFailure(
        .broke, "the adapter answered '\(request.method)' with \(outcome.view.excerpt); expected null")
    }
  }

  /// The breaches of the adapter protocol so far, in order.
  var breaches: [String] { events.all.compactMap(Self.breach) }

  /// The events that came after the adapter's last reply, in order.
  var eventsAfterLastReply: ArraySlice<AdapterEvent> {
    let events = events.all
    let last = events.lastIndex { if case .reply = $0 { true } else { false } }
    return events[(last.map { $0 + 1 } ?? 0)...]
  }

  /// The text of an event that is a breach of the adapter protocol; nil for any other event.
  static func breach(_ event: AdapterEvent) -> String? {
    if case .breach(let text) = event { text } else { nil }
  }
}
