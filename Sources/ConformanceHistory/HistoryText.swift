import ConformanceVerdict
import JSONKit
import TextKit

/// Shows the contents of a history as lines for people or as JSON.
package enum HistoryText {
  /// One line for each subject.
  package static func lines(_ subjects: [History.SubjectSummary]) -> [String] {
    let titles = ["protocol", "role", "subject", "runs", "versions", "first", "last", "newest verdict"]
    let rows = subjects.map { one in
      [
        one.protocolName, one.role, one.name, "\(one.runs)", "\(one.versions)", day(one.first), day(one.last),
        one.conclusion,
      ]
    }
    return table(titles, rows, numbers: [3, 4])
  }

  /// One line for each run, with the number of verdicts for each disposition.
  package static func lines(_ runs: [History.RunSummary]) -> [String] {
    let shown = Disposition.allCases.filter { one in runs.contains { count($0, one) > 0 } }
    let titles = ["run", "role", "version", "kit", "pack", "verdict"] + shown.map(\.rawValue)
    let rows = runs.map { run in
      [run.startedAt, run.role, run.version, run.kit, String(run.packDigest.prefix(8)), run.conclusion]
        + shown.map { "\(count(run, $0))" }
    }
    return table(titles, rows, numbers: Set(titles.indices.dropFirst(6)))
  }

  /// One line for each flaky verdict.
  package static func lines(_ flaky: [History.Flaky]) -> [String] {
    let titles = ["subjects", "pack", "requirement", "case", "outcomes", "last seen"]
    return table(
      titles,
      flaky.map { one in
        [
          one.subjects, String(one.packDigest.prefix(8)), one.requirement, "\(one.instance)",
          sorted(one.outcomes).map { "\($0.key) \($0.value)" }.joined(separator: ", "), one.lastSeen,
        ]
      }, numbers: [])
  }

  package static func json(_ subjects: [History.SubjectSummary]) -> JSON {
    .array(
      subjects.map { one in
        [
          "protocol": .string(one.protocolName), "role": .string(one.role), "name": .string(one.name),
          "runs": .int(one.runs), "versions": .int(one.versions), "first": .string(one.first),
          "last": .string(one.last), "verdict": .string(one.conclusion),
        ]
      })
  }

  package static func json(_ runs: [History.RunSummary]) -> JSON {
    .array(
      runs.map { one in
        [
          "protocol": .string(one.protocolName), "role": .string(one.role), "version": .string(one.version),
          "startedAt": .string(one.startedAt), "kit": .string(one.kit), "packDigest": .string(one.packDigest),
          "verdict": .string(one.conclusion), "counts": (try? JSON(parsing: one.counts)) ?? [:],
        ]
      })
  }

  package static func json(_ flaky: [History.Flaky]) -> JSON {
    .array(
      flaky.map { one in
        [
          "protocol": .string(one.protocolName), "subjects": .string(one.subjects),
          "packDigest": .string(one.packDigest), "requirement": .string(one.requirement),
          "case": .string(one.instance.name), "dialect": .string(one.instance.dialect.rawValue),
          "outcomes": .object(compact: sorted(one.outcomes).map { ($0.key, .int($0.value)) }),
          "lastSeen": .string(one.lastSeen),
        ]
      })
  }

  private static func sorted(_ outcomes: [String: Int]) -> [(key: String, value: Int)] {
    outcomes.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
  }

  private static func count(_ run: History.RunSummary, _ disposition: Disposition) -> Int {
    (try? JSON(parsing: run.counts))?[disposition.rawValue]?.int ?? 0
  }

  private static func day(_ time: String) -> String { String(time.prefix(10)) }

  /// The largest number of characters in a cell.
  private static let longest = 200

  private static func table(_ titles: [String], _ rows: [[String]], numbers: Set<Int>) -> [String] {
    let columns = titles.indices.map { ColumnTable.Column(isAlignedRight: numbers.contains($0)) }
    let shown = ([titles] + rows).map { $0.map { $0.visibleOnOneLine.cut(at: longest) } }
    return ColumnTable(shown, columns: columns).lines.map { line in
      String(line.reversed().drop { $0 == " " }.reversed())
    }
  }
}
