import ConformanceModel
import Glibc

extension AdapterLoop {
  /// How many pieces a pipe can be made to hold. More are not read at once: what flows in meanwhile may never end.
  private static let readsOfFullPipe = 16

  /// Starts the process and serves it until it has ended. Blocks.
  func run(_ command: AdapterCommand) {
    let child: ChildProcess
    do { child = try ChildProcess.start(command) } catch {
      wakeUp.close()
      return started.keep(.failure(error))
    }
    var watch = StreamWatch(child, wake: wakeUp.readEnd)
    outbox.withLock { $0.input = child.input }
    state.withLock { state in
      state.child = child
      // Who asked for it may have lost interest by now.
      if !state.lifetime.isRunning { child.signal(SIGKILL) }
    }
    started.keep(.success(child.id))
    while serve(&watch) {}
    finish(child, &watch)
  }

  /// Serves what is ready, after waiting until something is; false when the process has ended.
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
      case .wake: _ = watch.read(.wake)
      case .errors: if readErrors(&watch) == .end { watch.close(.errors) }
      case .output: if readOutput(&watch) == .end { lose(&watch, .output, "stdout") }
      case .input: if !outbox.withLock({ writeOut(&$0) }) { lose(&watch, .input, "stdin") }
      case .exit: return false
      }
    }
    // What fell due while something came is found when there is no patience left.
    guard ready.isEmpty || patience <= .zero else { return true }
    if state.withLock({ state in state.deadline.map { $0 <= now() } ?? false }) { expire(&watch) }
    return true
  }

  /// Reports what is left once nothing of the group is, and cleans up.
  private func finish(_ child: ChildProcess, _ watch: inout StreamWatch) {
    let intent = state.withLock { state in
      state.child = nil
      return state.lifetime.cause
    }
    let ended = child.reap(atOnce: intent.isKill)
    for _ in 0..<Self.readsOfFullPipe {
      guard readOutput(&watch) == .piece else { break }
    }
    catchUpWithErrors(&watch)
    let ending = AdapterEnding(intent: intent, exit: ended.exit, leftovers: ended.leftovers)
    perform(state.withLock { $0.conversation.end(ending) })
    for stream in StreamWatch.Stream.allCases { close(&watch, stream) }
    Glibc.close(wakeUp.writeEnd)
    self.ended.keep(ending)
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

  /// Does what is due by now. What has come by then is heard first: it may lie there since before it was due.
  private func expire(_ watch: inout StreamWatch) {
    for _ in 0..<Self.readsOfFullPipe {
      guard readOutput(&watch) == .piece else { break }
    }
    let outputs = state.withLock { state -> [AdapterConversation.Output] in
      // Who ended meanwhile is nobody who still runs, nor anybody who waits: that is served next.
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

  private func lose(_ watch: inout StreamWatch, _ stream: StreamWatch.Stream, _ name: String) {
    close(&watch, stream)
    state.withLock { $0.lifetime.lose("its \(name)", at: now()) }
  }

  /// Closes a stream that nobody may write to from now on.
  private func close(_ watch: inout StreamWatch, _ stream: StreamWatch.Stream) {
    if stream == .input { outbox.withLock { $0.input = nil } }
    watch.close(stream)
  }
}

extension AdapterLoop {
  /// What reading once came to.
  private enum Reading {
    case piece, nothing, end
  }

  private func readErrors(_ watch: inout StreamWatch) -> Reading {
    guard let piece = watch.read(.errors) else { return .nothing }
    perform(state.withLock { $0.conversation.readErrors(piece) })
    return piece.isEmpty ? .end : .piece
  }

  /// Reports what stderr holds now.
  private func catchUpWithErrors(_ watch: inout StreamWatch) {
    for _ in 0..<Self.readsOfFullPipe {
      guard readErrors(&watch) == .piece else { return }
    }
  }

  /// Reads a piece of stdout, and before it is reported all of stderr: what was logged before a reply comes before it.
  private func readOutput(_ watch: inout StreamWatch) -> Reading {
    guard let piece = watch.read(.output) else { return .nothing }
    catchUpWithErrors(&watch)
    perform(state.withLock { $0.conversation.readOutput(piece) })
    if state.withLock({ $0.hasShutDown }) { close(&watch, .input) }
    return piece.isEmpty ? .end : .piece
  }
}

extension AdapterLoop.State {
  /// Adds to all deadlines what the process has waited for a processor since this was last done; false when that is
  /// next to nothing.
  mutating func forgive(_ wait: ProcessorWait.Sample) -> Bool {
    guard let more = forgiven.more(of: wait) else { return false }
    lifetime.postpone(by: more)
    conversation.postpone(by: more)
    return true
  }

  /// Whether something is due before the thread looks again.
  var isDueBeforeNextLook: Bool {
    guard let nextLook, let deadline else { return false }
    return deadline < nextLook
  }

  /// When something is due although nothing has happened.
  var deadline: SuspendingClock.Instant? {
    guard lifetime.isRunning else { return lifetime.deadline }
    return lifetime.deadline.earlier(conversation.deadline)
  }

  /// Whether `shutdown` was answered: then the end of stdin may be said too, which wakes readers that still wait.
  var hasShutDown: Bool { shutdown.flatMap { replies[$0]?.isKept } ?? false }
}
