import ReferenceKit

/// The requests that wait to be sent, in the order in which the app caused them. An open request stays in the queue
/// until it has succeeded or finally failed.
struct RequestQueue: Hashable, Sendable {
  private(set) var waiting: [WaitingRequest] = []
  /// The changes since the queue was last stored.
  private var changes: [Journal.Change] = []
  private var lastNumber = 0

  /// A queue with the requests that earlier launches stored. The requests must be in the order of their numbers.
  init(_ stored: [WaitingRequest] = []) {
    waiting = stored
    lastNumber = stored.last?.number ?? 0
  }

  /// Adds a request at the end; returns its number.
  @discardableResult
  mutating func add(_ purpose: WaitingRequest.Purpose) -> Int {
    lastNumber += 1
    var request = WaitingRequest(purpose)
    request.number = lastNumber
    waiting.append(request)
    if purpose.isKept { changes.append(.add(lastNumber, request.representation)) }
    return lastNumber
  }

  mutating func remove(_ number: Int) {
    guard let index = waiting.firstIndex(where: { $0.number == number }) else { return }
    note(waiting.remove(at: index))
  }

  mutating func removeAll() { remove { _ in true } }

  mutating func removeReports() { remove(where: \.isReport) }

  /// The last request whose purpose satisfies the condition.
  func last(where isMeant: (WaitingRequest.Purpose) -> Bool) -> WaitingRequest? {
    waiting.last { isMeant($0.purpose) }
  }

  /// Returns the changes that are not stored yet, and removes them.
  mutating func takeChanges() -> [Journal.Change] {
    defer { changes = [] }
    return changes
  }

  private mutating func remove(where isMeant: (WaitingRequest.Purpose) -> Bool) {
    for request in waiting where isMeant(request.purpose) { note(request) }
    waiting.removeAll { isMeant($0.purpose) }
  }

  private mutating func note(_ removed: WaitingRequest) {
    if removed.purpose.isKept { changes.append(.remove(removed.number)) }
  }
}
