import ConformanceBench
import Dispatch
import Glibc

/// SIGINT and SIGTERM as cancellation: the first lets the run finish with a valid partial report, the second ends it.
enum Interruption {
  /// Does the work; true when it was interrupted, which is said on stderr.
  static func watch(
    telling text: String, _ work: @escaping @Sendable () async throws -> some Sendable
  ) async throws -> Bool {
    let task = Task { _ = try await work() }
    let sources = [SIGINT, SIGTERM].map { number in
      // Ignored as a signal, so that the dispatch source sees it instead.
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        if task.isCancelled {
          LivingProcesses.killAll()
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
      for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
    }
    do {
      try await task.value
    } catch is CancellationError {
      return true
    }
    return task.isCancelled
  }
}
