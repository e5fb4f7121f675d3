import Glibc
import Synchronization

/// A program of the kit that runs in the background. It reports lines on stdout until its stdin ends.
package final class ReportingProgram: Sendable {
  /// The lines of stdout without line ends. The stream finishes when the program ends.
  package let lines: AsyncStream<String>
  private let reports: AsyncStream<String>.Continuation
  private let child: ChildProcess
  /// A pipe that receives a byte when the program must end.
  private let wakeUp: Pipe
  /// The last lines of stderr. The value is set when the program has ended.
  private let ended = Promise<String>()

  /// Starts the program.
  package init(_ command: ProgramCommand) throws(ProgramFailure) {
    (lines, reports) = AsyncStream.makeStream(of: String.self)
    wakeUp = try Pipe.open()
    do { child = try ChildProcess.start(command) } catch {
      wakeUp.close()
      throw error
    }
    guard OwnThread.run({ self.serve() }) else {
      child.reap(atOnce: true)
      throw ProgramFailure(.machine, "no more threads can be started: run fewer cases at once")
    }
  }

  deinit { wakeUp.close() }

  /// Closes the program's stdin and waits until the program has ended. A program that takes too long is killed with its
  /// children.
  ///
  /// - Returns: the last lines of its stderr.
  @discardableResult
  package func end() async -> String {
    _ = write(wakeUp.writeEnd, [1], 1)
    return await ended.valueInAnyCase()
  }

  /// The time within which the program must end.
  private static let grace = Duration.seconds(10)

  /// Serves the streams until the program has ended. Blocks.
  private func serve() {
    var watch = StreamWatch(child, wake: wakeUp.readEnd)
    var output = LineBuffer()
    var errors = ErrorOutput(limit: 16 << 10)
    var deadline: Heartbeat.Instant?
    var isOver = false
    while !isOver {
      let span = deadline.map { Heartbeat.shared.now.duration(to: $0) } ?? .seconds(60)
      if span <= .zero { break }
      for stream in watch.wait(writes: false, atMost: span) {
        switch stream {
        case .wake:
          watch.quieten()
          watch.close(.input)
          deadline = Heartbeat.shared.now + Self.grace
        case .input: watch.close(.input)
        case .output: report(output.lines(of: Self.read(.output, of: &watch)))
        case .errors: _ = errors.read(Self.read(.errors, of: &watch))
        case .exit: isOver = true
        }
      }
    }
    report(output.lines(of: Self.read(.output, of: &watch)))
    for stream in StreamWatch.Stream.allCases where stream != .wake { watch.close(stream) }
    child.reap(atOnce: true)
    reports.finish()
    ended.keep(errors.lastWords)
  }

  private func report(_ lines: [String]) {
    for line in lines { reports.yield(line) }
  }

  /// Reads one piece of a stream. Closes the stream if it has ended.
  private static func read(_ stream: StreamWatch.Stream, of watch: inout StreamWatch) -> ArraySlice<UInt8> {
    guard let descriptor = watch.descriptor(stream) else { return [] }
    var reader = PipeReader(descriptor)
    guard let piece = reader.read() else { return [] }
    if piece.isEmpty { watch.close(stream) }
    return piece
  }
}

/// Splits bytes into lines.
private struct LineBuffer {
  private var held: [UInt8] = []

  /// The lines that are complete with these bytes, without their ends.
  mutating func lines(of bytes: ArraySlice<UInt8>) -> [String] {
    held += bytes
    guard let end = held.lastIndex(of: 0x0A) else { return [] }
    defer { held.removeSubrange(...end) }
    return held[..<end].split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) }
  }
}
