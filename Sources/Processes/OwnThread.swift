import Glibc

/// A thread for calls that block, so that they do not occupy a thread of the task pool.
package enum OwnThread {
  private final class Body {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Runs the body on a new thread. Returns false if the system cannot create a thread.
  ///
  /// SIGPIPE is blocked on the thread. So a write to an adapter that has ended fails, and never ends the process.
  package static func run(_ body: @escaping @Sendable () -> Void) -> Bool {
    let retained = Unmanaged.passRetained(Body(body))
    var thread = pthread_t()
    let code = pthread_create(
      &thread, nil,
      { argument in
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        if let argument { Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run() }
        return nil
      }, retained.toOpaque())
    guard code == 0 else {
      retained.release()
      return false
    }
    pthread_detach(thread)
    return true
  }
}
