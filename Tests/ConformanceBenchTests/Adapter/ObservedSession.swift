import Glibc
import NIOCore
import Synchronization
import Testing

@testable import Adapters
@testable import Processes

/// A session with a log of its events.
struct ObservedSession {
  private final class Log: Sendable {
    let events = Mutex<[AdapterEvent]>([])
  }

  let session: AdapterSession
  private let log = Log()
  private let adapter: PythonAdapter?

  init(_ command: ProgramCommand, limits: AdapterLimits = .patient, checks: MessageChecks = .none) async throws {
    adapter = nil
    session = try await AdapterSession.start(command, limits: limits, checks: checks) { [log] event in
      log.events.withLock { $0.append(event) }
    }
  }

  /// Starts an honest adapter with this change.
  init(
    bend: String = "", limits: AdapterLimits = .patient, checks: MessageChecks = .none,
    now: @escaping @Sendable () -> Heartbeat.Instant = { .now },
    processorWait: @escaping @Sendable (ChildProcess) -> ProcessorWait.Sample = { _ in .none },
    backlog: @escaping @Sendable () -> EventLoopFuture<Void>? = { nil },
    hear: @escaping @Sendable (AdapterEvent) -> Void = { _ in }
  ) async throws {
    let adapter = try PythonAdapter(bend: bend)
    self.adapter = adapter
    session = try await AdapterSession.start(
      adapter.command, limits: limits, checks: checks, now: now, processorWait: processorWait, backlog: backlog
    ) { [log] event in
      log.events.withLock { $0.append(event) }
      hear(event)
    }
  }

  /// Like ``init(bend:limits:checks:now:processorWait:backlog:hear:)``, after the handshake.
  static func greeted(
    bend: String = "", limits: AdapterLimits = .patient, checks: MessageChecks = .none
  ) async throws -> ObservedSession {
    let observed = try await ObservedSession(bend: bend, limits: limits, checks: checks)
    _ = try await observed.session.hello(kit: "conform 0.1.0", protocolName: "parcel")
    return observed
  }

  var events: [AdapterEvent] { log.events.withLock { $0 } }
  var breaches: [String] { events.compactMap { if case .breach(let text) = $0 { text } else { nil } } }
  var output: [UInt8] { events.flatMap { if case .output(let octets) = $0 { octets.bytes } else { [UInt8]() } } }

  /// Checks that neither a process nor a zombie of the adapter and its children is left.
  func expectNothingLeft(sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(kill(-session.processID, 0) == -1 && errno == ESRCH, "processes are left", sourceLocation: sourceLocation)
    #expect(waitpid(-session.processID, nil, WNOHANG) == -1 && errno == ECHILD, sourceLocation: sourceLocation)
  }
}

extension AdapterLimits {
  /// Limits that no working adapter reaches in a test, however slow the machine is.
  static let patient = AdapterLimits(reply: .seconds(120), grace: .seconds(60))
}
