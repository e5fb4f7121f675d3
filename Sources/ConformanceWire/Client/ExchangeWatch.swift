import NIOCore
import Synchronization

/// Observes an exchange whose result another part of the program awaits.
package final class ExchangeWatch: Sendable {
  private let exchange = Mutex<NIOLoopBound<ClientExchange>?>(nil)

  package init() {}

  func watch(_ exchange: NIOLoopBound<ClientExchange>) { self.exchange.withLock { $0 = exchange } }

  /// Whether the exchange has ended, after all bytes that have arrived by now are read. False for an exchange that was
  /// not begun.
  package func hasEndedByNow() async -> Bool {
    guard let exchange = exchange.withLock(\.self) else { return false }
    // A loop that has shut down reads nothing more.
    return (try? await exchange.eventLoop.flatSubmit { exchange.value.hasEndedByNow() }.get()) ?? true
  }
}
