import Records

/// Measures the time in which the kit groups the failures of a run by their causes.
struct GroupingSpeed {
  static let figure = "failures grouped by cause"

  private static let rulings = 10_000

  func measurements() -> [Measurement] {
    let record = LargeRecord.make(rulings: Self.rulings)
    let clock = ContinuousClock()
    var groups: [FailureGroup] = []
    let grouping = clock.measure { groups = record.failureGroups }
    var names: [String] = []
    let sorting = clock.measure {
      names = record.rulings.map { "\($0.verdict.requirement) \($0.verdict.instance)" }.sorted()
    }
    precondition(!groups.isEmpty && names.count == Self.rulings)
    return [
      Measurement(
        "\(Self.figure), \(Self.rulings) verdicts", grouping.seconds, "s",
        against: .init(name: "their names spelled and sorted", value: sorting.seconds), target: .below(0.2))
    ]
  }
}
