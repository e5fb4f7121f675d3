import ConformanceTranscript
import ConformanceVerdict
import Records

/// The amount of work in a run that even the fastest kit would have to do. It is counted in the transcripts of the run.
struct SuiteWork {
  /// The numbers of requests and of connections.
  struct Exchanges {
    var count = 0
    var connections = 0

    /// The mean number of requests on one connection.
    var onConnection: Int { max(1, Int((Double(count) / Double(max(1, connections))).rounded())) }
  }

  /// The requests that subject processes send to the mocks of a run.
  private(set) var received = Exchanges()
  /// The requests that the kit sends to a server inside its own process.
  private(set) var sent = Exchanges()
  /// The number of cases, and therefore of subject processes, that run at once.
  let atOnce: Int
  /// The number of lines that the kit sends to adapters. Until ``take(_:)`` is called, only the commands of steps are
  /// counted.
  private(set) var lines = 0
  /// The number of starts of adapters. Until ``take(_:)`` is called, only the restarts within a case are counted.
  private(set) var starts = 0

  /// Counts the work in the transcript of every case of a record. The transcripts are below the folder of the record.
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

  /// Replaces ``lines`` and ``starts`` by the complete counts of an ``AdapterTally``.
  mutating func take(_ counts: AdapterTally.Counts) { (starts, lines) = (counts.starts, counts.lines) }

  /// A connection to a mock in one case.
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
