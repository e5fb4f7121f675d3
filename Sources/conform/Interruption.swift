import ConformanceBench
import ConformanceRunner
import Dispatch
import Glibc

/// SIGINT, SIGTERM and SIGHUP as cancellation.
///
/// The first signal lets the run finish with a valid partial report. A signal that comes a second or more later ends the
/// process at once. Signals within the second after the first count as the same request: timeout(1) signals its child
/// and then its group, and a supervisor may signal a group of which a shell passes the signal on. The first signal also
/// ends a process that has not finished a minute later, because some work ignores cancellation.
enum Interruption {
  /// How long a run may take to finish once it was asked to.
  private static let patience = Duration.seconds(60)

  /// How long after the first signal further signals count as the same request.
  private static let window = Duration.seconds(1)

  private static func endAtOnce() -> Never {
    ForkServer.close()
    RunFolder.removeOwn()
    _exit(130)
  }

  /// All that ask for an end; one that is started to outlive its terminal (nohup) goes on without it.
  private static var signals: [Int32] {
    var disposition = sigaction()
    let outlivesTerminal =
      sigaction(SIGHUP, nil, &disposition) == 0
      && unsafeBitCast(disposition.__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    return [SIGINT, SIGTERM] + (outlivesTerminal ? [] : [SIGHUP])
  }

  /// Does the work; true when it was interrupted, which is said on stderr.
  static func watch(
    telling text: String, patience: Duration = patience, _ work: @escaping @Sendable () async throws -> some Sendable
  ) async throws -> Bool {
    let state = LockedValue(State())
    // Of its own, since work may keep all threads of the others.
    let queue = DispatchQueue(label: "conform.interruption")
    let numbers = signals
    var sources: [any DispatchSourceSignal] = []
    // Before the work begins: a signal would else end it in its first moment, without a word in its record.
    for number in numbers {
      sources.append(await source(of: number, on: queue) { take(state, queue, patience, telling: text) })
    }
    defer {
      for source in sources { source.cancel() }
      for number in numbers { signal(number, SIG_DFL) }
    }
    let task = Task { _ = try await work() }
    state.change { state in
      state.task = task
      if state.askedAt != nil { task.cancel() }
    }
    let result = await task.result
    state.change { $0.isOver = true }
    // Work whose subjects were taken away comes to an end too; but the process ends as it was told.
    if state.value.endsAtOnce { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
    do {
      try result.get()
    } catch is CancellationError {
      return true
    }
    return task.isCancelled
  }

  /// What is known of the work and of who asked for its end.
  private struct State: Sendable {
    var task: Task<Void, any Error>?
    /// When the first signal came.
    var askedAt: ContinuousClock.Instant?
    var isOver = false
    var endsAtOnce = false
  }

  /// A source of a signal, which sees it from now on.
  private static func source(
    of number: Int32, on queue: DispatchQueue, _ handler: @escaping @Sendable () -> Void
  ) async -> any DispatchSourceSignal {
    // Ignored as a signal, so that the source sees it instead: it looks at that when it is registered.
    signal(number, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
    source.setEventHandler(handler: handler)
    await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
      source.setRegistrationHandler { continuation.resume() }
      source.resume()
    }
    return source
  }

  /// Takes a signal.
  private static func take(
    _ state: LockedValue<State>, _ queue: DispatchQueue, _ patience: Duration, telling text: String
  ) {
    let now = ContinuousClock.now
    if let askedAt = state.value.askedAt {
      if now - askedAt < window { return }
      state.change { $0.endsAtOnce = true }
      endAtOnce()
    }
    // First of all: to say so may take its time, where nobody reads it.
    state.change { state in
      state.askedAt = now
      state.task?.cancel()
    }
    Terminal.hurry()
    queue.asyncAfter(deadline: .now() + patience / .seconds(1)) {
      if !state.value.isOver { endAtOnce() }
    }
    Terminal.error("\nconform: \(text) (once more ends at once)\n")
  }
}
