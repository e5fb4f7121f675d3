import JSONKit

/// What a server knows: the values of its states by their keys, each until it ends.
struct ServerMemory: Sendable {
  private struct Kept: Sendable {
    var value: JSON
    /// In milliseconds since 1970; nil for a value that lasts.
    var end: Int?

    func hasEnded(by now: Int) -> Bool { end.map { $0 <= now } ?? false }
  }

  /// A state and a key of it, as that stands on the wire: an é of one character and an e with an accent behind it are two
  /// ids.
  private struct Place: Hashable, Sendable {
    let state: Int
    /// The texts, each with a byte behind it that none has.
    let key: [UInt8]

    init(_ state: Int, _ texts: [String]) {
      self.state = state
      var key: [UInt8] = []
      for text in texts {
        key += text.utf8
        key.append(0xFF)
      }
      self.key = key
    }
  }

  private var kept: [Place: Kept] = [:]

  /// Remembers a value until an instant, for ever without one.
  mutating func keep(_ value: JSON, in state: Int, at key: [String], until end: Int?) {
    kept[Place(state, key)] = Kept(value: value, end: end)
  }

  /// Puts another value in the place of one that has not ended; false when there is none.
  mutating func replace(with value: JSON, in state: Int, at key: [String], now: Int) -> Bool {
    let place = Place(state, key)
    guard let old = kept[place], !old.hasEnded(by: now) else { return false }
    kept[place] = Kept(value: value, end: old.end)
    return true
  }

  mutating func expire(_ state: Int, at key: [String], now: Int) {
    let place = Place(state, key)
    guard let old = kept[place], !old.hasEnded(by: now) else { return }
    kept[place] = Kept(value: old.value, end: now)
  }

  mutating func forget(_ state: Int, at key: [String]) { kept[Place(state, key)] = nil }

  /// The value, unless it has ended.
  func value(of state: Int, at key: [String], now: Int) -> JSON? {
    kept[Place(state, key)].flatMap { $0.hasEnded(by: now) ? nil : $0.value }
  }

  /// The value that has ended.
  func endedValue(of state: Int, at key: [String], now: Int) -> JSON? {
    kept[Place(state, key)].flatMap { $0.hasEnded(by: now) ? $0.value : nil }
  }

  func end(of state: Int, at key: [String]) -> Int? { kept[Place(state, key)]?.end }
}
