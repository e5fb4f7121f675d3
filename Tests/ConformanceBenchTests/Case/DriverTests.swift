import ConformanceModel
import ConformanceTranscript
import ConformanceWire
import Glibc
import HTTPValues
import JSONKit
import NIOCore
import NIOPosix
import Synchronization
import Templates
import Testing

@testable import Adapters
@testable import ConformanceBench
@testable import Processes
@testable import Recording

/// The end of a case through its subject: the transcript of a death, of a hang, and of an end that the kit caused.
@Suite struct DriverTests {
  /// A clock that a test moves.
  private final class Elapsed: Sendable {
    private let start = SuspendingClock.now
    private let passed = Mutex(Duration.zero)

    var now: SuspendingClock.Instant { passed.withLock { start.advanced(by: $0) } }
    func add(_ span: Duration) { passed.withLock { $0 += span } }
  }

  /// The driver of a case for an adapter in Python, with its recorder.
  private final class Stage: Sendable {
    let pool: AdapterPool
    let recorder: Recorder
    let driver: Driver
    let storage: StorageFolder
    let loop: any EventLoop = MultiThreadedEventLoopGroup.singleton.any()
    private let adapter: PythonAdapter

    init(
      bend: String, clock: ClockMode = .virtual, scale: Int = 1, limits: AdapterLimits = .patient,
      catchUp: @escaping @Sendable (Recorder) -> Void = { _ in },
      now: @escaping @Sendable () -> Heartbeat.Instant = { .now },
      // A deadline moves by the time for which a process waited. It would never come on a clock that tests move.
      processorWait: @escaping @Sendable (ChildProcess) -> ProcessorWait.Sample = { _ in .none }
    ) throws {
      adapter = try PythonAdapter(bend: bend)
      let definition = ProtocolDefinition(
        name: "parcel", title: "Parcel", document: "p", revision: "1", services: Sample.services,
        roles: Sample.roles, dialects: [Sample.dialect])
      pool = AdapterPool(
        command: adapter.command, definition: definition, kit: "k", limits: limits, checks: .none,
        now: now, processorWait: processorWait)
      recorder = Recorder(redact: Redaction()) { .zero }
      storage = try StorageFolder()
      driver = Driver(
        pool: pool,
        launch: .init(storage: storage, clock: clock, scale: scale, epoch: 0, seed: 1, environment: [:]),
        recorder: recorder, clock: .virtual(VirtualClock()),
        inbox: AdapterInbox(on: loop) { [recorder] in
          catchUp(recorder)
          return nil
        })
    }

    deinit { storage.remove() }

    /// Calls a command and waits for its outcome, or the end of the case.
    func call(_ command: String, handle: String? = nil) async {
      let number = driver.call(command, params: DriverTests.params(handle), label: nil)
      await recorder.wait { $0.outcomes[number] != nil }
    }

    /// Ends the case. Returns its events after the launch.
    func finish() async -> [TranscriptEntry.Event] {
      await driver.finish()
      recorder.record(.end(.init(.completed)))
      await pool.close()
      return recorder.entries.dropFirst().map(\.event)
    }
  }

  private static func params(_ handle: String?) -> JSON { handle.map { ["handle": .string($0)] } ?? [:] }

  private static func command(_ id: Int, _ name: String, handle: String? = nil) -> TranscriptEntry.Event {
    .command(.init(id: id, name: name, params: params(handle), label: nil))
  }

  /// A callback without a registration is a mistake of the adapter, not of the SDK, and ends the case.
  @Test func aCallbackOfAHandleThatNobodyGaveIsABreach() async throws {
    let stage = try Stage(
      bend: """
        def work(id, method, params):
            if method == "tell": callback("nob\\nody", 1)
        """)
    try await stage.driver.start()
    await stage.call("tell", handle: "told")
    await stage.recorder.wait { $0.stop != nil }
    let text =
      #"a callback for the handle 'nob\nody', under which no command of this case registered one"#
    #expect(stage.recorder.stop == .init(.adapterBroke, text))
    #expect(await stage.finish().contains(.breach(text)))
  }

  /// A request that an SDK sent before a reply may still be in a socket. It is recorded first.
  @Test func whatLiesInSocketsComesBeforeALineOfTheAdapter() async throws {
    let stage = try Stage(
      bend: """
        def work(id, method, params):
            if method == "tell":
                callback("told", 1)
                reply(id, 2)
                return True
        """, catchUp: { $0.record(.closed(upstream: "main", connection: 1, by: .subject)) })
    try await stage.driver.start()
    await stage.call("tell", handle: "told")
    let arrived = TranscriptEntry.Event.closed(upstream: "main", connection: 1, by: .subject)
    #expect(
      await stage.finish() == [
        Self.command(2, "tell", handle: "told"), arrived, .callback(handle: "told", value: 1), arrived,
        .reply(.init(id: 2, outcome: .result(2))), .end(.init(.completed)),
      ])
  }

  /// A virtual clock waits with the process, but a wait in which a limit was reached counts.
  @Test(arguments: [(AdapterLimits(reply: .milliseconds(5)), true), (.patient, false)])
  func aWaitForAProcessorCountsOnAVirtualClockWhereALimitIsReached(limits: AdapterLimits, counts: Bool) async throws {
    let looks = Mutex(0)
    let stage = try Stage(
      bend: """
        import time
        def work(id, method, params):
            if method == "launch": time.sleep(0.1)
        """, limits: limits,
      processorWait: { _ in
        .init(
          waited: looks.withLock { looks in
            looks += 1
            return .seconds(10 * looks)
          })
      })
    try await stage.driver.start()
    _ = await stage.finish()
    #expect((stage.recorder.processorWait >= .seconds(10)) == counts)
    #expect(counts || stage.recorder.processorWait == .zero)
  }

  /// A death during a call, its entry in the transcript, and the beginning of its text.
  @Test(
    arguments: [
      ("os._exit(7)", .exited(code: 7), "the adapter exited with code 7 before it answered 'fall' (id 3)"),
      (
        "os.kill(os.getpid(), signal.SIGSEGV)", .signalled(11),
        "the adapter was ended by signal 11 before it answered 'fall' (id 3)"
      ),
    ] as [(String, TranscriptEntry.Process, String)])
  func aDeathInsideACallEndsTheCaseAndNoReplyIsInvented(
    bend: String, process: TranscriptEntry.Process, text: String
  ) async throws {
    let stage = try Stage(
      bend: """
        def work(id, method, params):
            if method == "fall":
                log("the disk is gone")
                \(bend)
        """)
    try await stage.driver.start()
    await stage.call("fall")
    // A step records this for a call without a reply.
    stage.recorder.record(.reply(.init(id: 2, outcome: .noReply)))
    let ending = TranscriptEntry.Ending(.adapterDied, text + ". Its stderr ends: the disk is gone")
    #expect(
      await stage.finish() == [
        Self.command(2, "fall"), .output(Octets("the disk is gone\n".utf8)), .process(process), .end(ending),
      ])
  }

  @Test func aHangEndsTheCaseAndItsKillIsNoDeath() async throws {
    let passed = Elapsed()
    let stage = try Stage(
      bend: """
        def work(id, method, params):
            if method == "advance":
                log("begun")
                return True
        """, limits: AdapterLimits(reply: .seconds(5), grace: .seconds(60)), now: { passed.now })
    try await stage.driver.start()
    let question = try #require(stage.driver.ask(.zero))
    await stage.recorder.wait { $0.entries.last?.event.kind == .output }
    passed.add(.seconds(6))
    await stage.call("echo")
    await stage.recorder.wait { $0.outcomes[question] != nil }
    let events = await stage.finish()
    #expect(events.dropLast().last == .process(.ended(.kill)))
    guard case .end(let ending)? = events.last else { return #expect(Bool(false), "\(events)") }
    #expect(ending.kind == .adapterHung)
    // The command that woke the process may have been answered by then.
    #expect(ending.text.hasPrefix("no reply to 'advance' (id 3) within 5.0 seconds"), "\(ending.text)")
  }

  /// The case limits the time of a command. A process counts as hung only if it does not answer `ping`.
  @Test(arguments: [(.virtual, 1, 100_000), (.real, 1, 301), (.scaled, 20, 16)] as [(ClockMode, Int, Int)])
  func aCommandOfTheProtocolMayTakeItsTime(clock: ClockMode, scale: Int, seconds: Int) async throws {
    let passed = Elapsed()
    let stage = try Stage(
      bend: """
        slow = None
        def work(id, method, params):
            global slow
            if method == "slow":
                slow = id
                callback("begun", None)
                return True
            if method == "echo": reply(slow, 7)
        """, clock: clock, scale: scale, limits: AdapterLimits(reply: .seconds(5), grace: .seconds(60)),
      now: { passed.now })
    try await stage.driver.start()
    let number = stage.driver.call("slow", params: ["handle": "begun"], label: nil)
    await stage.recorder.wait { $0.entries.last?.event.kind == .callback }
    passed.add(.seconds(seconds))
    await stage.call("echo")
    await stage.recorder.wait { $0.outcomes[number] != nil }
    #expect(stage.recorder.outcome(number) == .result(7))
    #expect(stage.recorder.stop == nil)
    _ = await stage.finish()
  }

  /// A process that dies when it is asked to end affects the case that asked it.
  @Test(
    arguments: [
      ("many", "quit", "os._exit(3)", .exited(code: 3)),
      ("many", "quit", "os.kill(os.getpid(), signal.SIGABRT)", .signalled(6)),
      ("one", "shutdown", "os._exit(3)", .exited(code: 3)),
      ("one", "shutdown", "os.kill(os.getpid(), signal.SIGABRT)", .signalled(6)),
    ] as [(String, String, String, TranscriptEntry.Process)])
  func aDeathAtTheEndIsThatOfTheCase(
    instances: String, method: String, bend: String, process: TranscriptEntry.Process
  ) async throws {
    let stage = try Stage(
      bend: """
        HELLO["instances"] = "\(instances)"
        def work(id, method, params):
            if method == "\(method)":
                log("closing failed")
                \(bend)
        """)
    try await stage.driver.start()
    let events = await stage.finish()
    #expect(events.contains(.process(process)))
    guard case .end(let ending)? = events.last else { return #expect(Bool(false), "\(events)") }
    #expect(ending.kind == .adapterDied)
    #expect(ending.text.hasSuffix("Its stderr ends: closing failed"), "\(ending.text)")
  }

  /// The behaviour of an adapter that does not exit with 0 after its app has ended.
  @Test(arguments: ["signal.pause()", "reply(id); os.kill(os.getpid(), signal.SIGABRT)", "reply(id); os._exit(3)"])
  func anAdapterThatDoesNotEndWellHarmsNobody(bend: String) async throws {
    let stage = try Stage(
      bend: """
        HELLO["instances"] = "one"
        def work(id, method, params):
            if method == "shutdown": \(bend)
        """, limits: AdapterLimits(reply: .seconds(120), grace: .milliseconds(100)))
    try await stage.driver.start()
    #expect(await stage.finish().last == .end(.init(.completed)))
  }

  @Test func aProcessThatDiedBetweenCasesIsReplaced() async throws {
    let stage = try Stage(bend: "")
    let first = try await stage.pool.take(on: stage.loop)
    await stage.pool.giveBack(first, isHealthy: true)
    kill(first.session.processID, SIGKILL)
    _ = try await first.session.ended()
    try await stage.driver.start()
    await stage.call("echo")
    #expect(stage.recorder.outcome(2) == .result([:]))
    #expect(await stage.finish().last == .end(.init(.completed)))
  }

  /// The answers of an adapter to an open command at `quit` or `shutdown`.
  @Test(
    arguments: ["quit", "shutdown"],
    [
      "fail(held, -32000, 'over', {'kind': 'ended'})", "fail(held, -32000, 'over', {'kind': 'generic'})",
      "reply(held, 'done')",
    ])
  func anAnswerBecauseOfTheEndIsNoOutcome(method: String, answer: String) async throws {
    let stage = try Stage(
      bend: """
        HELLO["instances"] = "\(method == "quit" ? "many" : "one")"
        held = None
        def work(id, method, params):
            global held
            if method == "hold":
                held = id
                return True
            if method == "\(method)": \(answer)
        """)
    try await stage.driver.start()
    _ = stage.driver.call("hold", params: [:], label: nil)
    await stage.call("echo")
    #expect(
      await stage.finish() == [
        Self.command(2, "hold"), Self.command(3, "echo"), .reply(.init(id: 3, outcome: .result([:]))),
        .reply(.ended(id: 2)), .end(.init(.completed)),
      ])
  }

  @Test func callbacksCarryTheirLaunch() async throws {
    let stage = try Stage(
      bend: """
        def work(id, method, params):
            if method in ("echo", "shutdown"): callback("d", method)
        """)
    try await stage.driver.start()
    await stage.call("echo", handle: "d")
    try await stage.driver.restart(.init(ending: .clean), environment: [:])
    await stage.call("echo", handle: "d")
    _ = await stage.finish()
    let callbacks = stage.recorder.entries.filter { $0.event.kind == .callback }
    #expect(
      callbacks.map(\.event) == ["echo", "shutdown", "echo"].map { .callback(handle: "d", value: .string($0)) })
    #expect(callbacks.map(\.launch) == [1, 1, 2])
    #expect(stage.recorder.entries.filter { $0.launch != nil }.count == 3)
  }

  /// An SDK that derives ids from the seed makes new ones after a restart, and the same ones when the case is repeated.
  @Test func eachLaunchHasASeedOfItsOwn() async throws {
    func seeds() async throws -> [JSON?] {
      let stage = try Stage(
        bend: """
          seed = None
          def work(id, method, params):
              global seed
              if method == "launch": seed = params["seed"]
              if method == "echo": callback("d", seed)
          """)
      try await stage.driver.start()
      await stage.call("echo", handle: "d")
      for _ in 0..<2 {
        try await stage.driver.restart(.init(ending: .kill), environment: [:])
        await stage.call("echo")
      }
      _ = await stage.finish()
      return stage.recorder.entries.compactMap {
        if case .callback(_, let value) = $0.event { value } else { nil }
      }
    }
    let first = try await seeds()
    #expect(Set(first).count == 3 && first.allSatisfy { $0?.number != nil })
    #expect(try await seeds() == first)
  }

  /// Each process numbers its commands by itself, so an unanswered question does not affect the next process.
  @Test func aQuestionToAKilledProcessIsNotTheNextOnes() async throws {
    let stage = try Stage(
      bend: """
        def work(id, method, params):
            return method == "advance"
        """)
    try await stage.driver.start()
    _ = try #require(stage.driver.ask(.zero))
    try await stage.driver.restart(.init(ending: .kill), environment: [:])
    // Its `quit` has the id that the question had.
    let events = await stage.finish()
    #expect(events == [.process(.ended(.kill)), .process(.started(launch: 2)), .end(.init(.completed))])
  }

  @Test func aDeathInACleanRestartEndsTheCase() async throws {
    let stage = try Stage(
      bend: """
        def work(id, method, params):
            if method == "shutdown": os._exit(9)
        """)
    try await stage.driver.start()
    await #expect(throws: CaseHalt.self) {
      try await stage.driver.restart(.init(ending: .clean), environment: [:])
    }
    #expect(
      await stage.finish().suffix(2) == [
        .process(.exited(code: 9)),
        .end(.init(.adapterDied, "the adapter exited with code 9 before it answered 'shutdown' (id 3)")),
      ])
  }

  @Test func aKillThatACaseAsksForIsNoDeath() async throws {
    let stage = try Stage(bend: "")
    try await stage.driver.start()
    try await stage.driver.restart(.init(ending: .kill), environment: [:])
    #expect(
      await stage.finish() == [.process(.ended(.kill)), .process(.started(launch: 2)), .end(.init(.completed))])
  }
}
