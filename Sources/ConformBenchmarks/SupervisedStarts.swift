import ConformanceBench
import Glibc

/// What it costs that whatever a subject starts ends with it: an adapter that is started and ended below a supervisor, and
/// one that is a bare child.
struct SupervisedStarts {
  static let figure = "start and end of an adapter, median"

  private static let rounds = 7
  private static let startsOfRound = 30

  func measurements() async throws -> [Measurement] {
    let adapter = try Conform.adapter()
    var supervised = Sample()
    var bare = Sample()
    // In turns, so that what else the machine does falls on both.
    for _ in 0..<Self.rounds {
      try await supervised.add {
        for _ in 0..<Self.startsOfRound { try await Self.supervised(adapter) }
        // What the server and its supervisors took is known when they are gone.
        ForkServer.close()
      }
      try await bare.add { for _ in 0..<Self.startsOfRound { try Floor.startAndEnd(adapter) } }
    }
    let suite = try ReferenceRun(["--role", "sdk"], countsWork: true)
    let beyond = (supervised.processor.median - bare.processor.median) * Double(suite.work?.restarts ?? 0)
    return [
      Measurement(
        Self.figure, supervised.wall.median * 1000, "ms",
        against: .init(name: "a bare child", value: bare.wall.median * 1000)),
      Measurement(
        "the same, processor time", supervised.processor.median * 1000, "ms",
        against: .init(name: "a bare child", value: bare.processor.median * 1000)),
      Measurement(
        "what supervision adds to the SDK suite, processor time", max(0, beyond), "s",
        against: .init(name: "the suite", value: suite.processor), target: .ratioAtMost(0.05)),
    ]
  }

  /// What one start took in each round, in seconds.
  private struct Sample {
    var wall: [Double] = []
    var processor: [Double] = []

    mutating func add(_ round: () async throws -> Void) async throws {
      let (start, before) = (ContinuousClock.now, Child.processorOfAll())
      try await round()
      wall.append((ContinuousClock.now - start).seconds / Double(SupervisedStarts.startsOfRound))
      processor.append((Child.processorOfAll() - before) / Double(SupervisedStarts.startsOfRound))
    }
  }

  private static func supervised(_ adapter: String) async throws {
    let session = try await AdapterSession.start(AdapterCommand(executable: adapter)) { _ in }
    _ = try await session.call(.hello(kit: "bench", protocolName: "linkforty"))
    await session.shutDown()
  }
}
