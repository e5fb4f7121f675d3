import JSONKit

/// The events that wait to be sent, oldest first. The queue holds at most a hundred events and rejects further events,
/// unless a defect or variant changes this.
struct EventQueue: Hashable, Sendable {
  /// The event that is lost when an event is added to a full queue: the new event, or the oldest event in the queue.
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

  /// Adds an event at the end; returns false if the queue rejects the event.
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

  /// The JSON that the SDK stores for the queue.
  var representation: JSON { .array(events.map(\.representation)) }
}
