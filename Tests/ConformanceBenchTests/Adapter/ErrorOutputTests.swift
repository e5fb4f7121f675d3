import Testing

@testable import Processes

@Suite struct ErrorOutputTests {
  private func read(_ output: inout ErrorOutput, _ text: String) -> String? { output.read(Array(text.utf8))?.text }

  @Test func reportsWholeLinesAndHoldsTheRest() {
    var output = ErrorOutput(limit: 1000)
    #expect(read(&output, "one\ntw") == "one\n")
    #expect(read(&output, "o") == nil)
    #expect(read(&output, "\nthree\nfour") == "two\nthree\n")
    #expect(output.flush()?.text == "four")
    #expect(output.flush() == nil)
    #expect(output.total == 18)
    #expect(output.tail.text == "one\ntwo\nthree\nfour")
  }

  @Test func reportsALongLineBeforeItEnds() {
    var output = ErrorOutput(limit: 100_000)
    let line = String(repeating: "a", count: 9000)
    #expect(read(&output, line) == line)
  }

  @Test func reportsNoMoreThanTheLimitUntilAnotherAppBegins() {
    var output = ErrorOutput(limit: 10)
    #expect(read(&output, "1234567\n") == "1234567\n")
    #expect(read(&output, "890\n") == "89")
    #expect(read(&output, "more\n") == nil)
    #expect(output.flush() == nil)
    output.beginAnew()
    #expect(read(&output, "again\n") == "again\n")
    #expect(output.total == 23)
    #expect(output.tail.text == "ore\nagain\n")
  }

  @Test func keepsTheEndOfAFlood() {
    var output = ErrorOutput(limit: 64)
    var reported = 0
    for number in 0..<10_000 {
      reported += output.read(Array("line \(number)\n".utf8))?.bytes.count ?? 0
      #expect(output.recent.count <= 128)
    }
    #expect(reported == 64)
    #expect(output.tail.bytes.count == 64)
    #expect(output.tail.text.hasSuffix("line 9998\nline 9999\n"))
    #expect(output.total == 98_890)
  }

  @Test func lastWordsAreOneReadableLine() {
    var output = ErrorOutput(limit: 1000)
    #expect(output.lastWords == "")
    _ = read(&output, "a\nb\nc\n\nTraceback:\n  \u{1b}[1mboom\n")
    #expect(output.lastWords == "b | c | Traceback: |   \\u{1B}[1mboom")
  }
}
