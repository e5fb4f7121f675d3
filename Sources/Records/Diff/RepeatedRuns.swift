import ConformanceModel
import ConformanceTranscript
import ConformanceVerdict

/// The verdicts of several runs of the same cases, and the verdicts that differ between the runs.
package struct RepeatedRuns {
  /// A verdict that differs between the runs.
  package struct Difference: Hashable {
    package var requirement: RequirementID
    package var instance: CaseInstance
    /// Maps each disposition to the numbers of the runs in which the verdict had it. Runs are counted from 1. A run
    /// without the verdict is in none of the lists.
    package var runs: [Disposition: [Int]]
  }

  package let count: Int
  /// The differences, sorted by requirement and case.
  package let differences: [Difference]

  package init(_ records: [RunRecord]) {
    count = records.count
    var runs: [Key: [Disposition: [Int]]] = [:]
    for (index, record) in records.enumerated() {
      for ruling in record.rulings {
        runs[Key(requirement: ruling.requirement, instance: ruling.instance), default: [:]][
          ruling.disposition, default: []
        ]
        .append(index + 1)
      }
    }
    differences = runs.filter { $0.value.values.allSatisfy { $0.count < records.count } }
      .map { Difference(requirement: $0.key.requirement, instance: $0.key.instance, runs: $0.value) }
      .sorted { ($0.requirement, $0.instance) < ($1.requirement, $1.instance) }
  }

  private struct Key: Hashable {
    var requirement: RequirementID
    var instance: CaseInstance
  }

  /// A sentence with the number of differences, and a line for each of them.
  package var text: String {
    guard !differences.isEmpty else { return "no verdict differs between the \(count) runs\n" }
    let title = differences.count == 1 ? "1 verdict differs" : "\(differences.count) verdicts differ"
    let lines = differences.map { one in
      let results = one.runs.sorted { $0.value.count > $1.value.count }.map { result, runs in
        "\(result.rawValue) in \(runs.map(String.init).joined(separator: ", "))"
      }
      return "  \(one.requirement)  \(one.instance.name) @\(one.instance.dialect): \(results.joined(separator: "; "))"
    }
    return ("\(title) between the \(count) runs:\n" + lines.joined(separator: "\n") + "\n")
  }
}
