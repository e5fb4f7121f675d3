import ConformanceModel
import ConformanceVerdict
import Testing

@testable import ConformanceReport

@Suite struct AnnotationsTests {
  private static let rerun = "rerun: conform run --sdk './my adapter' --case"

  @Test(
    arguments: zip(
      Annotations.Engine.allCases,
      ["::error title=PA-QUEUE-001 MUST::", "##vso[task.logissue type=error;code=PA-QUEUE-001 MUST]"]))
  func theFailureComesBeforeWhatWasNotJudged(_ engine: Annotations.Engine, start: String) throws {
    let lines = Annotations(Sample.record).lines(for: engine)
    let first = try #require(lines.first)
    #expect(first.hasPrefix(start + "queueSize 'size' $.kept: expected 100, observed 101"))
    #expect(first.contains("%0AThe queue holds 100 parcels & never more.%0A\(Self.rerun)"))
    #expect(lines.count == 2)
    #expect(lines.last?.contains("the adapter died") == true)
    #expect(lines.last?.contains("warning") == true)
  }

  @Test(arguments: Annotations.Engine.allCases)
  func thereAreAtMostTen(_ engine: Annotations.Engine) {
    let rulings = (100..<130).map { number in
      let finding = Finding(subject: String(repeating: "x", count: number), expected: "1", observed: "2")
      return Sample.ruling(RequirementID("PA-MANY-\(number)"), Sample.first, .violates([finding]), .fail)
    }
    #expect(Annotations(Sample.record(rulings)).lines(for: engine).count == Annotations.limit)
  }

  @Test(arguments: Annotations.Engine.allCases)
  func aRecordWithoutFailuresHasNone(_ engine: Annotations.Engine) {
    #expect(Annotations(Sample.record([Sample.rulings[0]])).lines(for: engine).isEmpty)
  }

  /// A text of the subject neither ends its command nor begins another.
  @Test func aForeignTextStaysText() throws {
    let text = "100% a]b;c\r\n::warning::x\n##vso[task.setvariable variable=y]z \u{202E}"
    let finding = Finding(subject: "post", expected: "1", observed: text)
    let record = Sample.record([Sample.ruling("PA-QUEUE-001", Sample.first, .violates([finding]), .fail)])
    let github = Annotations(record).lines(for: .github)
    #expect(github.count == 1)
    #expect(github[0].contains("100%25 a]b"))
    let azure = Annotations(record).lines(for: .azure)
    #expect(azure.count == 1)
    #expect(azure[0].contains("100%AZP25 a]b"))
    for line in github + azure { #expect(line.unicodeScalars.allSatisfy { !$0.isObeyed }) }
  }
}
