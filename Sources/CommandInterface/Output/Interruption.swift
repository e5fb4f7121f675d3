import Concurrency
import ConformanceRunner
import Dispatch
import Glibc
import Processes

/// Cancels the work of a command on SIGINT, SIGTERM or SIGHUP.
///
/// After the first signal the run finishes with a valid partial report. A signal that comes a second or more later ends
/// the process at once. Signals within the second after the first signal count as the same request. They are often
/// copies: timeout(1) signals its child and then the process group, and a shell may forward a signal that a supervisor
/// has sent to the whole group. The process ends at the latest a minute after the first signal, because some work
/// ignores cancellation.
package enum Interruption {
  /// Requests the end of the work from inside the process, as Ctrl-C in a terminal does.
  static func request() { kill(getpid(), SIGINT) }

  /// The time that a run may take to finish after the first signal.
  private static let patience = Duration.seconds(60)

  /// The time after the first signal in which further signals count as the same request.
  private static let window = Duration.seconds(1)

  private static func endAtOnce() -> Never {
    ForkServer.close()
    RunFolder.removeOwn()
    _exit(130)
  }

  /// The signals that request the end. SIGHUP is left out if the process ignores it, for example because of nohup(1).
  private static var signals: [Int32] {
    var disposition = sigaction()
    let outlivesTerminal =
      sigaction(SIGHUP, nil, &disposition) == 0
      && unsafeBitCast(disposition.__sigaction_handler.sa_handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    return [SIGINT, SIGTERM] + (outlivesTerminal ? [] : [SIGHUP])
  }

  /// Does the work. If a signal interrupts the work, prints a text to stderr and returns true.
  package static func watch(
    telling text: String, patience: Duration = patience, _ work: @escaping @Sendable () async throws -> some Sendable
  ) async throws -> Bool {
    let state = LockedValue(State())
    // The signals have a queue of their own, since the work may use all threads of the other queues.
    let queue = DispatchQueue(label: "conform.interruption")
    let numbers = signals
    var sources: [any DispatchSourceSignal] = []
    // The sources must exist before the work begins. Otherwise a signal in its first moment would end the process
    // without a record.
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
    // The work also ends if the second signal has killed its subjects. This process must then end by that signal.
    if state.value.endsAtOnce { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
    do {
      try result.get()
    } catch is CancellationError {
      return true
    }
    return task.isCancelled
  }

  /// The task of the command's work, and the requests of the signals so far.
  private struct State: Sendable {
    var task: Task<Void, any Error>?
    /// The instant of the first signal.
    var askedAt: ContinuousClock.Instant?
    var isOver = false
    var endsAtOnce = false
  }

  /// Returns a source that receives this signal. From now on, the signal no longer has its default action.
  private static func source(
    of number: Int32, on queue: DispatchQueue, _ handler: @escaping @Sendable () -> Void
  ) async -> any DispatchSourceSignal {
    // The default action would end the process, so the signal is ignored. The source still receives the signal. The
    // source checks the action when it is registered.
    signal(number, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
    source.setEventHandler(handler: handler)
    await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
      source.setRegistrationHandler { continuation.resume() }
      source.resume()
    }
    return source
  }

  /// Handles a signal.
  private static func take(
    _ state: LockedValue<State>, _ queue: DispatchQueue, _ patience: Duration, telling text: String
  ) {
    let now = ContinuousClock.now
    if let askedAt = state.value.askedAt {
      if now - askedAt < window { return }
      state.change { $0.endsAtOnce = true }
      endAtOnce()
    }
    // The work is cancelled before the message is printed, since a message takes long if its reader does not read.
    state.change { state in
      state.askedAt = now
      state.task?.cancel()
    }
    Terminal.hurry()
    queue.asyncAfter(deadline: .now() + patience / .seconds(1)) {
      if !state.value.isOver { endAtOnce() }
    }
    Terminal.error("\nconform: \(text) (interrupt again to end at once)\n")
  }
}
