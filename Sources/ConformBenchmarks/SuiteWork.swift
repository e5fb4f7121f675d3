import ConformanceTranscript
import ConformanceVerdict
import Records

/// The unavoidable work of a run, counted in its evidence.
struct SuiteWork {
  /// Requests on connections.
  struct Exchanges {
    var count = 0
    var connections = 0

    /// The mean number of requests on one connection.
    var onConnection: Int { max(1, Int((Double(count) / Double(max(1, connections))).rounded())) }
  }

  /// The requests that the mocks of a run received from the process of a subject.
  private(set) var received = Exchanges()
  /// The requests of the kit to a server inside its own process.
  private(set) var sent = Exchanges()
  /// The number of cases, and so of subject processes, at a time.
  let atOnce: Int
  /// Lines to adapters: the commands of steps, unless a tally counted all lines.
  private(set) var lines = 0
  /// Starts of adapters: the restarts in the middle of a case, unless a tally counted all starts.
  private(set) var starts = 0

  /// Reads the transcript of every case of a record in a folder.
  init(of record: RunRecord, in folder: String) throws {
    atOnce = record.header.jobs
    for run in record.cases {
      guard let evidence = run.evidence else { throw BenchFailure("\(run.instance) left no evidence") }
      let path = evidence.hasPrefix("/") ? evidence : "\(folder)/\(evidence)"
      var connections: Set<Connection> = []
      for entry in try TranscriptFile(readingFrom: path).transcript.entries { count(entry.event, &connections) }
      received.connections += connections.count
    }
  }

  /// Replaces estimates by the counts of a tally.
  mutating func take(_ counts: AdapterTally.Counts) { (starts, lines) = (counts.starts, counts.lines) }

  /// A connection to a mock of one case.
  private struct Connection: Hashable {
    var port: String
    var number: Int
  }

  private mutating func count(_ event: TranscriptEntry.Event, _ connections: inout Set<Connection>) {
    switch event {
    case .request(let port, let record):
      received.count += 1
      connections.insert(Connection(port: port, number: record.connection))
    // Each request has a connection of its own.
    case .sent:
      sent.count += 1
      sent.connections += 1
    case .command: lines += 1
    case .process(.started(let launch)) where launch > 1: starts += 1
    default: break
    }
  }
}
