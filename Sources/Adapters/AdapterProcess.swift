import AdapterProtocol
import ConformanceTranscript
import Glibc
import NIOCore
import Processes
import Synchronization

/// The process of one adapter, with an event loop and a thread that serve it. The loop reads stdout, and reports the
/// events in order. The thread waits for everything else.
///
/// The case that uses the process runs on the same loop, so an answer wakes no other thread. The thread writes the
/// bytes for which the pipe of stdin had no room when a command was sent, watches limits and reaps the process. The
/// thread itself reports only the output on stderr; the loop reports all other events that result from this work. When
/// the promise `ended` is kept, the whole process group is gone and all descriptors are closed.
///
/// There are three locks: of stderr, of the outbox and of the state. A thread that has the lock of the state takes no
/// other lock. A thread takes the lock of stderr before it reports a piece of stderr, and the loop takes the same lock
/// before it reports anything of stdout. The thread has no lock while it waits for the loop. A write to stdin wakes the
/// process, which may answer while the writer still has the lock of the outbox. So the loop does not take the lock of
/// the outbox when it processes an answer.
final class AdapterProcess: Sendable {
  typealias Reply = Result<CommandOutcome, ProgramFailure>

  struct State {
    var conversation: AdapterConversation
    var lifetime: AdapterLifetime
    /// The process; nil before its start, and after its end, when its id may belong to another process.
    var child: ChildProcess?
    /// The instant until which the thread waits if no event comes.
    var nextLook: SuspendingClock.Instant?
    var replies: [Int: Promise<Reply>] = [:]
    /// The id of the first `shutdown`.
    var shutdown: Int?
    /// The time for which the process has waited for a processor, and by which the deadlines have already been
    /// extended.
    var forgiven = ProcessorWait.Forgiven()
  }
  let started = Promise<Result<pid_t, ProgramFailure>>()
  let ended = Promise<AdapterEnding>()
  let sink: @Sendable (AdapterEvent) -> Void
  /// Called before more of stdout is read. Returns nil if few events wait to be processed, and otherwise a future that
  /// completes once few events wait.
  let backlog: @Sendable () -> EventLoopFuture<Void>?
  /// The loop that reads stdout and reports all events but log lines.
  let eventLoop: any EventLoop
  /// The reader of stderr. Only the owner of the lock reads. nil before the start and after the end of stderr.
  let errors = Mutex<PipeReader?>(nil)
  let wakeUp: Pipe
  /// The longest wait of the thread, which equals the usual limit of a reply. If a command is sent during a wait, its
  /// limit is usually reached only after this wait, so the command need not wake the thread.
  let longestWait: Duration
  let outbox = Mutex(AdapterOutbox())
  /// Whether the outbox has bytes that wait for space in the pipe of stdin.
  let isOutboxBlocked = Atomic(false)
  let state: Mutex<State>
  let source: MessageSource
  /// The clock of all deadlines. It stops while the kit cannot run.
  let now: @Sendable () -> Heartbeat.Instant
  /// The time that a process and its children have waited for a processor so far.
  let processorWait: @Sendable (ChildProcess) -> ProcessorWait.Sample

  init(
    on eventLoop: any EventLoop, limits: AdapterLimits, checks: MessageChecks, source: MessageSource,
    now: @escaping @Sendable () -> Heartbeat.Instant,
    processorWait: @escaping @Sendable (ChildProcess) -> ProcessorWait.Sample,
    backlog: @escaping @Sendable () -> EventLoopFuture<Void>?, sink: @escaping @Sendable (AdapterEvent) -> Void
  ) throws(ProgramFailure) {
    self.eventLoop = eventLoop
    self.backlog = backlog
    self.sink = sink
    self.now = now
    self.processorWait = processorWait
    wakeUp = try Pipe.open()
    for end in [wakeUp.readEnd, wakeUp.writeEnd] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    longestWait = limits.reply
    self.source = source
    let conversation = AdapterConversation(limits: limits, checks: checks, source: source)
    state = Mutex(State(conversation: conversation, lifetime: AdapterLifetime(grace: limits.grace)))
  }

  /// Puts a command into the outbox. Returns its id.
  ///
  /// - Parameters:
  ///   - isHeld: true if the command waits in the outbox until the next command or a flush.
  ///   - willSend: called with the command's id before any byte of the command is written.
  func send(_ request: AdapterRequest, limit: ReplyLimit, isHeld: Bool, willSend: (Int) -> Void) -> Int {
    outbox.withLock { outbox in
      let (id, line) = state.withLock { register(request, limit: limit, in: &$0, willSend: willSend) }
      if let line {
        outbox.append(line)
        if !isHeld { flush(&outbox) }
      }
      return id
    }
  }

  /// Registers a command. Returns its id and its line; the line is nil if the adapter takes no more commands.
  private func register(
    _ request: AdapterRequest, limit: ReplyLimit, in state: inout State, willSend: (Int) -> Void
  ) -> (id: Int, line: [UInt8]?) {
    let (id, line) = state.conversation.command(request, limit: limit, at: now())
    let promise = Promise<Reply>()
    if request.method == BaseCommand.launch.rawValue { state.replies = state.replies.filter { !$0.value.isKept } }
    state.replies[id] = promise
    if let refusal = state.conversation.refusal {
      promise.keep(.failure(refusal))
      return (id, nil)
    }
    willSend(id)
    if request.method == BaseCommand.shutdown.rawValue, state.lifetime.isRunning {
      state.lifetime.ask(at: now())
      state.shutdown = id
    }
    return (id, line)
  }

  func flush() { outbox.withLock { flush(&$0) } }

  private func flush(_ outbox: inout AdapterOutbox) {
    if outbox.isHeld { writeOut(&outbox) }
    state.withLock { state in
      if outbox.isBlocked || state.isDueBeforeNextLook { wake(&state) }
    }
  }

  /// Wakes the thread. Does nothing after the end of the process, when the thread only cleans up.
  func wake(_ state: inout State) {
    if state.child != nil { _ = write(wakeUp.writeEnd, [1], 1) }
  }

  /// Writes as many bytes as stdin takes now. Returns false if the process has closed its stdin.
  @discardableResult
  func writeOut(_ outbox: inout AdapterOutbox) -> Bool {
    defer { isOutboxBlocked.store(outbox.isBlocked, ordering: .releasing) }
    return outbox.write()
  }

  /// The promise of a command's outcome; nil if no command since the last launch has this id.
  func reply(to id: Int) -> Promise<Reply>? { state.withLock { $0.replies[id] } }

  /// Kills the process and all its children.
  func kill(_ cause: AdapterEnding.Cause) {
    state.withLock { state in
      state.lifetime.kill(cause)
      state.child?.signal(SIGKILL)
    }
  }
}
