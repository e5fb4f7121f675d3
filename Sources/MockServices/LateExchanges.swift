import ConformanceModel
import ConformanceTranscript

/// The requests to a mock that are recorded later than they came, with the events that followed each meanwhile.
///
/// Each is recorded with a connection of its own, since the subject may have sent the next request on its connection.
struct LateExchanges {
  typealias Event = TranscriptEntry.Event

  fileprivate struct Exchange {
    var service: ServiceName
    var connection: Int
    /// The events of the exchange that came before its request was recorded.
    var events: [Event] = []
    var isWritten = false
    var isAnswered = false
  }

  private var exchanges: [Int: Exchange] = [:]
  private var lastNumber = 0

  /// Notes a request that may be recorded later. Returns its number.
  mutating func begin(_ connection: Int, at service: ServiceName) -> Int {
    lastNumber += 1
    exchanges[lastNumber] = Exchange(service: service, connection: connection)
    return lastNumber
  }

  /// Notes that the request is recorded where it came.
  mutating func cancel(_ number: Int) { exchanges[number] = nil }

  /// Notes that the request is recorded now. Returns the events that followed meanwhile.
  mutating func write(_ number: Int) -> [Event] {
    guard let exchange = exchanges[number] else { return [] }
    exchanges[number] = exchange.isAnswered ? nil : exchange.written
    return exchange.events
  }

  /// The event as it can be recorded now; nil if its request has to be recorded first.
  mutating func take(_ event: Event, on connection: Int, at service: ServiceName) -> Event? {
    let number = exchanges.first { !$1.isAnswered && $1.connection == connection && $1.service == service }?.key
    guard let number, var exchange = exchanges[number] else { return event }
    let moved = event.moved(to: connection + Bender.otherConnections)
    switch event {
    case .response, .closed: exchange.isAnswered = true
    default: break
    }
    if !exchange.isWritten { exchange.events.append(moved) }
    exchanges[number] = exchange.isWritten && exchange.isAnswered ? nil : exchange
    return exchange.isWritten ? moved : nil
  }
}

extension LateExchanges.Exchange {
  fileprivate var written: Self {
    var exchange = self
    (exchange.isWritten, exchange.events) = (true, [])
    return exchange
  }
}

extension LateExchanges.Event {
  /// A copy of the event on another connection of its mock.
  fileprivate func moved(to connection: Int) -> Self {
    switch self {
    case .response(let upstream, var record):
      record.connection = connection
      return .response(upstream: upstream, record)
    case .fault(let upstream, _, let kind): return .fault(upstream: upstream, connection: connection, kind: kind)
    case .kept(let upstream, _): return .kept(upstream: upstream, connection: connection)
    case .closed(let upstream, _, let side): return .closed(upstream: upstream, connection: connection, by: side)
    default: return self
    }
  }
}
