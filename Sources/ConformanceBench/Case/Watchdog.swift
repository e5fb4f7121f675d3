import NIOCore
import NIOPosix

/// Barks once when a case takes longer in reality than a case may, beyond the time that it lets pass itself.
struct Watchdog: Sendable {
  private let timer: Scheduled<Void>

  init(limit: Duration, allowance: Duration, bark: @escaping @Sendable (String) -> Void) {
    let loop = MultiThreadedEventLoopGroup.singleton.next()
    timer = loop.scheduleTask(in: TimeAmount(limit + allowance)) {
      let extra = allowance > .zero ? " beside the \(allowance) for which it waits itself" : ""
      bark(
        "the case took longer than \(limit)\(extra); the subject does not come to rest, or --time-limit is too short")
    }
  }

  func cancel() { timer.cancel() }
}
