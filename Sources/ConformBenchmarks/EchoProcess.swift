import CLinux
import Glibc

/// A process that sends back every line over raw pipes. Its round trip is the lower bound for the time of a command to
/// an adapter.
struct EchoProcess {
  /// A line with the length of a `ping` of the adapter protocol.
  private static let line = Array("a line that is as long as a ping of the adapter protocol, 70 bytes ..\n".utf8)

  private let child: Child
  private let input: Int32
  private let output: Int32
  private let name: String

  init(_ program: String, _ arguments: [String] = []) throws(BenchFailure) {
    let (input, output) = (try Self.pipe(), try Self.pipe())
    defer { for end in [input.read, output.write] { close(end) } }
    child = try Child(program, arguments, input: input.read, output: output.write)
    (self.input, self.output, name) = (input.write, output.read, program)
  }

  /// Sends a line, and waits until the same line has come back.
  func roundTrip() throws(BenchFailure) {
    guard write(input, Self.line, Self.line.count) == Self.line.count else {
      throw BenchFailure(system: "write to \(name)")
    }
    var answer = [UInt8](repeating: 0, count: Self.line.count)
    var received = 0
    while received < Self.line.count {
      let count = answer.withUnsafeMutableBytes { read(output, $0.baseAddress, $0.count - received) }
      guard count > 0 else { throw BenchFailure("\(name) ended before it echoed a line") }
      received += count
    }
  }

  /// Sends a line to a program that does not echo, and waits until a whole line has come back.
  func awaitAnswer(to line: [UInt8]) throws(BenchFailure) {
    guard write(input, line, line.count) == line.count else { throw BenchFailure(system: "write to \(name)") }
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    repeat {
      let count = read(output, &piece, piece.count)
      guard count > 0 else { throw BenchFailure("\(name) ended before it answered") }
      if piece[count - 1] == UInt8(ascii: "\n") { return }
    } while true
  }

  /// Closes the input of the process, and waits until it has ended.
  func stop() {
    for end in [input, output] { close(end) }
    _ = child.wait(.seconds(5))
  }

  static func pipe() throws(BenchFailure) -> (read: Int32, write: Int32) {
    var ends: [Int32] = [-1, -1]
    guard pipe2(&ends, O_CLOEXEC) == 0 else { throw BenchFailure(system: "pipe2") }
    return (ends[0], ends[1])
  }
}
