import ConformanceModel
import Foundation
import JSONKit
import Testing

@testable import Records

/// Lines come in their order and with their numbers, however long the file and each of them is.
@Suite struct JSONLinesReaderTests {
  private let folder = try? TemporaryFolder()

  /// The values of all lines, with the line numbers that the closure received. Throws the error of the reader.
  private func read(_ path: String) throws -> (values: [JSON], numbers: [Int], isCut: Bool) {
    var reader = try JSONLinesReader<(JSON, Int)>(path) { field, line in (field.value, line) }
    var (values, numbers): ([JSON], [Int]) = ([], [])
    while let (value, number) = try reader.next() {
      #expect(reader.line == number)
      values.append(value)
      numbers.append(number)
    }
    return (values, numbers, reader.isCut)
  }

  private func write(_ lines: [String], end: String = "\n") throws -> String {
    let path = try #require(folder).file("lines.jsonl")
    try Data((lines.joined(separator: "\n") + end).utf8).write(to: URL(filePath: path))
    return path
  }

  /// Some lines, of which several are longer than what is read of a file at once, and others end where that does.
  private static let texts: [String] =
    (0..<3000).map { number in "\"\(number) " + String(repeating: "x", count: number % 700) + "\"" }
    + ["\"" + String(repeating: "y", count: 300_000) + "\"", "1", "\"" + String(repeating: "z", count: 600_000) + "\""]
    + (0..<2000).map { "[\($0)]" }

  @Test(arguments: [texts, Array(texts.prefix(1)), Array(texts.suffix(1)), Array(texts.prefix(3001)), []])
  func everyLineComesInItsPlace(texts: [String]) throws {
    let found = try read(write(texts, end: texts.isEmpty ? "" : "\n"))
    #expect(found.values == (try texts.map { try JSON(parsing: $0) }))
    #expect(found.numbers == Array(1...5003).prefix(texts.count).map(\.self))
    #expect(!found.isCut)
  }

  @Test(arguments: [1, 700, 2999, 3003, 5003])
  func whatIsNoJSONIsToldWithItsLine(line: Int) throws {
    var texts = Self.texts
    texts[line - 1] = "[1,]"
    let path = try write(texts)
    let problem = #expect(throws: LineProblem.self) { try read(path) }
    #expect(problem == LineProblem(file: path, line: line, field: .root, expected: "a value", found: "']' at byte 4"))
  }

  @Test func aLineLongerThanAnyMayBeIsToldBehindAllBeforeIt() throws {
    let path = try write(Self.texts + ["\"" + String(repeating: "w", count: Bounds.lineBytes + 1_000_000) + "\""])
    var reader = try JSONLinesReader<JSON>(path) { field, _ in field.value }
    for _ in Self.texts { #expect(try reader.next() != nil) }
    var problem: LineProblem?
    do { _ = try reader.next() } catch let found as LineProblem { problem = found }
    #expect(problem?.line == Self.texts.count + 1)
    #expect(problem?.found == "a longer line")
  }

  @Test(arguments: ["[1,", "\"a"]) func aLastLineThatIsCutIsNoLine(rest: String) throws {
    let found = try read(write(Self.texts, end: "\n" + rest))
    #expect(found.values.count == Self.texts.count)
    #expect(found.isCut)
  }

  /// The writer waits until the reader has returned the line before, so a reader that waits for more bytes blocks both.
  @Test func aLineOfAPipeIsThereAsSoonAsItWasWritten() throws {
    let path = try #require(folder).file("pipe")
    try #require(mkfifo(path, 0o600) == 0)
    let isRead = DispatchSemaphore(value: 0)
    let lines = (0..<20).map { "[\($0),\"" + String(repeating: "x", count: $0 * 1000) + "\"]" }
    // A thread of its own writes: those that tests share may all be waiting.
    Thread.detachNewThread {
      guard let pipe = FileHandle(forWritingAtPath: path) else { return }
      for line in lines {
        try? pipe.write(contentsOf: Data((line + "\n").utf8))
        isRead.wait()
      }
      try? pipe.close()
    }
    var reader = try JSONLinesReader<JSON>(path) { field, _ in field.value }
    for line in lines {
      #expect(try reader.next() == JSON(parsing: line))
      isRead.signal()
    }
    #expect(try reader.next() == nil)
  }
}
