import Testing

@testable import ServerRules

/// The states of a server as data, by their keys.
@Suite struct ServerMemoryTests {
  /// Swift treats both encodings of é as equal texts; a server does not.
  @Test(arguments: [("caf\u{E9}", "cafe\u{301}"), ("a", "A"), ("1", "1 ")])
  func keysAreTheirBytes(one: String, other: String) {
    var memory = ServerMemory()
    memory.keep("first", in: 0, at: [one], until: nil)
    #expect(memory.value(of: 0, at: [one], now: 0) == "first")
    #expect(memory.value(of: 0, at: [other], now: 0) == nil)
  }

  @Test func aValueEndsAtItsInstant() {
    var memory = ServerMemory()
    memory.keep(1, in: 0, at: ["k"], until: 10)
    #expect(memory.value(of: 0, at: ["k"], now: 9) == 1)
    #expect(memory.value(of: 0, at: ["k"], now: 10) == nil)
    #expect(memory.endedValue(of: 0, at: ["k"], now: 10) == 1)
    memory.forget(0, at: ["k"])
    #expect(memory.endedValue(of: 0, at: ["k"], now: 10) == nil)
  }
}
