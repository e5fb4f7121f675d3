/// The generator of all random values in the kit (SplitMix64). The same seed results in the same sequence of values.
package struct SeededRandom: RandomNumberGenerator, Hashable, Sendable {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A random value from an array, which must not be empty.
  package mutating func pick<Value>(_ values: [Value]) -> Value { values[Int(next() % UInt64(values.count))] }

  /// A random UUID (RFC 9562 §5.4), in lower case.
  package mutating func uuid() -> String {
    let high = (next() & 0xFFFF_FFFF_FFFF_0FFF) | 0x4000
    let low = (next() & 0x3FFF_FFFF_FFFF_FFFF) | 0x8000_0000_0000_0000
    return String(unsafeUninitializedCapacity: 36) { text in
      var length = 0
      func append(_ byte: UInt8) {
        text[length] = byte
        length += 1
      }
      for place in 0..<32 {
        if place == 8 || place == 12 || place == 16 || place == 20 { append(UInt8(ascii: "-")) }
        let digit = UInt8(truncatingIfNeeded: (place < 16 ? high : low) >> (60 - place % 16 * 4)) & 0xF
        append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit)
      }
      return length
    }
  }
}
