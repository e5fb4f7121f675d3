import AdapterProtocol
import ConformanceModel
import Glibc
import Synchronization

/// What serves one adapter's process: a thread that alone reads, reaps and reports, so that events are in order.
///
/// Others only send commands and ask for an end. A command that stdin takes at once is written by its sender; the thread
/// writes what is left over. Before `ended` is kept, the whole process group is gone and all descriptors are closed.
///
/// Two locks: the outbox is taken before the state where both are. A write to stdin wakes the process, which may answer
/// before the write is over: the thread takes the answer in with the state alone, and does not wait for the sender.
final class AdapterLoop: Sendable {
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
    limits: AdapterLimits, checks: MessageChecks, now: @escaping @Sendable () -> Heartbeat.Instant,
    processorWait: @escaping @Sendable (ChildProcess) -> ProcessorWait.Sample,
    sink: @escaping @Sendable (AdapterEvent) -> Void
  ) throws(AdapterFailure) {
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
      guard state.child != nil, outbox.isBlocked || state.isDueBeforeNextLook else { return }
      _ = write(wakeUp.writeEnd, [1], 1)
    }
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
