import Synchronization

/// A reply that is decided after its request was received. It is given once.
package final class PendingReply: Sendable, Hashable {
  private struct State {
    var reply: WireReply?
    var waiting: [@Sendable (WireReply) -> Void] = []
  }

  private let state = Mutex(State())

  package init() {}

  /// Gives the reply to the connections that wait for it. Later replies are ignored.
  package func give(_ reply: WireReply) {
    let waiting = state.withLock { state -> [@Sendable (WireReply) -> Void] in
      guard state.reply == nil else { return [] }
      state.reply = reply
      defer { state.waiting = [] }
      return state.waiting
    }
    for action in waiting { action(reply) }
  }

  /// Runs the action with the reply: at once, or later on the thread that gives the reply.
  func whenGiven(_ action: @escaping @Sendable (WireReply) -> Void) {
    let reply = state.withLock { state in
      if state.reply == nil { state.waiting.append(action) }
      return state.reply
    }
    if let reply { action(reply) }
  }

  package static func == (left: PendingReply, right: PendingReply) -> Bool { left === right }
  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
