import ConformanceModel
import ConformanceVerdict
import Testing

@testable import ConformanceReport

@Suite struct MarkdownSummaryTests {
  private static func record(observing text: String, times count: Int = 1) -> RunRecord {
    Sample.record(
      (0..<count).map { number in
        let finding = Finding(subject: String(repeating: "x", count: number), expected: "1", observed: text)
        let story = ["> 1  post", text, "     #1 → POST /"]
        return Sample.ruling(
          RequirementID("PA-MANY-\(100 + number)"), Sample.first, .violates([finding]), .fail, story: story)
      })
  }

  @Test func theVerdictComesFirst() {
    let text = MarkdownSummary(Sample.record).text
    #expect(text.hasPrefix("**not conformant: 3 failed, 1 stale, 2 unjudged, 1 passed"))
    #expect(text.contains("| feature | pass | fail | known | stale | advisory | unjudged | skipped |\n| --- | ---: |"))
  }

  /// The cards are those of the console, none more, none less, in its order.
  @Test func theCardsAreThoseOfTheConsole() {
    let text = MarkdownSummary(Sample.record).text
    let console = ConsoleReport.text(of: Sample.record)
    let heads = console.split(separator: "\n").filter { $0.prefixMatch(of: /FAIL|STALE|UNJUDGED/) != nil }
    #expect(!heads.isEmpty)
    #expect(text.split(separator: "\n").filter { $0.prefixMatch(of: /FAIL|STALE|UNJUDGED/) != nil } == heads)
  }

  @Test func theCardsBehindTheFifthAreFolded() throws {
    let text = MarkdownSummary(Self.record(observing: "2", times: 8)).text
    let fold = try #require(text.firstRange(of: "<details><summary>3 more cards</summary>"))
    #expect(text[..<fold.lowerBound].split(separator: "FAIL  ").count == 6)
    #expect(text[fold.upperBound...].split(separator: "FAIL  ").count == 4)
    #expect(text.hasSuffix("</details>\n"))
  }

  /// A fence of a subject is shorter than that of the card around it.
  @Test func aForeignTextStaysInItsFence() throws {
    let text = MarkdownSummary(Self.record(observing: "`````\n![a](http://b)<img src=c>\u{202E}")).text
    let fences = text.split(separator: "\n").filter { $0.hasPrefix("```") }
    #expect(fences == ["``````text", "``````"])
    #expect(text.unicodeScalars.allSatisfy { !$0.isObeyed || $0 == "\n" })
    let outside = try #require(text.split(separator: "``````text").first)
    #expect(!outside.contains("<img"))
  }

  /// Also where one character alone, a letter with marks above it, is longer than that.
  @Test(arguments: ["x", "x" + String(repeating: "\u{301}", count: 400_000)])
  func itIsUnderOneMebibyteWhateverHappens(_ part: String) {
    let observed = String(repeating: part, count: part.utf8.count > 1 ? 3 : 5_000)
    let text = MarkdownSummary(Self.record(observing: observed, times: part.utf8.count > 1 ? 2 : 200)).text
    #expect(text.utf8.count < 1 << 20)
    #expect(text.hasPrefix("**not conformant"))
  }
}
