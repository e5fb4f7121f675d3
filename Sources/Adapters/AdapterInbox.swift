import NIOCore
import Synchronization

/// Processes the events of an adapter on the event loop of its case, one after the other.
///
/// If a subject sends a request and then a reply, the request may still be unread in a socket when the reply arrives on
/// stdout. The inbox waits until the socket is read, so that the request is recorded before the reply. The same loop
/// reads the sockets and usually performs the case, so that no thread has to be woken.
package final class AdapterInbox: Sendable {
  private struct Entry: Sendable {
    /// Whether the kit must record the bytes that are in the sockets before it processes this entry.
    var afterSockets: Bool
    var hear: @Sendable () -> Void
  }

  private struct State {
    var waiting: [Entry] = []
    /// Whether entries are being processed. It becomes true when ``post(afterSockets:_:)`` adds the first entry, and
    /// false when no entry waits any more.
    var isServed = false
  }

  package let loop: any EventLoop
  /// Records everything that the subject has sent by now. The future completes when this is done; it is nil if nothing
  /// is left to record. Must be called on the loop.
  private let catchUp: @Sendable () -> EventLoopFuture<Void>?
  private let state = Mutex(State())

  package init(on loop: any EventLoop, catchUp: @escaping @Sendable () -> EventLoopFuture<Void>? = { nil }) {
    self.loop = loop
    self.catchUp = catchUp
  }

  /// Queues a closure. It runs after every closure that was posted before.
  ///
  /// - Parameter afterSockets: true if the bytes in the sockets must be recorded before the closure runs.
  package func post(afterSockets: Bool = false, _ hear: @escaping @Sendable () -> Void) {
    let isServed = state.withLock { state in
      defer { state.isServed = true }
      state.waiting.append(Entry(afterSockets: afterSockets, hear: hear))
      return state.isServed
    }
    if !isServed { loop.execute { self.serve() } }
  }

  /// Waits until every entry that was posted before this call is processed.
  package func emptied() async {
    guard state.withLock(\.isServed) else { return }
    await withCheckedContinuation { waiter in post { waiter.resume() } }
  }

  /// The number of waiting entries above which the kit stops reading from the adapter.
  static let patience = 1000

  /// Completes once the waiting entries are processed; nil if at most ``patience`` entries wait. The kit reads no more
  /// output until then, which limits the memory that an adapter with much output can use.
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

  /// Takes the entries that were posted while the earlier entries were processed.
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
