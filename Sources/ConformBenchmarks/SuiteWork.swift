import ConformanceModel
import ConformanceReport

/// How much of what cannot be saved a run did, counted in the evidence that it left.
struct SuiteWork {
  /// Requests that a mock received.
  private(set) var exchanges = 0
  /// Commands that an adapter got.
  private(set) var commands = 0
  /// Adapters that were started again in the middle of a case; the first ones serve one case after the other.
  private(set) var restarts = 0

  /// Reads the transcript of every case of a record, which lies in a folder.
  init(of record: RunRecord, in folder: String) throws {
    for run in record.cases {
      guard let evidence = run.evidence else { throw BenchFailure("\(run.instance) left no evidence") }
      let path = evidence.hasPrefix("/") ? evidence : "\(folder)/\(evidence)"
      for entry in try TranscriptFile(readingFrom: path).transcript.entries { count(entry.event) }
    }
  }

  private mutating func count(_ event: TranscriptEntry.Event) {
    switch event {
    case .request: exchanges += 1
    case .command: commands += 1
    case .process(.started(let launch)) where launch > 1: restarts += 1
    default: break
    }
  }
}
