import JSONKit

/// The memory of a server. It contains the values of each state, by their keys. A value can expire.
struct ServerMemory: Sendable {
  private struct Kept: Sendable {
    var value: JSON
    /// The instant at which the value expires, in milliseconds since 1970; nil for a value that does not expire.
    var end: Int?

    func hasEnded(by now: Int) -> Bool { end.map { $0 <= now } ?? false }
  }

  /// A state and a key in it. Keys are compared byte by byte: a key with a precomposed é and a key with an e and a
  /// combining accent are different, as they are on the wire.
  private struct Place: Hashable, Sendable {
    let state: Int
    /// The UTF-8 bytes of the key's texts, each followed by a byte that UTF-8 never contains.
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

  /// Stores a value that expires at an instant, or never if `end` is nil.
  mutating func keep(_ value: JSON, in state: Int, at key: [String], until end: Int?) {
    kept[Place(state, key)] = Kept(value: value, end: end)
  }

  /// Replaces a value. The new value expires at the same instant as the old one. Returns false and does nothing if the
  /// value does not exist or has expired.
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

  /// The value of a state at a key; nil if it does not exist or has expired.
  func value(of state: Int, at key: [String], now: Int) -> JSON? {
    kept[Place(state, key)].flatMap { $0.hasEnded(by: now) ? nil : $0.value }
  }

  /// The value of a state at a key, if it has expired; nil otherwise.
  func endedValue(of state: Int, at key: [String], now: Int) -> JSON? {
    kept[Place(state, key)].flatMap { $0.hasEnded(by: now) ? $0.value : nil }
  }

  func end(of state: Int, at key: [String]) -> Int? { kept[Place(state, key)]?.end }
}
