import ConformanceBench
import ConformanceRunner
import Dispatch
import Glibc

/// SIGINT, SIGTERM and SIGHUP as cancellation: the first lets the run finish with a valid partial report, the second ends it.
enum Interruption {
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
    telling text: String, _ work: @escaping @Sendable () async throws -> some Sendable
  ) async throws -> Bool {
    let task = Task { _ = try await work() }
    let endsAtOnce = LockedValue(false)
    let numbers = signals
    let sources = numbers.map { number in
      // Ignored as a signal, so that the dispatch source sees it instead.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        if task.isCancelled {
          endsAtOnce.change { $0 = true }
          ForkServer.close()
          RunFolder.removeOwn()
          _exit(130)
        }
        Terminal.error("\nconform: \(text) (once more ends at once)\n")
        task.cancel()
      }
      source.resume()
      return source
    }
    defer {
      for source in sources { source.cancel() }
      for number in numbers { signal(number, SIG_DFL) }
    }
    let result = await task.result
    // Work whose subjects were taken away comes to an end too; but the process ends as it was told.
    if endsAtOnce.value { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
    do {
      try result.get()
    } catch is CancellationError {
      return true
    }
    return task.isCancelled
  }
}
