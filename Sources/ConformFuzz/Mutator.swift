import ConformanceModel

/// Makes inputs for the fuzzed code: takes entries of a corpus and changes them at random. The same seed gives the same
/// inputs on every machine.
struct Mutator {
  /// The size of the largest input, in bytes. An input of this size can exceed every limit of depth and count, and is
  /// still read within milliseconds.
  static let maximumSize = 64 << 10

  private var random: SeededRandom
  private let corpus: [[UInt8]]
  private let tokens: [[UInt8]]

  init(seed: UInt64, corpus: [[UInt8]], tokens: [String]) {
    random = SeededRandom(seed: seed)
    self.corpus = corpus
    self.tokens = tokens.map { Array($0.utf8) }
  }

  /// The next input: an entry of the corpus with a few changes.
  mutating func next() -> [UInt8] {
    var bytes = corpus.randomElement(using: &random) ?? []
    for _ in 0..<Int.random(in: 1...6, using: &random) { change(&bytes) }
    return Array(bytes.prefix(Self.maximumSize))
  }

  private mutating func change(_ bytes: inout [UInt8]) {
    switch Int.random(in: 0..<8, using: &random) {
    case 0: flipBit(&bytes)
    case 1: bytes.replaceSubrange(range(in: bytes, atMost: 1), with: [UInt8.random(in: .min ... .max, using: &random)])
    case 2: bytes.removeSubrange(range(in: bytes, atMost: 64))
    case 3: bytes.insert(contentsOf: bytes[range(in: bytes, atMost: 256)], at: place(in: bytes))
    case 4, 5: bytes.replaceSubrange(range(in: bytes, atMost: 4), with: tokens.randomElement(using: &random) ?? [])
    case 6: splice(&bytes)
    default: repeatToken(&bytes)
    }
  }

  private mutating func flipBit(_ bytes: inout [UInt8]) {
    guard let index = bytes.indices.randomElement(using: &random) else { return }
    bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
  }

  /// Replaces the last part of these bytes by the last part of a corpus entry.
  private mutating func splice(_ bytes: inout [UInt8]) {
    let other = corpus.randomElement(using: &random) ?? []
    bytes = Array(bytes[..<place(in: bytes)] + other[place(in: other)...])
  }

  /// Inserts a token 2 to 4,096 times in a row, so that an input exceeds limits of depth and count.
  private mutating func repeatToken(_ bytes: inout [UInt8]) {
    let token = tokens.randomElement(using: &random) ?? []
    let count = 1 << Int.random(in: 1...12, using: &random)
    bytes.insert(contentsOf: Array(repeating: token, count: count).joined(), at: place(in: bytes))
  }

  private mutating func place(in bytes: [UInt8]) -> Int { Int.random(in: 0...bytes.count, using: &random) }

  private mutating func range(in bytes: [UInt8], atMost length: Int) -> Range<Int> {
    let start = place(in: bytes)
    return start..<min(bytes.count, start + Int.random(in: 0...length, using: &random))
  }
}
