import ConformanceModel
import ConformanceVerdict
import Records

/// A run record like the record of a large suite: most verdicts pass, and some fail with findings and a step-by-step
/// account.
enum MixedRecord {
  /// - Parameter seed: decides which cases fail.
  static func make(verdicts count: Int, seed: Int) -> RunRecord {
    var record = LargeRecord.make(rulings: count)
    record.header.startedAt = "2026-01-0\(seed % 9 + 1)T00:00:00.000Z"
    record.header.seed = UInt64(seed)
    for index in record.rulings.indices {
      record.rulings[index].rule.feature = .init(number: index % 13 + 1, name: "Feature \(index % 13 + 1)")
    }
    for index in record.rulings.indices where (index + seed) % 50 != 0 {
      let isSkipped = (index + seed) % 100 == 1
      record.rulings[index].verdict.outcome = isSkipped ? .notApplicable(reason: "the SDK has no queue") : .conforms
      record.rulings[index].disposition = isSkipped ? .skipped : .pass
      record.rulings[index].story = []
    }
    let account = record.account
    record.end = .init(
      tally: Tally(record.rulings.map(\.disposition)), conclusion: account.conclusion(.end),
      notes: account.unboundFeatures, duration: 1000)
    return record
  }

  static func write(_ record: RunRecord, to path: String) throws {
    let writer = try RunRecordWriter(path, header: record.header)
    for line in record.lines.dropFirst() { try writer.write(line) }
  }
}
