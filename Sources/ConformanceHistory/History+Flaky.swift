import ConformanceModel
import GRDB
import JSONKit

extension History {
  /// A verdict that differs between runs with the same versions of the subjects and the same pack.
  package struct Flaky: Hashable, Sendable {
    package var protocolName: String
    /// The participants of the runs with their versions, as one text.
    package var subjects: String
    package var packDigest: String
    package var requirement: String
    package var instance: CaseInstance
    /// Maps the word for each outcome of the verdict to the number of runs with this outcome.
    package var outcomes: [String: Int]
    /// The start of the newest run that has the rarest outcome.
    package var lastSeen: String
  }

  /// Every flaky verdict, sorted by protocol, subjects, pack, requirement and case.
  package func flaky() throws(HistoryProblem) -> [Flaky] {
    let all = try rows(Self.differing) { row in
      Flaky(
        protocolName: row[0], subjects: row[1], packDigest: row[2], requirement: try JSON(parsing: row[3]).string ?? "",
        instance: try CaseInstance(line: row[4] as String), outcomes: [row[5]: row[6]], lastSeen: row[7])
    }
    var places: [[String]: Int] = [:]
    return all.reduce(into: []) { flaky, one in
      let key = [one.protocolName, one.subjects, one.packDigest, one.requirement, "\(one.instance)"]
      guard let place = places[key] else {
        places[key] = flaky.count
        return flaky.append(one)
      }
      flaky[place].outcomes.merge(one.outcomes) { $1 }
    }
  }

  /// A query that returns one row for each outcome of each flaky verdict. The rarest outcome of a verdict comes first.
  private static let differing = """
    WITH outcomes AS (
      SELECT protocol, subjects, packDigest, requirementId, instanceId, outcome, count(*) AS runs,
        max(startedAt) AS lastSeen
      FROM run JOIN verdict ON runId = run.id
      GROUP BY protocol, subjects, packDigest, requirementId, instanceId, outcome
    ), counted AS (
      SELECT *, count(*) OVER (PARTITION BY protocol, subjects, packDigest, requirementId, instanceId) AS kinds
      FROM outcomes
    )
    SELECT protocol, subjects, packDigest, requirement.value, instance.value, outcome, runs, lastSeen
    FROM counted JOIN text AS requirement ON requirement.id = requirementId JOIN text AS instance ON instance.id = instanceId
    WHERE kinds > 1
    ORDER BY protocol, subjects, packDigest, requirement.value, instance.value, runs, outcome
    """
}
