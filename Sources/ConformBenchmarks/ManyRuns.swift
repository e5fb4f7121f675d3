import ConformanceModel
import ConformanceVerdict

/// The records of many runs of four subjects, made from one real run. They differ in versions, days and some verdicts.
struct ManyRuns {
  /// The names of the four subjects.
  private static let names = ["alpha", "beta", "gamma", "delta"]

  private let record: RunRecord

  /// Performs the real run: a part of a suite, with about 400 verdicts.
  init() throws {
    record = try ReferenceRun(["--role", "sdk", "--dialect", "spec", "--feature", "4", "--feature", "5"]).record
  }

  /// The number of verdicts in each record.
  var verdicts: Int { record.rulings.count }

  /// Writes `count` records into a folder. Returns their paths.
  func write(_ count: Int, to folder: String) throws -> [String] {
    try (0..<count).map { number in
      let path = "\(folder)/\(number).jsonl"
      try MixedRecord.write(run(number), to: path)
      return path
    }
  }

  private func run(_ number: Int) -> RunRecord {
    var record = record
    let version = number / Self.names.count
    let (month, day) = (version / 28 % 12 + 1, version % 28 + 1)
    record.header.startedAt = "2025-\(Self.twoDigits(month))-\(Self.twoDigits(day))T10:00:00.000Z"
    for index in record.subjects.indices {
      record.subjects[index].subject.name = Self.names[number % Self.names.count]
      record.subjects[index].subject.version = "1.\(version)"
    }
    let place = number * 7 % record.rulings.count
    let finding = Finding(subject: "requests", expected: "1", observed: "2")
    let rule = record.rulings[place].rule
    record.rulings[place].verdict.outcome = .violates([finding])
    record.rulings[place].disposition = Disposition(
      outcome: .violates([finding]), level: rule.level, basis: rule.basis, gate: record.header.gate,
      isInBaseline: false)
    let account = record.account
    record.end?.tally = Tally(record.rulings.map(\.disposition))
    record.end?.conclusion = account.conclusion(.end)
    return record
  }

  private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
