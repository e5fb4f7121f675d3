import AdapterProtocol
import ConformanceModel
import NIOCore
import NIOPosix

/// One running process of an adapter: commands go out without waiting, and all that comes back is one stream of events.
///
/// The process and everything it has started are gone when its last event, the exit, has been delivered; if the session
/// is dropped before, it is killed. Source: `spec/kit/adapter-protocol.md`.
package final class AdapterSession: Sendable {
  /// The id of the process, and of the group and session that it leads.
  package let processID: Int32
  let process: AdapterProcess
  /// On which all but log lines is heard.
  var eventLoop: any EventLoop { process.eventLoop }

  private init(_ process: AdapterProcess, processID: Int32) {
    self.process = process
    self.processID = processID
  }

  deinit { process.kill(.killed) }

  /// Starts an adapter; the next thing to say to it is ``hello(kit:protocolName:)``.
  ///
  /// - Parameters:
  ///   - eventLoop: where stdout is read: best where its answers are waited for.
  ///   - checks: what the protocol demands of results and errors.
  ///   - now: the clock that limits are on.
  ///   - processorWait: how long a process and what it started have waited for a processor: limits grow by that.
  ///   - backlog: done when so much of what the sink got is dealt with that more may be read; nil when that is so now.
  ///   - sink: gets each event as it comes, before whoever waits for a reply goes on: log lines on a thread of the
  ///     session too, and before what came after them; all else on the event loop, one after the other. It must not block.
  /// - Throws: ``AdapterFailure`` of the kind `start`, or CancellationError.
  package static func start(
    _ command: AdapterCommand, on eventLoop: any EventLoop = MultiThreadedEventLoopGroup.singleton.next(),
    limits: AdapterLimits = AdapterLimits(), checks: MessageChecks = .none,
    now: @escaping @Sendable () -> Heartbeat.Instant = { Heartbeat.shared.now },
    processorWait: @escaping @Sendable (ChildProcess) -> ProcessorWait.Sample = \.processorWait,
    backlog: @escaping @Sendable () -> EventLoopFuture<Void>? = { nil },
    sink: @escaping @Sendable (AdapterEvent) -> Void
  ) async throws -> AdapterSession {
    // A command is written by whoever sends it, on any thread.
    ignoreBrokenPipes()
    let process = try AdapterProcess(
      on: eventLoop, limits: limits, checks: checks, now: now, processorWait: processorWait, backlog: backlog,
      sink: sink)
    guard OwnThread.run({ process.run(command) }) else {
      process.wakeUp.close()
      throw AdapterFailure(.machine, "no thread can be started for the adapter: run fewer adapters at once")
    }
    do {
      return AdapterSession(process, processID: try await process.started.value().get())
    } catch {
      process.kill(.killed)
      throw error
    }
  }

  /// Sends a command without waiting for anything: its id, with which ``reply(to:)`` asks for what it came to.
  ///
  /// - Parameters:
  ///   - limit: how long the reply may take before the process counts as hung and is killed.
  ///   - isHeld: whether it goes out with what is sent next, or with ``flush()``: the process is then woken once for both.
  ///   - willSend: called with the id before any byte is written, and in the order in which commands are written. It
  ///     must not call the session.
  @discardableResult
  package func send(
    _ request: AdapterRequest, limit: ReplyLimit = .own, isHeld: Bool = false, willSend: (Int) -> Void = { _ in }
  ) -> Int {
    process.send(request, limit: limit, isHeld: isHeld, willSend: willSend)
  }

  /// Sends what is held.
  package func flush() { process.flush() }

  /// What a command came to. Known until the next `launch`, however often it is asked for.
  ///
  /// - Throws: ``AdapterFailure`` of the kinds `died`, `hung`, `broke` or `ended` when there will be no reply, or
  ///   CancellationError.
  package func reply(to id: Int) async throws -> CommandOutcome {
    guard let reply = process.reply(to: id) else {
      throw AdapterFailure(.ended, "no command since the last launch has the id \(id)")
    }
    return try await reply.value().get()
  }

  /// Sends a command and waits for what it comes to. Throws what ``reply(to:)`` throws.
  package func call(_ request: AdapterRequest, limit: ReplyLimit = .own) async throws -> CommandOutcome {
    try await reply(to: send(request, limit: limit))
  }

  /// Why no command can be taken any more; nil as long as it can.
  package var refusal: AdapterFailure? { process.state.withLock { $0.conversation.refusal } }

  /// Whether `shutdown` was answered.
  var hasAnsweredShutdown: Bool { process.state.withLock { $0.conversation.hasAnsweredShutdown } }

  /// Whether the process runs and can be asked. Looks at the process itself: its end may not have been reported yet.
  package var isAlive: Bool {
    process.state.withLock { $0.conversation.refusal == nil && $0.lifetime.isRunning && $0.child?.hasExited == false }
  }

  /// How long the process and what it has started have waited for a processor; once it is gone, what was known when a
  /// limit was last reached.
  var processorWait: Duration {
    let (child, last) = process.state.withLock { ($0.child, $0.forgiven.last) }
    return (child.map(process.processorWait) ?? last).waited
  }

  /// By how much the limits of the process have grown because it waited for a processor.
  var forgivenWait: Duration { process.state.withLock(\.forgiven.total) }

  /// What came on stderr so far.
  package var errorOutput: ErrorOutput { process.state.withLock { $0.conversation.errorOutput } }

  /// Kills what the process has started since an instant, and gives what that was, as it was called. Blocks as long as
  /// there is any.
  func endLeftovers(since begin: Supervision.Instant) -> [String] {
    process.state.withLock(\.child)?.endLeftovers(since: begin) ?? []
  }

  /// Kills the process and all it has started, whatever session that is in, and waits until they are gone, even when the
  /// task is cancelled.
  @discardableResult
  package func kill() async -> AdapterEnding {
    process.kill(.killed)
    return await process.ended.valueInAnyCase()
  }

  /// Asks the process to end: `shutdown`, SIGTERM to its group after the grace period, SIGKILL after another.
  /// Waits until all is gone, even when the task is cancelled.
  @discardableResult
  package func shutDown() async -> AdapterEnding {
    send(.shutdown)
    return await process.ended.valueInAnyCase()
  }

  /// Waits until the process and all it has started are gone, or the task is cancelled.
  package func ended() async throws(CancellationError) -> AdapterEnding { try await process.ended.value() }
}

extension AdapterSession {
  /// Asks the adapter who it is. An adapter that the kit cannot work with is killed.
  ///
  /// - Throws: ``AdapterFailure`` of the kind `handshake`, or of another kind that says why there was no answer.
  package func hello(kit: String, protocolName: String) async throws -> AdapterHello {
    do {
      let outcome = try await call(.hello(kit: kit, protocolName: protocolName))
      return try AdapterHello(outcome, expecting: protocolName)
    } catch {
      await kill()
      throw error
    }
  }
}
