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
  /// Lines that adapters got: the commands of steps, unless somebody has counted them all.
  private(set) var lines = 0
  /// Adapters that were started: those that were started again in the middle of a case, unless somebody has counted all.
  private(set) var starts = 0

  /// Reads the transcript of every case of a record, which lies in a folder.
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

  /// Takes what was counted where it happened.
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
    // Each on a connection of its own.
    case .sent:
      sent.count += 1
      sent.connections += 1
    case .command: lines += 1
    case .process(.started(let launch)) where launch > 1: starts += 1
    default: break
    }
  }
}
