import JSONKit

/// What a server knows: the values of its states by their keys, each until it ends.
struct ServerMemory: Sendable {
  private struct Kept: Sendable {
    var value: JSON
    /// In milliseconds since 1970; nil for a value that lasts.
    var end: Int?

    func hasEnded(by now: Int) -> Bool { end.map { $0 <= now } ?? false }
  }

  /// A key as it stands on the wire: an é of one character and an e with an accent behind it are two ids.
  private struct Key: Hashable, Sendable {
    let texts: [[UInt8]]

    init(_ texts: [String]) { self.texts = texts.map { Array($0.utf8) } }
  }

  private var kept: [Int: [Key: Kept]] = [:]

  /// Remembers a value until an instant, for ever without one.
  mutating func keep(_ value: JSON, in state: Int, at key: [String], until end: Int?) {
    kept[state, default: [:]][Key(key)] = Kept(value: value, end: end)
  }

  /// Puts another value in the place of one that has not ended; false when there is none.
  mutating func replace(with value: JSON, in state: Int, at key: [String], now: Int) -> Bool {
    guard let old = kept[state]?[Key(key)], !old.hasEnded(by: now) else { return false }
    kept[state]?[Key(key)]?.value = value
    return true
  }

  mutating func expire(_ state: Int, at key: [String], now: Int) {
    guard let old = kept[state]?[Key(key)], !old.hasEnded(by: now) else { return }
    kept[state]?[Key(key)]?.end = now
  }

  mutating func forget(_ state: Int, at key: [String]) { kept[state]?[Key(key)] = nil }

  /// The value, unless it has ended.
  func value(of state: Int, at key: [String], now: Int) -> JSON? {
    kept[state]?[Key(key)].flatMap { $0.hasEnded(by: now) ? nil : $0.value }
  }

  /// The value that has ended.
  func endedValue(of state: Int, at key: [String], now: Int) -> JSON? {
    kept[state]?[Key(key)].flatMap { $0.hasEnded(by: now) ? $0.value : nil }
  }

  func end(of state: Int, at key: [String]) -> Int? { kept[state]?[Key(key)]?.end }
}
