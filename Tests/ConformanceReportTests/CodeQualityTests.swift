import ConformanceVerdict
import JSONKit
import Testing

@testable import ConformanceReport

@Suite struct CodeQualityTests {
  private static func issues(_ record: RunRecord) -> [JSON] {
    CodeQuality(record, file: "run.jsonl").issues.array ?? []
  }

  private static func violation(observed: String) -> RunRecord {
    let finding = Finding(subject: "post", expected: "1", observed: observed)
    return Sample.record([Sample.ruling("PA-QUEUE-001", Sample.first, .violates([finding]), .fail)])
  }

  @Test func eachCauseIsAnIssueWithAPlace() throws {
    let issues = Self.issues(Sample.record)
    #expect(issues.count == 2)
    #expect(Set(issues.map { $0["severity"] }) == ["major", "info"])
    for issue in issues {
      #expect(issue["location"]?["lines"] == ["begin": 1])
      #expect(issue["location"]?["path"]?.string?.isEmpty == false)
      #expect(issue["fingerprint"]?.string?.count == 64)
    }
    #expect(Set(issues.map { $0["fingerprint"] }).count == 2)
  }

  @Test func aRecordWithoutFailuresHasNone() {
    #expect(Self.issues(Sample.record([Sample.rulings[0]])).isEmpty)
  }

  /// A value that differs between two runs does not make a new issue.
  @Test func theFingerprintStaysTheSameInTheNextRun() {
    let runs = ["127.0.0.1:4001", "127.0.0.1:4002"].map { Self.issues(Self.violation(observed: $0)) }
    #expect(runs[0].map { $0["fingerprint"] } == runs[1].map { $0["fingerprint"] })
    #expect(runs[0].map { $0["description"] } != runs[1].map { $0["description"] })
  }

  @Test func aForeignTextIsVisibleAndShort() throws {
    let issue = try #require(
      Self.issues(Self.violation(observed: "a\r\n\u{202E}" + String(repeating: "b", count: 900))).first)
    let text = try #require(issue["description"]?.string)
    #expect(text.count <= 600)
    #expect(text.unicodeScalars.allSatisfy { !$0.isObeyed })
  }
}
