import Glibc
import NIOCore
import NIOPosix
import Processes

extension AdapterProcess {
  /// This number of reads empties a full pipe of 1 MiB, the largest usual size. The kit makes no more reads in a row,
  /// since the process may write without end.
  private static let readsOfFullPipe = 16

  /// Starts the process and serves it until it has ended. Blocks.
  func run(_ command: ProgramCommand) {
    let child: ChildProcess
    let output: any Channel
    do {
      child = try ChildProcess.start(command)
      errors.withLock { $0 = PipeReader(child.errors) }
      output = try listen(to: child)
    } catch {
      wakeUp.close()
      return started.keep(.failure(error))
    }
    var watch = StreamWatch(child, wake: wakeUp.readEnd)
    watch.leave(.output)
    outbox.withLock { $0.input = child.input }
    state.withLock { state in
      state.child = child
      // A kill may have been requested before the process was started.
      if !state.lifetime.isRunning { child.signal(SIGKILL) }
    }
    started.keep(.success(child.id))
    while serve(&watch) {}
    finish(child, output, &watch)
  }

  /// Lets the loop read stdout. Kills the process if that is not possible.
  private func listen(to child: ChildProcess) throws(ProgramFailure) -> any Channel {
    let descriptor = fcntl(child.output, F_DUPFD_CLOEXEC, 3)
    var code = errno
    if descriptor >= 0 {
      do {
        return try NIOPipeBootstrap(group: eventLoop)
          .channelOption(.autoRead, value: false)
          .channelInitializer { channel in
            channel.eventLoop.makeCompletedFuture {
              try channel.pipeline.syncOperations.addHandler(AdapterOutput(self))
            }
          }
          .takingOwnershipOfDescriptor(input: descriptor).wait()
      } catch {
        code = (error as? IOError)?.errnoCode ?? EIO
        Glibc.close(descriptor)
      }
    }
    child.signal(SIGKILL)
    _ = child.reap(atOnce: true)
    errors.withLock { $0 = nil }
    for stream in [child.input, child.output, child.errors, child.exit] { Glibc.close(stream) }
    throw ProgramFailure.notStarted("its stdout cannot be read", errno: code)
  }

  /// Waits until something is ready and serves it. Returns false once the process has ended.
  private func serve(_ watch: inout StreamWatch) -> Bool {
    let patience = state.withLock { state in
      let now = now()
      let latest = now.advanced(by: longestWait)
      let nextLook = min(state.deadline ?? latest, latest)
      state.nextLook = nextLook
      return now.duration(to: nextLook)
    }
    let ready = watch.wait(writes: isOutboxBlocked.load(ordering: .acquiring), atMost: patience)
    for stream in ready {
      switch stream {
      case .wake: watch.quieten()
      case .errors: if readErrors() == .end { close(&watch, .errors) }
      case .input:
        if !outbox.withLock({ writeOut(&$0) }) {
          close(&watch, .input)
          state.withLock { $0.lifetime.lose("its stdin", at: now()) }
        }
      case .output: break
      case .exit: return false
      }
    }
    // Once `shutdown` is answered, stdin may end. The end of stdin wakes an adapter that still reads.
    if state.withLock(\.hasShutDown) { close(&watch, .input) }
    // After an event the deadlines are checked only if they leave no time to wait; otherwise the next round checks
    // them.
    guard ready.isEmpty || patience <= .zero else { return true }
    if state.withLock({ state in state.deadline.map { $0 <= now() } ?? false }) { onLoop { self.expire() } }
    return true
  }

  /// Ends the processes that the adapter has left, reports the rest of the output and the exit, and releases all
  /// resources.
  private func finish(_ child: ChildProcess, _ output: any Channel, _ watch: inout StreamWatch) {
    let intent = state.withLock { state in
      state.child = nil
      return state.lifetime.cause
    }
    let ended = child.reap(atOnce: intent.isKill)
    let ending = AdapterEnding(intent: intent, exit: ended.exit, leftovers: ended.leftovers)
    onLoop {
      self.hear(child)
      output.close(promise: nil)
      self.catchUpWithErrors()
      self.perform(self.state.withLock { $0.conversation.end(ending) })
    }
    for stream in StreamWatch.Stream.allCases { close(&watch, stream) }
    Glibc.close(child.output)
    Glibc.close(wakeUp.writeEnd)
    self.ended.keep(ending)
  }

  /// Runs a closure on the loop and waits until it has returned. Do not call it on the loop, or with a lock that the
  /// closure takes.
  private func onLoop(_ body: @escaping @Sendable () -> Void) {
    // A loop that was shut down runs nothing any more.
    do { try eventLoop.submit(body).wait() } catch { body() }
  }

  private func perform(_ outputs: [AdapterConversation.Output]) {
    for output in outputs {
      switch output {
      case .event(let event): sink(event)
      case .settled(let id, let result): reply(to: id)?.keep(result)
      case .stop(let cause): kill(cause)
      }
    }
  }

  /// Takes the measure that is due by now. Output in the pipe may be older than the deadline, so the output is read
  /// first.
  private func expire() {
    if let child = state.withLock(\.child) { hear(child) }
    let outputs = state.withLock { state -> [AdapterConversation.Output] in
      // A process that has exited neither runs nor waits; its end is served next.
      if let child = state.child, state.forgive(processorWait(child)) || child.hasExited { return [] }
      switch state.lifetime.expire(at: now()) {
      case .terminate:
        state.child?.signal(SIGTERM)
        return state.conversation.breach(
          "the adapter still runs after 'shutdown'; expected it to exit. It gets SIGTERM")
      case .kill:
        state.child?.signal(SIGKILL)
        return state.conversation.breach("the adapter still runs after SIGTERM; expected it to exit. It is killed")
      case .giveUp(let text): return state.conversation.breach(text, isFatal: true)
      case nil: return state.lifetime.isRunning ? state.conversation.expire(at: now()) : []
      }
    }
    perform(outputs)
  }

  /// Closes a stream, after it is removed from the properties through which other threads use it.
  private func close(_ watch: inout StreamWatch, _ stream: StreamWatch.Stream) {
    if stream == .input { outbox.withLock { $0.input = nil } }
    if stream == .errors { errors.withLock { $0 = nil } }
    watch.close(stream)
  }
}

extension AdapterProcess {
  /// The result of one read.
  private enum Reading {
    case piece, nothing, end
  }

  /// Reads a piece of stderr and reports it. The lock is kept until the report, so that pieces are reported in order.
  private func readErrors() -> Reading {
    errors.withLock { reader in
      guard let piece = reader?.read() else { return .nothing }
      perform(state.withLock { $0.conversation.readErrors(piece) })
      return piece.isEmpty ? .end : .piece
    }
  }

  /// Reports everything that the pipe of stderr contains now.
  private func catchUpWithErrors() {
    for _ in 0..<Self.readsOfFullPipe {
      guard readErrors() == .piece else { return }
    }
  }

  /// Reports everything that the pipe of stdout contains now. Must be called on the loop.
  private func hear(_ child: ChildProcess) {
    var reader = PipeReader(child.output)
    for _ in 0..<Self.readsOfFullPipe {
      guard let piece = reader.read(), !piece.isEmpty else { return }
      hear(piece)
    }
  }

  /// Reports all of stderr, then a piece of stdout. So a log line that was written before a reply is reported before
  /// the reply.
  fileprivate func hear(_ piece: some Collection<UInt8>) {
    catchUpWithErrors()
    perform(state.withLock { $0.conversation.readOutput(piece) })
    state.withLock { if $0.hasShutDown { wake(&$0) } }
  }

  /// Notes that all writers have closed stdout.
  fileprivate func loseOutput() {
    state.withLock { state in
      state.lifetime.lose("its stdout", at: now())
      if state.isDueBeforeNextLook { wake(&state) }
    }
  }
}

/// Forwards an adapter's stdout. It reads no faster than the kit processes the events.
private final class AdapterOutput: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer

  private let process: AdapterProcess

  init(_ process: AdapterProcess) { self.process = process }

  func channelActive(context: ChannelHandlerContext) { context.read() }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    unwrapInboundIn(data).withUnsafeReadableBytes { process.hear($0) }
  }

  func channelReadComplete(context: ChannelHandlerContext) {
    guard let heard = process.backlog() else { return context.read() }
    heard.hop(to: context.eventLoop).assumeIsolated().whenComplete { _ in context.read() }
  }

  func channelInactive(context: ChannelHandlerContext) { process.loseOutput() }
}

extension AdapterProcess.State {
  /// Extends all deadlines by the time for which the process has waited for a processor since the last call. Returns
  /// false if that time is negligible.
  mutating func forgive(_ wait: ProcessorWait.Sample) -> Bool {
    guard let more = forgiven.more(of: wait) else { return false }
    lifetime.postpone(by: more)
    conversation.postpone(by: more)
    return true
  }

  /// Whether a deadline is earlier than ``nextLook``, the instant until which the thread waits for events.
  var isDueBeforeNextLook: Bool {
    guard let nextLook, let deadline else { return false }
    return deadline < nextLook
  }

  /// The earliest instant at which the kit must act even if no event comes.
  var deadline: SuspendingClock.Instant? {
    guard lifetime.isRunning else { return lifetime.deadline }
    return lifetime.deadline.earlier(conversation.deadline)
  }

  /// Whether the adapter has answered `shutdown`.
  var hasShutDown: Bool { shutdown.flatMap { replies[$0]?.isKept } ?? false }
}
