/// The requests that wait to be sent, in the order in which the app caused them. One that is on its way waits until it
/// has succeeded or failed for good.
struct RequestQueue: Hashable, Sendable {
  private(set) var waiting: [WaitingRequest] = []
  private var lastNumber = 0

  init(_ stored: [WaitingRequest] = []) {
    for request in stored { add(request.purpose) }
  }

  /// Puts a request at the end; its number.
  @discardableResult
  mutating func add(_ purpose: WaitingRequest.Purpose) -> Int {
    lastNumber += 1
    var request = WaitingRequest(purpose)
    request.number = lastNumber
    waiting.append(request)
    return lastNumber
  }

  mutating func remove(_ number: Int) { waiting.removeAll { $0.number == number } }

  mutating func removeAll() { waiting = [] }

  mutating func removeReports() { waiting.removeAll { $0.purpose.isReport } }

  /// The last request of which this holds.
  func last(where isMeant: (WaitingRequest.Purpose) -> Bool) -> WaitingRequest? {
    waiting.last { isMeant($0.purpose) }
  }
}
