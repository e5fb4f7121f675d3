import Adapters
import Processes

/// The time from a command to an adapter in Python until its reply has arrived.
struct StdioRoundTrip {
  static let figure = "adapter round trip (ping), median"

  private static let warmUp = 100
  private static let count = 1000

  private static let adapter = """
    import json, sys
    for line in iter(sys.stdin.readline, ""):
        message = json.loads(line)
        sys.stdout.write(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": None}) + "\\n")
        sys.stdout.flush()
    """

  private static let echo = """
    import sys
    for line in iter(sys.stdin.readline, ""):
        sys.stdout.write(line)
        sys.stdout.flush()
    """

  func measurements() async throws -> [Measurement] {
    let pings = try await pings()
    let echoes = try echoes()
    return [
      Measurement(
        Self.figure, pings, "ms", against: .init(name: "a line through raw pipes to Python", value: echoes),
        target: .below(0.2))
    ]
  }

  private func pings() async throws -> Double {
    let command = ProgramCommand(executable: "python3", arguments: Self.arguments(Self.adapter))
    let session = try await AdapterSession.start(command) { _ in }
    var times: [Double] = []
    for number in 0..<(Self.warmUp + Self.count) {
      let start = ContinuousClock.now
      let outcome = try await session.call(.ping)
      if number >= Self.warmUp { times.append((ContinuousClock.now - start).milliseconds) }
      guard outcome == .result(.null) else { throw BenchFailure("the adapter answered a ping with \(outcome)") }
    }
    await session.shutDown()
    return times.median
  }

  private func echoes() throws -> Double {
    let process = try EchoProcess("python3", Self.arguments(Self.echo))
    defer { process.stop() }
    let times = try ContinuousClock.samples(Self.warmUp + Self.count) { try process.roundTrip() }
    return times.dropFirst(Self.warmUp).map(\.milliseconds).median
  }

  private static func arguments(_ source: String) -> [String] { ["-S", "-E", "-c", source] }
}
