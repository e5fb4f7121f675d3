import ConformanceModel
import Synchronization

/// Writes down what happens in one case, in one order, and wakes those who wait for it.
///
/// Every port of the case reports here, from whatever thread it lives on. A waiter names what it waits for as a
/// predicate over the state; it is looked at after each change, so nothing polls.
final class Recorder: Sendable {
  /// What is known at a moment.
  struct State {
    var entries: [TranscriptEntry] = []
    /// What labelled steps came to.
    var outcomesByLabel = OutcomeReader()
    /// The outcome of each command that came back, by its number.
    var outcomes: [Int: CommandOutcome] = [:]
    /// What the subject was last asked about its rest, as long as the answer counts.
    var question: RestQuestion?
    /// Labels of sends that came back.
    var received: Set<String> = []
    /// Requests that a mock received and lets wait on the clock or for ever.
    private(set) var held = 0
    /// How much a bend lets come later.
    var late = 0
    /// Alarms that went off, by number.
    var alarms: Set<Int> = []
    /// About how many bytes the entries take.
    fileprivate(set) var kept = 0
    /// Why the case cannot go on.
    var stop: TranscriptEntry.Ending?
    /// The numbers of commands and the labels of sends, by label, to find what came back.
    fileprivate var commands: [String: Int] = [:]
    /// The names of the commands that have not come back, by number.
    fileprivate var pending: [Int: String] = [:]
    /// The same with those that were given up, or were answered only because their app was ended.
    fileprivate var unreturned: [Int: String] = [:]
    fileprivate var sent: Set<String> = []
    /// The last bytes of what the subject wrote, as it wrote them: a secret may come in two pieces.
    private var lastOutput: [UInt8] = []
    private static let rememberedOutput = 4 << 10

    /// Whether the labelled call or send came back.
    func isAnswered(_ label: String) -> Bool {
      commands[label].map { outcomes[$0] != nil } ?? received.contains(label)
    }

    /// Whether a command is still waited for: an adapter that does one thing after the other hears nothing else until then.
    var hasOpenCommand: Bool { !pending.isEmpty }

    /// Whether every command and every request came back, and neither the mock nor a bend holds anything.
    var isAtRest: Bool { held == 0 && late == 0 && pending.isEmpty && sent.isSubset(of: received) }

    /// A mock begins to let a request wait, or ends it. An answer to how much is outstanding beside it is worth nothing
    /// any more.
    mutating func hold(_ isHeld: Bool) {
      held += isHeld ? 1 : -1
      question = nil
    }

    /// Forgets what an app that was ended will never answer.
    mutating func abandonCommands() {
      pending = [:]
      unreturned = [:]
    }

    /// The event as it may be written down now; nil when it may not. After the stop only what explains it counts: how
    /// the process ended, and the end, which is the stop. After the end nothing does.
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

  init(
    redact: Redaction, budget: EvidenceBudget = EvidenceBudget(), now: @escaping @Sendable () -> LogicalTime
  ) {
    self.redact = redact
    self.budget = budget
    self.now = now
  }

  deinit { budget.release(book.withLock(\.state.kept)) }

  /// Why the case cannot go on, if it cannot.
  var stop: TranscriptEntry.Ending? { read(\.stop) }

  /// The outcome of a command, once it came back.
  func outcome(_ id: Int) -> CommandOutcome? { read { $0.outcomes[id] } }

  /// The name of the first command that never returned, if there is one.
  var unreturned: String? { read { $0.unreturned.min { $0.key < $1.key }?.value } }

  /// Whether a request that the kit sent got no answer.
  var hasFailedRequest: Bool { read { $0.entries.contains { if case .failed = $0.event { true } else { false } } } }

  /// How long the case has waited for others in reality.
  var waited: Duration { book.withLock(\.waited) }

  /// How long the subject was ready to go on and got no processor.
  var processorWait: Duration { book.withLock(\.processorWait) }

  /// Adds to the time for which the subject got no processor.
  func noteProcessorWait(_ span: Duration) { book.withLock { $0.processorWait += max(.zero, span) } }

  /// Everything that was written down so far.
  var entries: [TranscriptEntry] { read(\.entries) }

  /// Looks at the state. What is returned should be small: a copy of the entries that is kept makes the next one costly.
  func read<Value>(_ body: (State) -> Value) -> Value { book.withLock { body($0.state) } }

  /// Adds an entry at the present logical time, unless the case was stopped and the event does not explain why.
  func record(_ event: TranscriptEntry.Event, launch: Int? = nil) {
    change { state in
      guard let event = state.admitted(event).map({ state.redacted($0, by: redact) }) else { return }
      // What explains the end of a case that is stopped is little, and always kept.
      if state.stop == nil {
        if let refusal = budget.take(event.size, besides: state.kept) {
          state.stop = .init(.evidenceLimit, refusal)
          return
        }
        state.kept += event.size
      }
      let entry = TranscriptEntry(number: state.entries.count + 1, at: now(), event: event, launch: launch)
      state.entries.append(entry)
      state.outcomesByLabel.read(entry)
      state.note(event)
    }
  }

  /// Changes the state and wakes the waiters whose predicate now holds.
  func change(_ body: (inout State) -> Void) {
    let woken = book.withLock { book in
      body(&book.state)
      let firstDone = book.waiters.partition { $0.isDone(book.state) }
      let done = Array(book.waiters[firstDone...])
      book.waiters.removeSubrange(firstDone...)
      return done
    }
    for waiter in woken { waiter.continuation.resume() }
  }

  /// Ends the case for this reason; the first reason counts. Of a case that took too long it is said what it waits for.
  func halt(_ ending: TranscriptEntry.Ending) {
    change { state in
      guard state.stop == nil else { return }
      var ending = ending
      if ending.kind == .timeLimit, let open = state.pending.min(by: { $0.key < $1.key }) {
        ending.text += "; '\(open.value)' has not returned"
      }
      state.stop = ending
    }
  }

  /// Returns when the predicate holds or the case is stopped.
  func wait(until isDone: @escaping @Sendable (State) -> Bool) async {
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

  /// Does what a process of the subject takes its time for, which is none of the kit's own: to start, to rest, to end.
  func countingAsWaiting<Value>(_ work: () async throws -> Value) async rethrows -> Value {
    let start = ContinuousClock.now
    defer {
      let span = ContinuousClock.now - start
      book.withLock { $0.waited += span }
    }
    return try await work()
  }
}
