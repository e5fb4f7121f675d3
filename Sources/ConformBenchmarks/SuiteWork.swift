import ConformanceModel
import ConformanceReport

/// How much of what cannot be saved a run did, counted in the evidence that it left.
struct SuiteWork {
  /// Requests that a mock received, and those that the kit sent.
  private(set) var exchanges = 0
  /// Connections on which these came and went.
  private(set) var connections = 0
  /// Commands that an adapter got.
  private(set) var commands = 0
  /// Adapters that were started again in the middle of a case; the first ones serve one case after the other.
  private(set) var restarts = 0

  /// Reads the transcript of every case of a record, which lies in a folder.
  init(of record: RunRecord, in folder: String) throws {
    for run in record.cases {
      guard let evidence = run.evidence else { throw BenchFailure("\(run.instance) left no evidence") }
      let path = evidence.hasPrefix("/") ? evidence : "\(folder)/\(evidence)"
      var lines: Set<Line> = []
      for entry in try TranscriptFile(readingFrom: path).transcript.entries { count(entry.event, &lines) }
      connections += lines.count
    }
  }

  /// A connection to a mock of one case.
  private struct Line: Hashable {
    var port: String
    var connection: Int
  }

  private mutating func count(_ event: TranscriptEntry.Event, _ lines: inout Set<Line>) {
    switch event {
    case .request(let port, let record):
      exchanges += 1
      lines.insert(Line(port: port, connection: record.connection))
    // Each on a connection of its own.
    case .sent:
      exchanges += 1
      connections += 1
    case .command: commands += 1
    case .process(.started(let launch)) where launch > 1: restarts += 1
    default: break
    }
  }
}
