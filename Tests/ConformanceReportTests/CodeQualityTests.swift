import ConformanceVerdict
import JSONKit
import Testing

@testable import ConformanceReport

@Suite struct CodeQualityTests {
  private static func issues(_ record: RunRecord, file: String = "run.jsonl", root: String? = nil) -> [JSON] {
    CodeQuality(record, file: file, project: ProjectFolder(root: root, current: "/project/part")).issues.array ?? []
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

  /// GitLab ignores an issue whose path does not lead to a file from the root of the project.
  @Test(
    arguments: [
      ("report/evidence/a.jsonl", nil, "report/evidence/a.jsonl"),
      ("./report/evidence/a.jsonl", nil, "report/evidence/a.jsonl"),
      ("/project/part/report/evidence/a.jsonl", nil, "report/evidence/a.jsonl"),
      ("/project/part/report/evidence/a.jsonl", "/project", "part/report/evidence/a.jsonl"),
      ("report/evidence/a.jsonl", "/project/", "part/report/evidence/a.jsonl"),
      ("../report/a.jsonl", "/project", "report/a.jsonl"),
      ("/elsewhere/report/evidence/a.jsonl", nil, "run.jsonl"),
      ("../../a.jsonl", "/project", "part/run.jsonl"),
    ] as [(String, String?, String)])
  func thePathIsRelativeToTheProject(evidence: String, root: String?, path: String) throws {
    var record = Self.violation(observed: "2")
    record.cases[0].evidence = evidence
    let issue = try #require(Self.issues(record, file: "/project/part/run.jsonl", root: root).first)
    #expect(issue["location"]?["path"]?.string == path)
  }

  @Test func aForeignTextIsVisibleAndShort() throws {
    let issue = try #require(
      Self.issues(Self.violation(observed: "a\r\n\u{202E}" + String(repeating: "b", count: 900))).first)
    let text = try #require(issue["description"]?.string)
    #expect(text.count <= 600)
    #expect(text.unicodeScalars.allSatisfy { !$0.isObeyed })
  }
}
