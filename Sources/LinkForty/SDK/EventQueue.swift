import ConformanceModel
import JSONKit

/// The events that wait to be sent, oldest first: at most a hundred, and a full queue turns the newest away.
struct EventQueue: Hashable, Sendable {
  /// What a full queue gives up.
  enum Overflow: Hashable, Sendable {
    case newest, oldest
  }

  private(set) var events: [PendingEvent] = []
  let capacity: Int
  let overflow: Overflow
  private var lastNumber = 0

  init(_ stored: [PendingEvent] = [], capacity: Int = 100, overflow: Overflow = .newest) {
    self.capacity = capacity
    self.overflow = overflow
    for event in stored { add(event) }
  }

  var isEmpty: Bool { events.isEmpty }
  var count: Int { events.count }

  /// Puts an event at the end; false when there was no room for it.
  @discardableResult
  mutating func add(_ event: PendingEvent) -> Bool {
    if events.count >= capacity {
      guard overflow == .oldest, !events.isEmpty else { return false }
      events.removeFirst()
    }
    lastNumber += 1
    var event = event
    event.number = lastNumber
    events.append(event)
    return true
  }

  /// Takes an event out; does nothing when it is no longer there.
  mutating func remove(_ number: Int) { events.removeAll { $0.number == number } }

  mutating func removeAll() { events = [] }

  /// The queue as it is stored.
  var representation: JSON { .array(events.map(\.representation)) }
}
