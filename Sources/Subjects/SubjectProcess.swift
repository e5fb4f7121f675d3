import Glibc
import HTTPValues
import JSONKit
import Processes
import Synchronization

/// A process of a server or backend that the kit starts and ends.
final class SubjectProcess: Sendable {
  /// The largest number of bytes of the process's output on stderr and stdout that the kit keeps.
  private static let keptOutput = 64 << 10
  private static let pieceSize = 16 << 10
  /// The longest real time that the kit waits after SIGTERM before it kills the process.
  private static let grace = Duration.seconds(2)
  /// The longest time for which the thread that reads the output waits for new output.
  private static let longestWait = Duration.seconds(60)

  private struct State {
    var exit: ProcessExit?
    var isAskedToEnd = false
    var listener: (@Sendable (Octets) -> Void)?
    var output: ErrorOutput
  }

  private let child: ChildProcess
  private let wakeUp: Pipe
  private let ended = Promise<ProcessExit>()
  private let state: Mutex<State>

  private init(_ child: ChildProcess, _ wakeUp: Pipe) {
    self.child = child
    self.wakeUp = wakeUp
    state = Mutex(State(output: ErrorOutput(limit: Self.keptOutput)))
  }

  static func start(_ command: ProgramCommand, in folder: String) throws(ProgramFailure) -> SubjectProcess {
    let wakeUp = try Pipe.open()
    for end in [wakeUp.readEnd, wakeUp.writeEnd] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
    let child: ChildProcess
    do { child = try ChildProcess.start(command, in: folder) } catch {
      wakeUp.close()
      throw error
    }
    let process = SubjectProcess(child, wakeUp)
    guard OwnThread.run({ process.serve() }) else {
      child.signal(SIGKILL)
      _ = child.reap(atOnce: true)
      throw ProgramFailure(.start, "no thread can be started for the subject: run fewer cases at once")
    }
    return process
  }

  var hasEnded: Bool { ended.isKept }

  var exit: ProcessExit? { state.withLock(\.exit) }

  /// The time that the process has spent waiting for a processor so far. An empty sample once the process has ended.
  var processorWait: ProcessorWait.Sample { ended.isKept ? .none : child.processorWait }

  /// The last lines of the process's output, for the text of a failure.
  var lastWords: String { state.withLock(\.output.lastWords) }

  /// From now on, sends all output of the process to this listener; if it is nil, to no listener.
  func listen(_ listener: (@Sendable (Octets) -> Void)?) { state.withLock { $0.listener = listener } }

  /// Sends SIGTERM to the process. Kills the process if it does not end in time, and kills the children that it leaves
  /// behind. Returns once all of them are gone.
  func end() async {
    state.withLock { state in
      state.isAskedToEnd = true
      // After the process has ended, the pipe is closed, and its descriptor may belong to another file.
      if state.exit == nil { _ = write(wakeUp.writeEnd, [1], 1) }
    }
    _ = await ended.valueInAnyCase()
  }

  /// Returns once the process has ended, or the time is over.
  func waitForEnd(atMost limit: Duration) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { _ = try? await self.ended.value() }
      group.addTask { try? await Task.sleep(for: limit) }
      _ = await group.next()
      group.cancelAll()
    }
  }

  /// Reads the output of the process until the process has ended, and ends the process if ``end()`` was called. Blocks
  /// its thread all the time.
  private func serve() {
    var watch = StreamWatch(child, wake: wakeUp.readEnd)
    watch.close(.input)
    var killAt: SuspendingClock.Instant?
    var isKilled = false
    loop: while true {
      for stream in watch.wait(
        writes: false, atMost: killAt.map { max(.zero, SuspendingClock.now.duration(to: $0)) } ?? Self.longestWait)
      {
        switch stream {
        case .wake: watch.close(.wake)
        case .errors, .output: if !read(&watch, stream) { watch.close(stream) }
        case .input: break
        case .exit: break loop
        }
      }
      if killAt == nil, state.withLock(\.isAskedToEnd) {
        child.signal(SIGTERM)
        killAt = .now + Self.grace
      } else if let due = killAt, due <= .now {
        child.signal(SIGKILL)
        isKilled = true
      }
    }
    for stream in [StreamWatch.Stream.errors, .output] { while read(&watch, stream) {} }
    let last = child.reap(atOnce: isKilled)
    let remarks = isKilled ? ["still ran \(Self.grace) after SIGTERM and was killed"] : []
    for incident in remarks.map(IncidentLog.Incident.remark) + last.leftovers.map(IncidentLog.Incident.leftover) {
      IncidentLog.shared.note(incident, of: "the subject")
    }
    let exit = last.exit
    for stream in StreamWatch.Stream.allCases { watch.close(stream) }
    state.withLock { state in
      state.exit = exit
      _ = Glibc.close(wakeUp.writeEnd)
    }
    ended.keep(exit)
  }

  /// Reads a piece of a stream. Returns false if the stream contains no bytes at the moment, or if it has ended.
  private func read(_ watch: inout StreamWatch, _ stream: StreamWatch.Stream) -> Bool {
    guard let descriptor = watch.descriptor(stream) else { return false }
    let piece = [UInt8](unsafeUninitializedCapacity: Self.pieceSize) { buffer, count in
      count = max(0, Glibc.read(descriptor, buffer.baseAddress, buffer.count))
    }
    guard !piece.isEmpty else { return false }
    let (listener, text) = state.withLock { state in (state.listener, state.output.read(piece)) }
    if let text { listener?(text) }
    return true
  }
}
