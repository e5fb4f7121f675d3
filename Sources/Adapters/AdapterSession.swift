import AdapterProtocol
import ConformanceTranscript
import NIOCore
import NIOPosix
import Processes

/// One running process of an adapter. Commands are sent without waiting. Replies, callbacks and output come back as one
/// stream of events.
///
/// The last event of a session is the exit. When the session delivers it, the process and all its children are gone. A
/// session that is released earlier kills them. Source: `spec/kit/adapter-protocol.md`.
package final class AdapterSession: Sendable {
  /// The id of the process, and also of its process group and of its session in the system.
  package let processID: Int32
  let process: AdapterProcess
  /// The loop that reports all events but log lines.
  var eventLoop: any EventLoop { process.eventLoop }

  private init(_ process: AdapterProcess, processID: Int32) {
    self.process = process
    self.processID = processID
  }

  deinit { process.kill(.killed) }

  /// Starts an adapter. The next call must be ``hello(kit:protocolName:)``.
  ///
  /// - Parameters:
  ///     - eventLoop: the loop that reads stdout, preferably the loop on which the replies are awaited.
  ///   - checks: the requirements of the protocol for the results and errors that the adapter replies with.
  ///   - now: the clock that decides when a time limit has passed.
  ///   - processorWait: returns the time that a process and its children have waited for a processor. The time limits
  ///     are extended by that time.
  ///   - backlog: called before more output is read. Returns nil if few events wait to be processed by the sink.
  ///     Otherwise returns a future that completes when the backlog is small again.
  ///   - sink: receives all events. A task that waits for a reply continues only after the sink has received that
  ///     reply. A log line reaches the sink on a thread of the session, before all events that came after it. All other
  ///     events reach the sink on the event loop, one after the other. The sink must not block.
  /// - Throws: ``ProgramFailure`` of the kind `start`, or CancellationError.
  package static func start(
    _ command: ProgramCommand, on eventLoop: any EventLoop = MultiThreadedEventLoopGroup.singleton.next(),
    limits: AdapterLimits = AdapterLimits(), checks: MessageChecks = .none,
    now: @escaping @Sendable () -> Heartbeat.Instant = { Heartbeat.shared.now },
    processorWait: @escaping @Sendable (ChildProcess) -> ProcessorWait.Sample = \.processorWait,
    backlog: @escaping @Sendable () -> EventLoopFuture<Void>? = { nil },
    sink: @escaping @Sendable (AdapterEvent) -> Void
  ) async throws -> AdapterSession {
    // The thread that sends a command also writes it, so no thread may be ended by SIGPIPE.
    ignoreBrokenPipes()
    let process = try AdapterProcess(
      on: eventLoop, limits: limits, checks: checks, source: command.isRelay ? .carrier : .output, now: now,
      processorWait: processorWait, backlog: backlog, sink: sink)
    guard OwnThread.run({ process.run(command) }) else {
      process.wakeUp.close()
      throw ProgramFailure(.machine, "no thread can be started for the adapter: run fewer adapters at once")
    }
    do {
      return AdapterSession(process, processID: try await process.started.value().get())
    } catch {
      process.kill(.killed)
      throw error
    }
  }

  /// Sends a command without waiting. Returns its id, with which ``reply(to:)`` returns the outcome.
  ///
  /// - Parameters:
  ///   - limit: how long the reply may take before the process counts as hung and is killed.
  ///   - isHeld: true if the command waits until the next command or ``flush()``, so that the process is woken only
  ///     once.
  ///   - willSend: called with the id before any byte is written, and in the order in which commands are written. It
  ///     must not call the session.
  @discardableResult
  package func send(
    _ request: AdapterRequest, limit: ReplyLimit = .own, isHeld: Bool = false, willSend: (Int) -> Void = { _ in }
  ) -> Int {
    process.send(request, limit: limit, isHeld: isHeld, willSend: willSend)
  }

  /// Writes the commands that were sent with `isHeld`.
  package func flush() { process.flush() }

  /// Waits for the outcome of a command. Until the next `launch`, any number of calls return the same outcome.
  ///
  /// - Throws: ``ProgramFailure`` of the kinds `died`, `hung`, `broke` or `ended` if there will be no reply, or
  ///   CancellationError.
  package func reply(to id: Int) async throws -> CommandOutcome {
    guard let reply = process.reply(to: id) else {
      throw ProgramFailure(.ended, "no command since the last launch has the id \(id)")
    }
    return try await reply.value().get()
  }

  /// Sends a command and waits for its outcome. Throws what ``reply(to:)`` throws.
  package func call(_ request: AdapterRequest, limit: ReplyLimit = .own) async throws -> CommandOutcome {
    try await reply(to: send(request, limit: limit))
  }

  /// The failure after which the adapter takes no more commands. nil while it takes commands.
  package var refusal: ProgramFailure? { process.state.withLock { $0.conversation.refusal } }

  /// Whether the adapter has answered `shutdown`.
  package var hasAnsweredShutdown: Bool { process.state.withLock { $0.conversation.hasAnsweredShutdown } }

  /// Whether the process runs and takes commands. A process that has ended is not alive, even if its end is not
  /// reported yet.
  package var isAlive: Bool {
    process.state.withLock { $0.conversation.refusal == nil && $0.lifetime.isRunning && $0.child?.hasExited == false }
  }

  /// The time that the process and its children have waited for a processor. After the end of the process, it is the
  /// last time that the session measured. The session measures when a limit is reached.
  package var processorWait: Duration {
    let (child, last) = process.state.withLock { ($0.child, $0.forgiven.last) }
    return (child.map(process.processorWait) ?? last).waited
  }

  /// The time by which the limits of the process were extended because the process waited for a processor.
  package var forgivenWait: Duration { process.state.withLock(\.forgiven.total) }

  /// The end of an error message. It quotes the carrier's report about where the adapter runs. Empty for an adapter
  /// that the kit has started.
  var place: String {
    guard process.source == .carrier, let words = errorOutput.lastLines.first else { return "" }
    return ". The carrier reports: \(words)"
  }

  /// The output on stderr so far.
  package var errorOutput: ErrorOutput { process.state.withLock { $0.conversation.errorOutput } }

  /// Kills all processes that the adapter's process started at or after an instant. Waits until they have ended, and
  /// returns their names.
  func endLeftovers(since begin: Supervision.Instant) -> [String] {
    process.state.withLock(\.child)?.endLeftovers(since: begin) ?? []
  }

  /// Kills the process and all its children, even those in other process groups or sessions of the system. Waits until
  /// they are gone, even if the task is cancelled.
  @discardableResult
  package func kill() async -> AdapterEnding {
    process.kill(.killed)
    return await process.ended.valueInAnyCase()
  }

  /// Sends `shutdown`, SIGTERM to the process group after the grace period, and SIGKILL after another grace period.
  /// Waits until all processes are gone, even if the task is cancelled.
  @discardableResult
  package func shutDown() async -> AdapterEnding {
    send(.shutdown)
    return await process.ended.valueInAnyCase()
  }

  /// Waits until the process and all its children are gone, or the task is cancelled.
  package func ended() async throws(CancellationError) -> AdapterEnding { try await process.ended.value() }
}

extension AdapterSession {
  /// Sends `hello` and reads the description of the SDK. An adapter that the kit cannot work with is killed.
  ///
  /// - Throws: ``ProgramFailure`` of the kind `handshake` if the answer is wrong, or of a different kind if there was
  ///   no answer.
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
