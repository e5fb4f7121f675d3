import ConformanceBench
import ConformanceRunner
import Dispatch
import Glibc

/// SIGINT, SIGTERM and SIGHUP as cancellation: the first lets the run finish with a valid partial report, the second ends
/// it, and so does the first where the run has not finished a minute later: something keeps it that hears of no
/// cancellation, and whoever sends one signal alone, as a machine that goes down, must not wait for that.
enum Interruption {
  /// How long a run may take to finish once it was asked to.
  private static let patience = Duration.seconds(60)

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
      if state.isAsked { task.cancel() }
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
    var isAsked = false
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
    if state.value.isAsked {
      state.change { $0.endsAtOnce = true }
      endAtOnce()
    }
    // First of all: to say so may take its time, where nobody reads it.
    state.change { state in
      state.isAsked = true
      state.task?.cancel()
    }
    Terminal.hurry()
    queue.asyncAfter(deadline: .now() + patience / .seconds(1)) {
      if !state.value.isOver { endAtOnce() }
    }
    Terminal.error("\nconform: \(text) (once more ends at once)\n")
  }
}
