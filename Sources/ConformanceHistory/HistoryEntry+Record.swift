import ConformanceVerdict
import JSONKit

extension HistoryEntry {
  /// The record of the entry. Throws ``JSON/SyntaxError`` or ``JSONField/Problem`` if a text of the entry cannot be
  /// read as a part of a record.
  package func record() throws -> RunRecord {
    let header = try RunRecord.Header(line: header)
    var record = RunRecord(header: header)
    record.subjects = try subjects.map { try RunRecord.Participant(line: $0.line) }
    for doubt in try doubts.map({ try RunRecord.Doubt(line: $0) }) { record.doubts[doubt.instance] = doubt }
    record.cases = try cases.map(Self.run)
    var parsed: [String: JSON] = [:]
    record.rulings = try verdicts.map { row in
      var object = JSON.Object()
      for (name, text) in [("requirement", row.requirement), ("instance", row.instance), ("rule", row.rule)] {
        let value = try parsed[text] ?? JSON(parsing: text)
        parsed[text] = value
        object.add(name, value)
      }
      object.members += try JSON(parsing: row.details).object?.members ?? []
      object.add("rerun", "")
      var ruling = try RunRecord.Ruling(JSONField(.object(object)))
      ruling.rerun = header.rerun(ruling.verdict.instance, ruling.verdict.requirement)
      return ruling
    }
    record.end = try end.map { try RunRecord.End(line: $0) }
    return record
  }

  private static func run(_ row: CaseRow) throws -> RunRecord.CaseRun {
    var run = try RunRecord.CaseRun(line: row.shared)
    (run.duration, run.ownDuration) = (row.duration, row.ownDuration)
    run.evidence = try row.evidence.map { try JSON(parsing: $0).string ?? "" }
    run.evidenceDigest = try row.evidenceDigest.map { try JSON(parsing: $0).string ?? "" }
    return run
  }
}
