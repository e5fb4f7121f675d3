import JSONKit

/// The events that wait to be sent, oldest first: at most a hundred. A full queue rejects new events.
struct EventQueue: Hashable, Sendable {
  /// The event that a full queue drops when another event is added.
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

  /// Adds an event at the end; returns false if there is no room for it.
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

  /// Removes the event with this number. Does nothing if the queue does not contain it.
  mutating func remove(_ number: Int) { events.removeAll { $0.number == number } }

  mutating func removeAll() { events = [] }

  /// The JSON with which the queue is stored.
  var representation: JSON { .array(events.map(\.representation)) }
}
