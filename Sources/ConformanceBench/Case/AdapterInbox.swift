import NIOCore
import Synchronization

/// Has what comes of an adapter heard on the loop of its case, one thing after the other.
///
/// What a subject sent before it spoke may still lie in a socket, and a line on stdout does not overtake it. It is the loop
/// that reads sockets, and mostly the loop that plays the case: there nobody has to be woken to wait for anybody.
final class AdapterInbox: Sendable {
  private struct Entry: Sendable {
    /// Whether all that the subject has sent by now is to be written down first.
    var afterSockets: Bool
    var hear: @Sendable () -> Void
  }

  private struct State {
    var waiting: [Entry] = []
    /// Whether the loop hears, or waits for sockets to be read.
    var isServed = false
  }

  let loop: any EventLoop
  /// On the loop: done when all is written down that the subject has sent by now; nil when it is.
  private let catchUp: @Sendable () -> EventLoopFuture<Void>?
  private let state = Mutex(State())

  init(on loop: any EventLoop, catchUp: @escaping @Sendable () -> EventLoopFuture<Void>? = { nil }) {
    self.loop = loop
    self.catchUp = catchUp
  }

  /// Has something heard after all that was posted before.
  ///
  /// - Parameter afterSockets: whether it comes after what lies in sockets by then, too.
  func post(afterSockets: Bool = false, _ hear: @escaping @Sendable () -> Void) {
    let isServed = state.withLock { state in
      defer { state.isServed = true }
      state.waiting.append(Entry(afterSockets: afterSockets, hear: hear))
      return state.isServed
    }
    if !isServed { loop.execute { self.serve() } }
  }

  /// Waits until all is heard that was posted before.
  func emptied() async {
    guard state.withLock(\.isServed) else { return }
    await withCheckedContinuation { waiter in post { waiter.resume() } }
  }

  /// How much may wait to be heard before no more is read.
  static let patience = 1000

  /// Done when what waits to be heard is heard; nil where that is not much. Memory is then no matter of how fast an adapter
  /// writes.
  func backlog() -> EventLoopFuture<Void>? {
    guard state.withLock({ $0.waiting.count > Self.patience }) else { return nil }
    let heard = loop.makePromise(of: Void.self)
    post { heard.succeed() }
    return heard.futureResult
  }

  private func serve() {
    var entries = state.withLock { $0.waiting.take() }[...]
    while let entry = entries.first {
      if entry.afterSockets, let read = catchUp() {
        entries[entries.startIndex].afterSockets = false
        let rest = Array(entries)
        state.withLock { $0.waiting = rest + $0.waiting }
        return read.hop(to: loop).whenComplete { _ in self.serve() }
      }
      entry.hear()
      entries.removeFirst()
      if entries.isEmpty { entries = next() }
    }
  }

  /// What was posted meanwhile.
  private func next() -> ArraySlice<Entry> {
    state.withLock { state in
      state.isServed = !state.waiting.isEmpty
      return state.waiting.take()[...]
    }
  }
}

extension Array {
  /// Gives all elements away.
  fileprivate mutating func take() -> Self {
    defer { self = [] }
    return self
  }
}
