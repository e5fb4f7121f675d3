import ConformanceModel
import ConformanceVerdict
import Digests
import JSONKit
import Records
import TextKit

/// One record in the form of the database: texts that many records share are stored separately.
///
/// An entry contains every member of a record. Subjects, cases and verdicts keep their order. The doubts are sorted,
/// and the order of lines of different kinds is lost.
package struct HistoryEntry: Hashable, Sendable {
  /// One run of a case.
  struct CaseRow: Hashable, Sendable {
    /// The members of the case's line that have no column of their own, as JSON. The lines of many runs share this
    /// text.
    var shared: String
    var duration: Double
    var ownDuration: Double
    var evidence: String?
    var evidenceDigest: String?
  }

  /// One verdict.
  struct VerdictRow: Hashable, Sendable {
    var requirement: String
    var instance: String
    var outcome: String
    var rule: String
    /// The members of the verdict that have no column of their own, as JSON. The command that repeats the verdict is
    /// not stored, since it follows from the header.
    var details: String
  }

  /// One participant.
  struct SubjectRow: Hashable, Sendable {
    var role: String
    var name: String
    var version: String
    var line: String
  }

  let protocolName: String
  let packDigest: String
  let kit: String
  let startedAt: String
  let conclusion: String
  /// The number of verdicts with each disposition, as a JSON object.
  let counts: String
  let header: String
  /// The last line of the record; nil if the run was killed.
  let end: String?
  let doubts: [String]
  let subjects: [SubjectRow]
  let cases: [CaseRow]
  let verdicts: [VerdictRow]

  /// Makes the entry of a record.
  package init(_ record: RunRecord) {
    protocolName = record.header.protocolName.visibleOnOneLine
    packDigest = record.header.packDigest.visibleOnOneLine
    kit = record.header.kit.visibleOnOneLine
    startedAt = record.header.startedAt.visibleOnOneLine
    conclusion = record.conclusion.word.rawValue
    let tally = Tally(record.rulings.map(\.disposition))
    counts =
      JSON.object(compact: Disposition.allCases.map { ($0.rawValue, tally.counts[$0].map(JSON.int)) }).compactText
    header = Self.text(record.header)
    end = record.end.map(Self.text)
    doubts = record.doubts.values.sorted { $0.instance < $1.instance }.map(Self.text)
    subjects = record.subjects.map { one in
      SubjectRow(
        role: one.role.rawValue.visibleOnOneLine, name: one.subject.name.visibleOnOneLine,
        version: one.subject.version.visibleOnOneLine, line: Self.text(one))
    }
    cases = record.cases.map(Self.row)
    let rules = RuleTexts()
    verdicts = record.rulings.map { Self.row($0, rules) }
  }

  /// Reads the record at a path. Throws ``FileProblem``, ``LineProblem`` or ``HistoryProblem``.
  package init(readingFrom path: String) throws {
    let record = try RunRecord(readingFrom: path)
    if let shard = record.header.shard {
      throw HistoryProblem.record(
        path, reason: "it is \(shard): merge the shards with 'conform merge', and add the merged record")
    }
    self.init(record)
  }

  /// The participants with their versions, sorted, so that runs with the same versions have the same text.
  var subjectVersions: String {
    subjects.map { "\($0.role) \($0.name) \($0.version)" }.sorted().joined(separator: ", ")
  }

  /// The digest of all contents of the entry. Equal records have equal digests.
  var digest: String {
    var sum = SHA256()
    func add(_ text: String) { sum.update(Array(text.utf8) + [0]) }
    for text in [header, end ?? ""] + doubts + subjects.map(\.line) { add(text) }
    for row in cases {
      for text in [row.shared, "\(row.duration) \(row.ownDuration)", row.evidence ?? "", row.evidenceDigest ?? ""] {
        add(text)
      }
    }
    for row in verdicts { for text in [row.requirement, row.instance, row.rule, row.details] { add(text) } }
    return String(decoding: sum.finalize().hexadecimal, as: UTF8.self)
  }

  private static func text(_ value: some JSONEncodable) -> String {
    String(decoding: value.compactBytes, as: UTF8.self)
  }

  private static func row(_ run: RunRecord.CaseRun) -> CaseRow {
    var shared = run
    (shared.duration, shared.ownDuration, shared.evidence, shared.evidenceDigest) = (0, 0, nil, nil)
    return CaseRow(
      shared: text(shared), duration: run.duration, ownDuration: run.ownDuration, evidence: run.evidence.map(text),
      evidenceDigest: run.evidenceDigest.map(text))
  }

  private static func row(_ ruling: RunRecord.Ruling, _ rules: RuleTexts) -> VerdictRow {
    var details = JSON.Object()
    ruling.encodeMembers(into: &details)
    details.members.removeAll { apart.contains($0.key) }
    return VerdictRow(
      requirement: text(ruling.verdict.requirement.rawValue), instance: text(ruling.verdict.instance),
      outcome: ruling.verdict.outcome.word, rule: rules.text(of: ruling.rule, text), details: text(details))
  }

  /// The members of a verdict that are not in `details`: the members with a column of their own, and the command, which
  /// follows from the header.
  static let apart: Set<String> = ["requirement", "instance", "rule", "rerun"]
}

/// The texts of the requirements of one record. Each text is made only once.
private final class RuleTexts {
  private var texts: [RunRecord.Rule: String] = [:]

  func text(of rule: RunRecord.Rule, _ make: (RunRecord.Rule) -> String) -> String {
    if let text = texts[rule] { return text }
    let text = make(rule)
    texts[rule] = text
    return text
  }
}
