import ConformanceTranscript
import Synchronization
import Templates

/// Records the events of one case in one order, and wakes the tasks that wait for them.
///
/// Every port of the case reports here, on any thread. A waiter passes a predicate on the state. The recorder evaluates
/// the predicate after each change, so that waiters do not poll.
package final class Recorder: Sendable {
  /// The state of a case at one time.
  package struct State {
    package var entries: [TranscriptEntry] = []
    /// The outcomes of labelled steps.
    package var outcomesByLabel = OutcomeReader()
    /// The outcome of each command that has returned, by the command's number.
    package var outcomes: [Int: CommandOutcome] = [:]
    /// The kit's last question to the adapter whether the subject is at rest; nil if the kit must ask again.
    package var question: RestQuestion?
    /// The labels of the kit's requests that were answered or have failed.
    package var received: Set<String> = []
    /// The number of requests to mocks whose replies the mocks hold back or never finish.
    package private(set) var held = 0
    /// The number of events that a mutation delays at present.
    package var late = 0
    /// The numbers of the alarms that went off.
    package var alarms: Set<Int> = []
    /// The approximate size of the entries in bytes.
    fileprivate(set) var kept = 0
    /// The reason why the case cannot go on.
    package var stop: TranscriptEntry.Ending?
    /// Maps the label of each command to its number.
    fileprivate var commands: [String: Int] = [:]
    /// The names of the commands without a reply, by number.
    fileprivate var pending: [Int: String] = [:]
    /// The commands in ``pending``, the commands that were given up, and the commands that were answered only because
    /// their app was being ended.
    fileprivate var unreturned: [Int: String] = [:]
    fileprivate var sent: Set<String> = []
    /// The last bytes of the subject's output before redaction. They are needed because a secret may begin in them and
    /// end in the next output.
    private var lastOutput: [UInt8] = []
    private static let rememberedOutput = 4 << 10

    /// Whether the call or send with this label has returned.
    package func isAnswered(_ label: String) -> Bool {
      commands[label].map { outcomes[$0] != nil } ?? received.contains(label)
    }

    /// Whether a command is open. An adapter that performs commands one after another does nothing else until the
    /// command returns.
    package var hasOpenCommand: Bool { !pending.isEmpty }

    /// Whether every command and every request was answered, and neither the mock nor a mutation delays anything.
    package var isAtRest: Bool { held == 0 && late == 0 && pending.isEmpty && sent.isSubset(of: received) }

    /// Records that the reply to a request at a mock starts or stops waiting. After that, the kit must ask again
    /// whether the subject is at rest.
    package mutating func hold(_ isHeld: Bool) {
      held += isHeld ? 1 : -1
      question = nil
    }

    /// Forgets the open commands, since their app was ended.
    package mutating func abandonCommands() {
      pending = [:]
      unreturned = [:]
    }

    /// The event as it must be recorded now; nil if it must not be recorded. After the case is stopped, only events of
    /// the process and the end are recorded, and the end gets the reason of the stop. After the end, no event is
    /// recorded.
    fileprivate func admitted(_ event: TranscriptEntry.Event) -> TranscriptEntry.Event? {
      if case .end? = entries.last?.event { return nil }
      guard let stop else { return event }
      return switch event {
      case .process: event
      case .end: .end(stop)
      default: nil
      }
    }

    fileprivate mutating func redacted(
      _ event: TranscriptEntry.Event, by redact: Redaction
    ) -> TranscriptEntry.Event {
      guard case .output(let octets) = event else { return redact(event) }
      defer { lastOutput = Array((lastOutput + octets.bytes).suffix(Self.rememberedOutput)) }
      return .output(redact(octets, after: lastOutput))
    }

    fileprivate mutating func note(_ event: TranscriptEntry.Event) {
      question = question?.standing(after: event)
      switch event {
      case .command(let command):
        pending[command.id] = command.name
        unreturned[command.id] = command.name
        if let label = command.label { commands[label] = command.id }
      case .reply(let reply):
        pending[reply.id] = nil
        if reply.outcome != .noReply { unreturned[reply.id] = nil }
        outcomes[reply.id] = reply.outcome
      case .sent(let label?, _, _): sent.insert(label)
      case .received(let label?, _), .failed(let label?, _): received.insert(label)
      default: break
      }
    }
  }

  private struct Waiter {
    var isDone: @Sendable (State) -> Bool
    var continuation: CheckedContinuation<Void, Never>
  }

  private struct Book {
    var state = State()
    var waiters: [Waiter] = []
    var waited = Duration.zero
    var processorWait = Duration.zero
  }

  private let book = Mutex(Book())
  private let now: @Sendable () -> LogicalTime
  private let redact: Redaction
  private let budget: EvidenceBudget
  /// Called with each entry when it is recorded, one call at a time. The closure must not use the recorder.
  private let trace: (@Sendable (TranscriptEntry) -> Void)?

  package init(
    redact: Redaction, budget: EvidenceBudget = EvidenceBudget(), trace: (@Sendable (TranscriptEntry) -> Void)? = nil,
    now: @escaping @Sendable () -> LogicalTime
  ) {
    self.redact = redact
    self.budget = budget
    self.trace = trace
    self.now = now
  }

  deinit { budget.release(book.withLock(\.state.kept)) }

  /// The reason for which the case was stopped. nil while the case can continue.
  package var stop: TranscriptEntry.Ending? { read(\.stop) }

  /// The outcome of a command; nil if the command has not returned.
  package func outcome(_ id: Int) -> CommandOutcome? { read { $0.outcomes[id] } }

  /// The name of the earliest command without a return, even if the kit has given the command up. nil if every command
  /// has returned.
  package var unreturned: String? { read { $0.unreturned.min { $0.key < $1.key }?.value } }

  /// Whether some request of the kit has failed.
  package var hasFailedRequest: Bool {
    read { $0.entries.contains { if case .failed = $0.event { true } else { false } } }
  }

  /// The real time for which the case has waited for other programs.
  package var waited: Duration { book.withLock(\.waited) }

  /// The time for which the subject was ready to run, but got no processor.
  package var processorWait: Duration { book.withLock(\.processorWait) }

  package func noteProcessorWait(_ span: Duration) { book.withLock { $0.processorWait += max(.zero, span) } }

  package var entries: [TranscriptEntry] { read(\.entries) }

  /// Calls a closure with the state. Return only small values: while a copy of the entries exists, each change copies
  /// the entries.
  package func read<Value>(_ body: (State) -> Value) -> Value { book.withLock { body($0.state) } }

  /// Adds an entry at the present logical time. After the case is stopped, only events about its end are added.
  package func record(_ event: TranscriptEntry.Event, launch: Int? = nil) {
    change { state in
      guard let event = state.admitted(event).map({ state.redacted($0, by: redact) }) else { return }
      // The entries that explain the stop of a case are small, and always kept.
      if state.stop == nil {
        if let refusal = budget.take(event.size, besides: state.kept) {
          state.stop = .init(.evidenceLimit, refusal)
          return
        }
        state.kept += event.size
      }
      let entry = TranscriptEntry(number: state.entries.count + 1, at: now(), event: event, launch: launch)
      state.entries.append(entry)
      trace?(entry)
      state.outcomesByLabel.read(entry)
      state.note(event)
    }
  }

  /// Changes the state, and resumes the waiters whose predicate is now true.
  package func change(_ body: (inout State) -> Void) {
    let woken = book.withLock { book in
      body(&book.state)
      let firstDone = book.waiters.partition { $0.isDone(book.state) }
      let done = Array(book.waiters[firstDone...])
      book.waiters.removeSubrange(firstDone...)
      return done
    }
    for waiter in woken { waiter.continuation.resume() }
  }

  /// Stops the case. Only the first reason counts. If the case took too long, the text names the first command that has
  /// not returned.
  package func halt(_ ending: TranscriptEntry.Ending) {
    change { state in
      guard state.stop == nil else { return }
      var ending = ending
      if ending.kind == .timeLimit, let open = state.pending.min(by: { $0.key < $1.key }) {
        ending.text += "; '\(open.value)' has not returned"
      }
      state.stop = ending
    }
  }

  /// Returns once the predicate is true or the case is stopped.
  package func wait(until isDone: @escaping @Sendable (State) -> Bool) async {
    let isOver: @Sendable (State) -> Bool = { $0.stop != nil || isDone($0) }
    await countingAsWaiting {
      await withCheckedContinuation { continuation in
        let isReady = book.withLock { book in
          if isOver(book.state) { return true }
          book.waiters.append(Waiter(isDone: isOver, continuation: continuation))
          return false
        }
        if isReady { continuation.resume() }
      }
    }
  }

  /// Runs work that waits for a process of the subject, such as its start or its end. The time counts as waiting time,
  /// not as time of the kit.
  package func countingAsWaiting<Value>(_ work: () async throws -> Value) async rethrows -> Value {
    let start = ContinuousClock.now
    defer {
      let span = ContinuousClock.now - start
      book.withLock { $0.waited += span }
    }
    return try await work()
  }
}
