import Glibc
import Synchronization

/// One run of a program from its start to its end, with a time limit. All children of the program end with it.
package final class ProgramRun: Sendable {
  package struct Ending: Sendable {
    /// The reason why the run ended.
    package enum Cause: Sendable {
      case exited(ProcessExit)
      case timeLimit
      case outputLimit
      case cancelled
    }

    package var cause: Cause
    package var output: [UInt8]
    /// The last lines of stderr.
    package var errors: String
  }

  private static let outputLimit = 1 << 20
  private static let pieceSize = 64 << 10

  private let wakeUp: Pipe
  private let isCancelled = Mutex(false)
  private let ended = Promise<Result<Ending, ProgramFailure>>()

  private init() throws(ProgramFailure) { wakeUp = try Pipe.open() }

  deinit { wakeUp.close() }

  /// Runs a program in a folder. If the task is cancelled, the program is killed.
  package static func run(
    _ command: ProgramCommand, in folder: String, input: [UInt8], limit: Duration
  ) async throws(ProgramFailure) -> Ending {
    let run = try ProgramRun()
    let isStarted = OwnThread.run { run.ended.keep(run.serve(command, folder, input, limit)) }
    guard isStarted else { throw ProgramFailure(.machine, "no more threads can be started: run fewer cases at once") }
    let result = await withTaskCancellationHandler {
      await run.ended.valueInAnyCase()
    } onCancel: {
      run.isCancelled.withLock { $0 = true }
      _ = write(run.wakeUp.writeEnd, [1], 1)
    }
    return try result.get()
  }

  /// Starts the program and serves its streams until it has ended. Blocks.
  private func serve(
    _ command: ProgramCommand, _ folder: String, _ input: [UInt8], _ limit: Duration
  ) -> Result<Ending, ProgramFailure> {
    let child: ChildProcess
    do { child = try ChildProcess.start(command, in: folder) } catch { return .failure(error) }
    var service = Service(child: child, watch: StreamWatch(child, wake: wakeUp.readEnd), input: input[...])
    var deadline = Heartbeat.shared.now + limit
    var forgiven = ProcessorWait.Forgiven()
    var cause: Ending.Cause?
    while cause == nil {
      let isLate = Heartbeat.shared.now >= deadline
      let isOver = service.serve(atMost: isLate ? .zero : Heartbeat.shared.now.duration(to: deadline))
      if isCancelled.withLock({ $0 }) {
        cause = .cancelled
      } else if service.output.count > Self.outputLimit {
        cause = .outputLimit
      } else if isOver {
        break
      } else if isLate {
        // The loop above has served all input that had arrived before it ended.
        if let more = forgiven.more(of: child.processorWait) {
          deadline += more
        } else if !child.hasExited {
          cause = .timeLimit
        }
      }
    }
    let ended = child.reap(atOnce: cause != nil)
    for leftover in ended.leftovers {
      IncidentLog.shared.note(.leftover(leftover), of: "the program '\(command.executable)'")
    }
    return .success(service.finish(cause ?? .exited(ended.exit)))
  }

  /// A running program, and the data of its streams so far.
  private struct Service {
    let child: ChildProcess
    var watch: StreamWatch
    var input: ArraySlice<UInt8>
    var output: [UInt8] = []
    var errors = ErrorOutput(limit: 16 << 10)

    /// Serves the streams that are ready. Returns true once the program has ended.
    mutating func serve(atMost span: Duration) -> Bool {
      if input.isEmpty { watch.close(.input) }
      for stream in watch.wait(writes: !input.isEmpty, atMost: span) {
        switch stream {
        case .wake: return false
        case .errors, .output: if read(stream) == .end { watch.close(stream) }
        case .input: if !write() { watch.close(.input) }
        case .exit: return true
        }
      }
      return false
    }

    /// Reads the rest of the output after the program has ended. Closes all descriptors except the wake-up pipe.
    mutating func finish(_ cause: Ending.Cause) -> Ending {
      for stream in [StreamWatch.Stream.errors, .output] {
        while output.count <= ProgramRun.outputLimit, read(stream) == .piece {}
      }
      for stream in StreamWatch.Stream.allCases where stream != .wake { watch.close(stream) }
      return Ending(cause: cause, output: output, errors: errors.lastWords)
    }

    private enum Reading { case piece, nothing, end }

    private mutating func read(_ stream: StreamWatch.Stream) -> Reading {
      guard let descriptor = watch.descriptor(stream) else { return .end }
      var result = 0
      let piece = [UInt8](unsafeUninitializedCapacity: ProgramRun.pieceSize) { buffer, count in
        result = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        count = max(0, result)
      }
      if result < 0 { return errno == EAGAIN || errno == EINTR ? .nothing : .end }
      if stream == .output { output += piece } else { _ = errors.read(piece) }
      return piece.isEmpty ? .end : .piece
    }

    /// Writes the next piece of the input. Returns false if the program has closed stdin.
    private mutating func write() -> Bool {
      guard let descriptor = watch.descriptor(.input) else { return false }
      let piece = input.prefix(ProgramRun.pieceSize)
      let count = piece.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard count >= 0 else { return errno == EAGAIN || errno == EINTR }
      input = input.dropFirst(count)
      return true
    }
  }
}
