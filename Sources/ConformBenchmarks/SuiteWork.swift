import ConformanceModel
import ConformanceReport

/// How much of what cannot be saved a run did, counted in the evidence that it left.
struct SuiteWork {
  /// Requests on connections.
  struct Exchanges {
    var count = 0
    var connections = 0

    /// How many are on one connection, in the mean.
    var onConnection: Int { max(1, Int((Double(count) / Double(max(1, connections))).rounded())) }
  }

  /// What the mocks of a run received from the process of a subject.
  private(set) var received = Exchanges()
  /// What the kit sent, to a server inside its own process.
  private(set) var sent = Exchanges()
  /// How many cases, and so processes of subjects, there were at once.
  let atOnce: Int
  /// Commands that an adapter got.
  private(set) var commands = 0
  /// Adapters that were started again in the middle of a case; the first ones serve one case after the other.
  private(set) var restarts = 0

  /// Reads the transcript of every case of a record, which lies in a folder.
  init(of record: RunRecord, in folder: String) throws {
    atOnce = record.header.jobs
    for run in record.cases {
      guard let evidence = run.evidence else { throw BenchFailure("\(run.instance) left no evidence") }
      let path = evidence.hasPrefix("/") ? evidence : "\(folder)/\(evidence)"
      var lines: Set<Line> = []
      for entry in try TranscriptFile(readingFrom: path).transcript.entries { count(entry.event, &lines) }
      received.connections += lines.count
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
      received.count += 1
      lines.insert(Line(port: port, connection: record.connection))
    // Each on a connection of its own.
    case .sent:
      sent.count += 1
      sent.connections += 1
    case .command: commands += 1
    case .process(.started(let launch)) where launch > 1: restarts += 1
    default: break
    }
  }
}
