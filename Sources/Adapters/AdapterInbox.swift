import NIOCore
import Synchronization

/// Processes the events of an adapter on the loop of its case, one after the other.
///
/// A request that a subject sent before it replied may still be in a socket, and a line on stdout must not overtake it.
/// The loop reads the sockets, and usually plays the case, too; then no thread has to be woken.
package final class AdapterInbox: Sendable {
  private struct Entry: Sendable {
    /// Whether everything that the subject has sent by now is recorded first.
    var afterSockets: Bool
    var hear: @Sendable () -> Void
  }

  private struct State {
    var waiting: [Entry] = []
    /// Whether the loop processes entries, or waits for sockets to be read.
    var isServed = false
  }

  package let loop: any EventLoop
  /// Must be called on the loop. Completes when everything that the subject has sent by now is recorded; nil if it is
  /// recorded already.
  private let catchUp: @Sendable () -> EventLoopFuture<Void>?
  private let state = Mutex(State())

  package init(on loop: any EventLoop, catchUp: @escaping @Sendable () -> EventLoopFuture<Void>? = { nil }) {
    self.loop = loop
    self.catchUp = catchUp
  }

  /// Queues a closure. It runs after every event that was posted before.
  ///
  /// - Parameter afterSockets: whether all bytes that are in the sockets by then are recorded first.
  package func post(afterSockets: Bool = false, _ hear: @escaping @Sendable () -> Void) {
    let isServed = state.withLock { state in
      defer { state.isServed = true }
      state.waiting.append(Entry(afterSockets: afterSockets, hear: hear))
      return state.isServed
    }
    if !isServed { loop.execute { self.serve() } }
  }

  /// Waits until everything that was posted before is processed.
  package func emptied() async {
    guard state.withLock(\.isServed) else { return }
    await withCheckedContinuation { waiter in post { waiter.resume() } }
  }

  /// The number of entries that may wait before no more is read.
  static let patience = 1000

  /// Completes once the waiting entries are processed; nil if few wait. So an adapter that writes fast does not use up
  /// the memory.
  package func backlog() -> EventLoopFuture<Void>? {
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

  /// The entries that were posted meanwhile.
  private func next() -> ArraySlice<Entry> {
    state.withLock { state in
      state.isServed = !state.waiting.isEmpty
      return state.waiting.take()[...]
    }
  }
}

extension Array {
  /// Returns all elements and removes them.
  fileprivate mutating func take() -> Self {
    defer { self = [] }
    return self
  }
}
