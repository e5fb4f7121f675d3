import ConformanceVerdict
import JSONKit
import Testing

@testable import Records

/// The changes between two records, and their explanations.
@Suite struct RecordDiffTests {
  private static func record(
    _ disposition: Disposition?, _ outcome: Verdict.Outcome = .conforms, digest: String = "9c04",
    _ change: (inout RunRecord) -> Void = { _ in }
  ) -> RunRecord {
    var record = Sample.record(
      disposition.map { [Sample.ruling("PA-QUEUE-001", Sample.full, outcome, $0)] } ?? [])
    record.cases = [Sample.run(Sample.full, 12, .init(.completed))]
    record.cases[0].caseDigest = digest
    if disposition == nil { record.cases = [] }
    change(&record)
    return record
  }

  private static let violated = Verdict.Outcome.violates([Sample.second])

  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var old: RunRecord
    var new: RunRecord
    var kind: RecordDiff.Kind?
    var cause: RecordDiff.Cause?
  }

  private static let rows = [
    Row(testDescription: "alike", old: record(.pass), new: record(.pass)),
    Row(
      testDescription: "the subject broke it", old: record(.pass), new: record(.fail, violated), kind: .worse,
      cause: .subject),
    Row(
      testDescription: "the subject mended it", old: record(.fail, violated), new: record(.pass), kind: .better,
      cause: .subject),
    Row(
      testDescription: "no longer judged", old: record(.fail, violated),
      new: record(.error, .unjudged(reason: "r")), kind: .worse, cause: .subject),
    Row(
      testDescription: "the case is another", old: record(.pass), new: record(.fail, violated, digest: "0a"),
      kind: .worse, cause: .kit),
    Row(
      testDescription: "the requirement is another", old: record(.pass),
      new: record(.fail, violated) { $0.rulings[0].rule.level = .should }, kind: .worse, cause: .kit),
    Row(
      testDescription: "the baseline is another", old: record(.known, violated), new: record(.fail, violated),
      kind: .worse, cause: .terms),
    Row(
      testDescription: "not selected any more", old: record(.pass),
      new: record(nil) { $0.header.selection = ["--feature", "1"] }, kind: .gone, cause: .selection),
    Row(
      testDescription: "not in the pack any more", old: record(.pass),
      new: record(nil) { $0.header.packDigest = "other" }, kind: .gone, cause: .kit),
    Row(
      testDescription: "not reached", old: record(.pass), new: record(nil) { $0.end = nil }, kind: .gone,
      cause: .incomplete),
    Row(
      testDescription: "new in the pack", old: record(nil) { $0.header.packDigest = "other" }, new: record(.pass),
      kind: .new, cause: .kit),
  ]

  @Test(arguments: rows) func aChangeHasAKindAndACause(_ row: Row) {
    let diff = RecordDiff(from: row.old, to: row.new)
    #expect(diff.changes.map(\.kind) == [row.kind].compactMap(\.self))
    #expect(diff.changes.map(\.cause) == [row.cause].compactMap(\.self))
    #expect(diff.isWorse == (row.kind == .worse))
    #expect(diff.unchanged == (row.kind == nil ? 1 : 0))
  }

  private static let hostile = RecordDiff(
    from: record(.pass),
    to: record(
      .fail,
      .violates([
        Finding(subject: "<b>x</b> | [a](b)\u{1B}[2J", path: .root, expected: "1", observed: "@all", entries: [])
      ])))

  @Test func theTextNamesWhatBecameWorse() {
    let lines = Self.hostile.text(.text).split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.first == "subject: sdk parcel-dart 1.2.0")
    #expect(lines.contains("WORSE"))
    #expect(lines.contains("  PA-QUEUE-001  queue.full[101] @spec: pass → fail"))
    #expect(lines.dropLast().last == "1 worse, 0 better, 0 new, 0 gone, 0 unchanged")
    #expect(!Self.hostile.text(.text).contains("\u{1B}"))
  }

  @Test func markdownShowsWhatASubjectSaysAsText() {
    let text = Self.hostile.text(.markdown)
    #expect(text.hasPrefix("**1 worse, 0 better, 0 new, 0 gone, 0 unchanged**\n"))
    #expect(text.contains(#"\<b\>x\</b\> \| \[a\](b)"#), "\(text)")
    #expect(!text.contains("\u{1B}") && !text.contains("@all"))
  }

  @Test func theJSONHoldsEveryChange() throws {
    let json = Self.hostile.json.compactText
    #expect(json.hasPrefix(#"{"diff":1,"facts":["#))
    #expect(json.contains(#""kind":"worse","requirement":"PA-QUEUE-001""#))
    #expect(json.contains(#""old":"pass","new":"fail","cause":"subject""#))
  }
}
