import JSONKit

/// What a server knows: the values of its states by their keys, each until it ends.
struct ServerMemory: Sendable {
  private struct Kept: Sendable {
    var value: JSON
    /// In milliseconds since 1970; nil for a value that lasts.
    var end: Int?

    func hasEnded(by now: Int) -> Bool { end.map { $0 <= now } ?? false }
  }

  private var kept: [Int: [[String]: Kept]] = [:]

  /// Remembers a value until an instant, for ever without one.
  mutating func keep(_ value: JSON, in state: Int, at key: [String], until end: Int?) {
    kept[state, default: [:]][key] = Kept(value: value, end: end)
  }

  /// Puts another value in the place of one that has not ended; false when there is none.
  mutating func replace(with value: JSON, in state: Int, at key: [String], now: Int) -> Bool {
    guard let old = kept[state]?[key], !old.hasEnded(by: now) else { return false }
    kept[state]?[key]?.value = value
    return true
  }

  mutating func expire(_ state: Int, at key: [String], now: Int) {
    guard let old = kept[state]?[key], !old.hasEnded(by: now) else { return }
    kept[state]?[key]?.end = now
  }

  mutating func forget(_ state: Int, at key: [String]) { kept[state]?[key] = nil }

  /// The value, unless it has ended.
  func value(of state: Int, at key: [String], now: Int) -> JSON? {
    kept[state]?[key].flatMap { $0.hasEnded(by: now) ? nil : $0.value }
  }

  /// The value that has ended.
  func endedValue(of state: Int, at key: [String], now: Int) -> JSON? {
    kept[state]?[key].flatMap { $0.hasEnded(by: now) ? $0.value : nil }
  }

  func end(of state: Int, at key: [String]) -> Int? { kept[state]?[key]?.end }
}
