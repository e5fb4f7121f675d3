import ConformanceModel
import Testing

@testable import AdapterProtocol

@Suite struct LineSplitterTests {
  static let stream = Array("one\n\ntwo\r\n\u{2028}three\u{85}\nlonger than the limit\nfour\nrest".utf8)

  private func lines(_ pieces: [ArraySlice<UInt8>], limit: Int? = 16) -> ([LineSplitter.Line], rest: [UInt8]) {
    var splitter = LineSplitter(limit: limit)
    return (pieces.flatMap { splitter.lines(in: $0) }, splitter.rest)
  }

  @Test func cutsAtLineFeedsOnly() {
    let (lines, rest) = lines([Self.stream[...]])
    let expected: [LineSplitter.Line] = [
      .whole(Array("one".utf8)), .whole([]), .whole(Array("two\r".utf8)), .whole(Array("\u{2028}three\u{85}".utf8)),
      .tooLong(beginning: Array("longer than the l".utf8)), .whole(Array("four".utf8)),
    ]
    #expect(lines == expected)
    #expect(rest == Array("rest".utf8))
  }

  @Test(arguments: 0...LineSplitterTests.stream.count, [8, 16, 64])
  func twoPiecesAreLikeOne(cut: Int, limit: Int) {
    let whole = lines([Self.stream[...]], limit: limit)
    let parts = lines([Self.stream[..<cut], Self.stream[cut...]], limit: limit)
    #expect(parts.0 == whole.0)
    #expect(parts.rest == whole.rest)
  }

  @Test func anyPiecesAreLikeOne() {
    var random = SeededRandom(seed: 1)
    for _ in 0..<300 {
      let stream = (0..<60).map { _ in UInt8.random(in: 8...12, using: &random) }
      let cuts = (0..<5).map { _ in Int.random(in: 0...60, using: &random) }.sorted()
      let pieces = zip([0] + cuts, cuts + [60]).map { stream[$0..<$1] }
      let limit = Int.random(in: 1...12, using: &random)
      #expect(lines(pieces, limit: limit).0 == lines([stream[...]], limit: limit).0)
      #expect(lines(pieces, limit: limit).rest == lines([stream[...]], limit: limit).rest)
    }
  }

  @Test func withoutALimitEveryLineIsWhole() {
    let expected = Self.stream.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
    let (lines, rest) = lines([Self.stream[..<30], Self.stream[30...]], limit: nil)
    #expect(lines == expected.dropLast().map { .whole($0) })
    #expect(rest == expected.last)
  }

  @Test func aLineOfTheLimitIsWhole() {
    #expect(lines([[1, 2, 3, 10]], limit: 3).0 == [.whole([1, 2, 3])])
    #expect(lines([[1, 2, 3, 4, 10, 5, 10]], limit: 3).0 == [.tooLong(beginning: [1, 2, 3, 4]), .whole([5])])
  }

  @Test func anEndlessLineIsRefusedOnceAndNotHeld() {
    var splitter = LineSplitter(limit: 8 << 20)
    let piece = [UInt8](repeating: 0x61, count: 64 << 10)
    var lines: [LineSplitter.Line] = []
    var mostHeld = 0
    for _ in 0..<1024 {
      lines += splitter.lines(in: piece)
      mostHeld = max(mostHeld, splitter.rest.count)
    }
    #expect(lines == [.tooLong(beginning: Array(piece.prefix(200)))])
    #expect(mostHeld == 8 << 20)
    #expect(splitter.rest.isEmpty)
    #expect(splitter.lines(in: [0x0A, 0x62, 0x0A]) == [.whole([0x62])])
  }
}
