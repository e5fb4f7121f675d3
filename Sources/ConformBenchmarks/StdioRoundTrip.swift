import CLinux
import ConformanceBench
import Glibc

/// How long a command to an adapter in Python takes until its reply is here.
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
    let command = AdapterCommand(executable: "python3", arguments: Self.arguments(Self.adapter))
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
    let (input, output) = (try Self.pipe(), try Self.pipe())
    let child = try Child("python3", Self.arguments(Self.echo), input: input.read, output: output.write)
    for end in [input.read, output.write] { close(end) }
    // The end of its input ends the process.
    defer {
      for end in [input.write, output.read] { close(end) }
      _ = child.wait(.seconds(5))
    }
    let times = try ContinuousClock.samples(Self.warmUp + Self.count) { try Self.echo(input.write, output.read) }
    return times.dropFirst(Self.warmUp).map(\.milliseconds).median
  }

  private static func echo(_ writeEnd: Int32, _ readEnd: Int32) throws(BenchFailure) {
    let line = Array("a line that is as long as a ping of the adapter protocol, 70 bytes ..\n".utf8)
    guard write(writeEnd, line, line.count) == line.count else { throw BenchFailure(system: "write to Python") }
    var answer = [UInt8](repeating: 0, count: line.count)
    var received = 0
    while received < line.count {
      let count = answer.withUnsafeMutableBytes { read(readEnd, $0.baseAddress, $0.count - received) }
      guard count > 0 else { throw BenchFailure("Python ended before it echoed a line") }
      received += count
    }
  }

  private static func arguments(_ source: String) -> [String] { ["-S", "-E", "-c", source] }

  private static func pipe() throws(BenchFailure) -> (read: Int32, write: Int32) {
    var ends: [Int32] = [-1, -1]
    guard pipe2(&ends, O_CLOEXEC) == 0 else { throw BenchFailure(system: "pipe2") }
    return (ends[0], ends[1])
  }
}
