import NIOCore
import Synchronization

/// Reports whether an exchange has ended, to code that does not await its result.
package final class ExchangeWatch: Sendable {
  private let exchange = Mutex<NIOLoopBound<ClientExchange>?>(nil)

  package init() {}

  func watch(_ exchange: NIOLoopBound<ClientExchange>) { self.exchange.withLock { $0 = exchange } }

  /// Reads all bytes that have arrived so far, and returns whether the exchange has ended. If the exchange has not
  /// begun, returns false.
  package func hasEndedByNow() async -> Bool {
    guard let exchange = exchange.withLock(\.self) else { return false }
    // A loop that has shut down reads nothing more.
    return (try? await exchange.eventLoop.flatSubmit { exchange.value.hasEndedByNow() }.get()) ?? true
  }
}
