import AdapterProtocol
import ConformanceModel
import Glibc
import NIOCore
import Synchronization

/// One adapter's process and what serves it: an event loop that reads stdout and reports what follows, so that events are
/// in order, and a thread that waits for all else.
///
/// The loop is that of the case which the process is lent to: an answer wakes nobody but whoever waits for it. The thread
/// writes what stdin did not take at once from the sender of a command, sees limits pass, and reaps; what follows from
/// that it has reported on the loop. Only what it reads of stderr it reports itself. Before `ended` is kept, the whole
/// process group is gone and all descriptors are closed.
///
/// Three locks. That of stderr is taken before what is read there is reported, and by the loop before it reports anything
/// of stdout; that of the outbox, and that of the state, which is taken last. The thread holds none while it waits for the
/// loop. A write to stdin wakes the process, which may answer before the write is over: the loop takes the answer in with
/// the state alone, and does not wait for the sender.
final class AdapterProcess: Sendable {
  typealias Reply = Result<CommandOutcome, AdapterFailure>

  struct State {
    var conversation: AdapterConversation
    var lifetime: AdapterLifetime
    /// nil before the start, and from the moment on at which its id may mean another process.
    var child: ChildProcess?
    /// When the thread looks again although nothing has happened.
    var nextLook: SuspendingClock.Instant?
    var replies: [Int: Promise<Reply>] = [:]
    /// The id of the first `shutdown`.
    var shutdown: Int?
    /// How much of the time in which the process waited for a processor has been added to its deadlines.
    var forgiven = ProcessorWait.Forgiven()
  }

  let started = Promise<Result<pid_t, AdapterFailure>>()
  let ended = Promise<AdapterEnding>()
  let sink: @Sendable (AdapterEvent) -> Void
  /// Done when no more waits to be heard than may; nil when that is so now.
  let backlog: @Sendable () -> EventLoopFuture<Void>?
  /// Where stdout is read, and all is reported but log lines.
  let eventLoop: any EventLoop
  /// stderr, which whoever has the lock may read; nil before the start and after its end.
  let errors = Mutex<PipeReader?>(nil)
  let wakeUp: Pipe
  /// How long the thread waits at most. A command that is sent meanwhile is due no earlier, so it need not be woken.
  let longestWait: Duration
  let outbox = Mutex(AdapterOutbox())
  /// Whether the outbox waits for stdin to take more.
  let isOutboxBlocked = Atomic(false)
  let state: Mutex<State>
  /// What deadlines are on: a clock that stands still while the kit does.
  let now: @Sendable () -> Heartbeat.Instant
  /// How long a process and what it started have waited for a processor so far.
  let processorWait: @Sendable (ChildProcess) -> ProcessorWait.Sample

  init(
    on eventLoop: any EventLoop, limits: AdapterLimits, checks: MessageChecks,
    now: @escaping @Sendable () -> Heartbeat.Instant,
    processorWait: @escaping @Sendable (ChildProcess) -> ProcessorWait.Sample,
    backlog: @escaping @Sendable () -> EventLoopFuture<Void>?, sink: @escaping @Sendable (AdapterEvent) -> Void
  ) throws(AdapterFailure) {
    self.eventLoop = eventLoop
    self.backlog = backlog
    self.sink = sink
    self.now = now
    self.processorWait = processorWait
    wakeUp = try Pipe.open()
    for end in [wakeUp.readEnd, wakeUp.writeEnd] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    longestWait = limits.reply
    let conversation = AdapterConversation(limits: limits, checks: checks)
    state = Mutex(State(conversation: conversation, lifetime: AdapterLifetime(grace: limits.grace)))
  }

  /// Puts a command into the outbox.
  ///
  /// - Parameters:
  ///   - isHeld: whether it goes out with what is sent next, or when it is flushed.
  ///   - willSend: called with the command's id before any byte of it is written.
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

  /// Gives a command its id, and its line unless no command can be taken any more.
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

  /// Writes what is held.
  func flush() { outbox.withLock { flush(&$0) } }

  private func flush(_ outbox: inout AdapterOutbox) {
    if outbox.isHeld { writeOut(&outbox) }
    state.withLock { state in
      if outbox.isBlocked || state.isDueBeforeNextLook { wake(&state) }
    }
  }

  /// Has the thread look at what there is to do. Once it cleans up it needs nobody for that.
  func wake(_ state: inout State) {
    if state.child != nil { _ = write(wakeUp.writeEnd, [1], 1) }
  }

  /// Writes what stdin takes now; false when nobody reads it any more.
  @discardableResult
  func writeOut(_ outbox: inout AdapterOutbox) -> Bool {
    defer { isOutboxBlocked.store(outbox.isBlocked, ordering: .releasing) }
    return outbox.write()
  }

  /// What the command comes to; nil when no command since the last launch has this id.
  func reply(to id: Int) -> Promise<Reply>? { state.withLock { $0.replies[id] } }

  /// Kills the process and all it has started.
  func kill(_ cause: AdapterEnding.Cause) {
    state.withLock { state in
      state.lifetime.kill(cause)
      state.child?.signal(SIGKILL)
    }
  }
}
