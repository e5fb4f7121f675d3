import ConformanceModel
import ConformanceTranscript

/// The requests to a mock that are recorded later than they arrived, and the events of these requests. The events of a
/// request are recorded after the request.
///
/// A late request is recorded with a different connection number, since the subject may have sent its next request on
/// the same connection.
struct LateExchanges {
  typealias Event = TranscriptEntry.Event

  fileprivate struct Exchange {
    var service: ServiceName
    var connection: Int
    /// The events of the exchange that wait until its request is recorded.
    var events: [Event] = []
    var isWritten = false
    var isAnswered = false
  }

  private var exchanges: [Int: Exchange] = [:]
  private var lastNumber = 0

  /// Adds a request that may be recorded later. Returns its number.
  mutating func begin(_ connection: Int, at service: ServiceName) -> Int {
    lastNumber += 1
    exchanges[lastNumber] = Exchange(service: service, connection: connection)
    return lastNumber
  }

  /// Removes a request that is recorded without a delay.
  mutating func cancel(_ number: Int) { exchanges[number] = nil }

  /// Marks a request as recorded. Returns the events that waited for it and must be recorded next.
  mutating func write(_ number: Int) -> [Event] {
    guard let exchange = exchanges[number] else { return [] }
    exchanges[number] = exchange.isAnswered ? nil : exchange.written
    return exchange.events
  }

  /// The event as it must be recorded now; nil if it waits until its request is recorded.
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
