import AdapterProtocol
import ConformanceWire
import Glibc
import JSONKit
import NIOCore
import Synchronization
import Testing

@testable import Adapters
@testable import ConformanceBench
@testable import Processes

/// Time in which the kit could not run extends all limits.
@Suite struct StarvationTests {
  private static let start = SuspendingClock.now

  private static func at(_ milliseconds: Int) -> SuspendingClock.Instant {
    start.advanced(by: .milliseconds(milliseconds))
  }

  /// Beats in milliseconds, the start of the interval, the present, and the part of the interval that was lost.
  @Test(
    arguments: [
      ([100, 200, 300], 0, 350, 0), ([100, 450], 0, 500, 0), ([100, 451], 0, 500, 251), ([100, 1200], 0, 1200, 1000),
      ([100, 1200], 700, 1300, 500), ([100, 1200], 1200, 1300, 0), ([1100, 1200, 3300], 0, 3400, 3000),
      ([1100, 1200, 3300], 1150, 3400, 2000), ([100], 0, 450, 0), ([100], 0, 5200, 5000), ([100], 5000, 5200, 200),
      ([1100], 500, 5200, 4600),
    ] as [([Int], Int, Int, Int)])
  func gapsBetweenBeatsAreLost(beats: [Int], since: Int, now: Int, lost: Int) {
    var pulse = Pulse(at: Self.start)
    for beat in beats { pulse.beat(at: Self.at(beat)) }
    #expect(pulse.starved(since: Self.at(since), at: Self.at(now)) == .milliseconds(lost))
  }

  @Test func runningTimeStandsStillInAGap() {
    var pulse = Pulse(at: Self.start)
    pulse.beat(at: Self.at(100))
    #expect(pulse.runningTime(at: Self.at(150)) == Self.at(150))
    #expect(pulse.runningTime(at: Self.at(5200)) == Self.at(200))
    pulse.beat(at: Self.at(5200))
    #expect(pulse.runningTime(at: Self.at(5250)) == Self.at(250))
    pulse.beat(at: Self.at(9300))
    #expect(pulse.runningTime(at: Self.at(9300)) == Self.at(300))
  }

  @Test(arguments: [(0, 2000), (3150, 2000), (3200, 0), (3300, 0)])
  func theLongestGapIsThatOfOneBeat(since: Int, longest: Int) {
    var pulse = Pulse(at: Self.start, tolerance: .milliseconds(10))
    for beat in [1000, 1100, 3200, 3300] { pulse.beat(at: Self.at(beat)) }
    #expect(pulse.longestGap(since: Self.at(since), at: Self.at(3310)) == .milliseconds(longest))
  }

  @Test func theHeartOfThisProcessBeats() {
    let start = SuspendingClock.now
    #expect(Heartbeat.shared.starved(since: start) < .seconds(600))
    #expect(Heartbeat.shared.now <= .now)
  }

  @Test func aReplyThatIsLateWhileTheKitCouldNotRunIsNotLate() async throws {
    let observed = try await ObservedSession(
      bend: """
        import time
        def work(id, method, params):
            if method == "slow": time.sleep(0.3)
        """, now: { Self.start })
    #expect(
      try await observed.session.call(AdapterRequest("slow"), limit: .real(.milliseconds(1))).view["$error"] != nil)
    await observed.session.kill()
  }

  /// The time that the processes are reported to have waited since their start.
  @Test(arguments: [(600, nil), (0, "hung")] as [(Int, String?)])
  func aReplyThatIsLateWhileTheAdapterGotNoProcessorIsNotLate(waited: Int, failure: String?) async throws {
    let observed = try await ObservedSession(
      bend: """
        import time
        def work(id, method, params):
            if method == "slow": time.sleep(\(failure == nil ? 0.3 : 300))
        """, processorWait: { _ in .init(waited: .seconds(waited)) })
    let outcome = try? await observed.session.call(AdapterRequest("slow"), limit: .real(.milliseconds(10)))
    #expect((outcome == nil) == (failure != nil))
    #expect((observed.session.refusal?.kind).map { "\($0)" } == failure)
    await observed.session.kill()
    // The time is known after the end of the process, too.
    #expect(observed.session.processorWait == .seconds(waited))
  }

  @Test(
    arguments: [
      ("812 58188 1\n", 58188), ("0 0 0\n", 0), ("812 58188\n", nil), ("", nil), ("812 -x 1\n", nil),
    ] as [(String, Int?)])
  func theWaitForAProcessorIsTheSecondNumberOfThree(line: String, nanoseconds: Int?) {
    #expect(ProcessorWait.Times(line)?.waited == nanoseconds.map { .nanoseconds($0) })
  }

  @Test(
    arguments: [
      ("71 (node) R 1 71 71", true), ("71 (node) S 1 71 71", false), ("71 (a) R (b) R 1", true),
      ("71 (a) R (b) S 1", false), ("71 (dd) D 1", true), ("71 (a) D (b) Z 1", false), ("71 (node", false), ("", false),
    ])
  func whoIsReadyToRunIsTheStateBehindTheName(line: String, isReady: Bool) {
    #expect(ProcessorWait.isReady(line) == isReady)
  }

  /// Each sample is the time that the processes had waited, and the time that they had run if one of them was ready
  /// then, in seconds.
  @Test(
    arguments: [
      ("asleep", [(0, nil)], [nil]),
      ("asleep after a wait", [(3, nil), (3, nil)], [3, nil]),
      ("one of two who waited has ended", [(3, nil), (1, nil), (2, nil)], [3, nil, 1]),
      ("in the midst of a wait, which is then counted", [(0, 5), (0, 5), (4, 5)], [1, 1, 4]),
      ("busy all the time", [(0, 5), (0, 6), (0, 7)], [1, nil, nil]),
      ("busy, then in the midst of a wait", [(0, 5), (0, 6), (0, 6)], [1, nil, 1]),
    ] as [(String, [(waited: Int, ran: Int?)], [Int?])])
  func aWaitThatIsNotOverIsForgivenByTheSecond(what: String, samples: [(waited: Int, ran: Int?)], more: [Int?]) {
    var forgiven = ProcessorWait.Forgiven()
    let spans = samples.map { sample in
      forgiven.more(of: .init(waited: .seconds(sample.waited), ranWhileReady: sample.ran.map { .seconds($0) }))
    }
    #expect(spans == more.map { span in span.map { .seconds($0) } }, "\(what)")
  }

  /// The adapter replies never, or before the next sample.
  @Test(arguments: [(0.3, [5, 5], nil), (60, [5, 6], "hung")] as [(Double, [Int], String?)])
  func whoIsReadyAndGetsNoProcessorIsLookedAtAgain(pause: Double, ran: [Int], failure: String?) async throws {
    let looks = Mutex(ran[...])
    let observed = try await ObservedSession(
      bend: """
        import time
        def work(id, method, params):
            if method == "slow": time.sleep(\(pause))
        """,
      processorWait: { _ in
        .init(waited: .zero, ranWhileReady: looks.withLock { $0.popFirst() }.map { .seconds($0) })
      })
    let outcome = try? await observed.session.call(AdapterRequest("slow"), limit: .real(.milliseconds(10)))
    #expect((outcome == nil) == (failure != nil))
    #expect((observed.session.refusal?.kind).map { "\($0)" } == failure)
    await observed.session.kill()
    #expect(observed.session.forgivenWait >= .seconds(1))
  }

  /// The process ends between the deadline and the end of the sample.
  @Test func whoEndsWhileItIsLookedAtHasEnded() async throws {
    let observed = try await ObservedSession(
      bend: """
        import time
        def work(id, method, params):
            if method == "shutdown": time.sleep(0.3)
        """, limits: AdapterLimits(reply: .seconds(120), grace: .milliseconds(1)),
      processorWait: { child in
        while !child.hasExited { usleep(1000) }
        return .none
      })
    #expect(await observed.session.shutDown() == AdapterEnding(cause: .shutdown, exit: .exited(code: 0)))
    #expect(observed.breaches == [])
  }

  /// More threads than processors run, so that some have to wait.
  @Test(.enabled(if: access("/proc/self/schedstat", R_OK) == 0))
  func whoHasToWaitForAProcessorIsKnown() async throws {
    let observed = try await ObservedSession(
      bend: """
        import os, time
        def work(id, method, params):
            if method == "crowd":
                children = []
                for _ in range(2 * os.cpu_count() + 2):
                    child = os.fork()
                    if child == 0:
                        end = time.process_time() + 0.05
                        while time.process_time() < end: pass
                        time.sleep(60)
                    children.append(child)
                time.sleep(0.4)
        """, processorWait: \.processorWait)
    _ = try? await observed.session.call(AdapterRequest("crowd"), limit: .real(.seconds(60)))
    #expect(observed.session.processorWait > .milliseconds(1))
    await observed.session.kill()
    #expect(observed.session.processorWait == .zero)
  }

  /// The reply is longer than one read, and its limit is over after the first piece.
  @Test func whatHasComeByTheDeadlineIsHeardFirst() async throws {
    let isLate = Mutex(false)
    let observed = try await ObservedSession(
      bend: """
        import fcntl
        fcntl.fcntl(1, 1031, 1 << 20)  # F_SETPIPE_SZ
        def work(id, method, params):
            if method == "long":
                lines = [
                    {"jsonrpc": "2.0", "method": "callback", "params": {"handle": "d", "value": 1}},
                    {"jsonrpc": "2.0", "id": id, "result": "x" * 300000},
                ]
                os.write(1, "".join(json.dumps(line) + "\\n" for line in lines).encode())
                return True
        """, now: { isLate.withLock { $0 } ? Self.at(1_000_000) : Self.start },
      hear: { if case .callback = $0 { isLate.withLock { $0 = true } } })
    let outcome = try await observed.session.call(AdapterRequest("long"), limit: .real(.seconds(100)))
    #expect(outcome == .result(.string(String(repeating: "x", count: 300000))))
    await observed.session.kill()
  }

  /// Each read of the clock takes a millisecond of it.
  @Test func theWatchdogCountsOnlyTimeInWhichTheKitRan() async throws {
    let looks = Mutex(0)
    let said = Promise<(looks: Int, text: String)>()
    let watchdog = Watchdog(
      limit: .milliseconds(4), allowance: .milliseconds(2),
      now: {
        looks.withLock { looks in
          looks += 1
          return Self.at(looks)
        }
      }, bark: { text in said.keep((looks.withLock(\.self), text)) })
    let bark = try await said.value()
    #expect(bark.looks == 7)
    #expect(bark.text.hasPrefix("the case took longer than 0.004 seconds beside the 0.002 seconds for which it waits"))
    watchdog.cancel()
  }

  /// The clock stands still until the watchdog has read it again, and continues then.
  @Test func theWatchdogAllowsMoreToACaseThatWaits() async throws {
    let state = Mutex((milliseconds: 0, looks: 0))
    let looked = Promise<Void>()
    let said = Promise<Int>()
    let watchdog = Watchdog(
      limit: .milliseconds(5), allowance: .zero,
      now: {
        Self.at(
          state.withLock { state in
            state.looks += state.milliseconds == 10 ? 1 : 0
            if state.looks == 2 { looked.keep(()) }
            return state.milliseconds
          })
      }, bark: { _ in said.keep(state.withLock(\.milliseconds)) })
    watchdog.allow(.milliseconds(10))
    state.withLock { $0.milliseconds = 10 }
    try await looked.value()
    state.withLock { $0.milliseconds = 15 }
    #expect(try await said.value() == 15)
    watchdog.cancel()
  }

  /// A person may look at a case for longer than the case may take.
  @Test func theWatchdogDoesNotCountTheTimeOfAPause() async throws {
    let milliseconds = Mutex(0)
    let said = Promise<Int>()
    let watchdog = Watchdog(
      limit: .milliseconds(5), allowance: .zero, now: { Self.at(milliseconds.withLock(\.self)) },
      bark: { _ in said.keep(milliseconds.withLock(\.self)) })
    watchdog.hold()
    milliseconds.withLock { $0 = 1000 }
    try await Task.sleep(for: .milliseconds(50))
    watchdog.release()
    milliseconds.withLock { $0 = 1004 }
    try await Task.sleep(for: .milliseconds(50))
    milliseconds.withLock { $0 = 1005 }
    #expect(try await said.value() == 1005)
    watchdog.cancel()
  }

  /// A shortage counts from the instant on at which it was noted. Other errors do not count.
  @Test func whatRanOutIsKnownToThoseWhoWereAboutTheirWorkThen() {
    let shortages = Shortages()
    #expect(shortages.code(since: Self.at(0)) == nil)
    shortages.note(IOError(errnoCode: ECONNREFUSED, reason: "connect"), at: Self.at(10))
    #expect(shortages.code(since: Self.at(0)) == nil)
    shortages.note(IOError(errnoCode: EMFILE, reason: "accept"), at: Self.at(20))
    #expect(shortages.code(since: Self.at(20)) == EMFILE)
    #expect(shortages.code(since: Self.at(21)) == nil)
  }

  @Test(
    arguments: [
      (EMFILE, "raise ulimit -n"), (ENFILE, "close other programs"), (EAGAIN, "raise ulimit -u"), (ENOMEM, "memory"),
      (ENOBUFS, "memory"), (EADDRNOTAVAIL, "no port left"),
      (ENOSPC, "TMPDIR"), (ENOENT, nil), (EACCES, nil),
    ] as [(Int32, String?)])
  func whatTheMachineLacksIsNoFaultOfTheAdapter(code: Int32, advice: String?) {
    let failure = ProgramFailure.notStarted("no pipe", errno: code)
    #expect(failure.ending.kind == (advice == nil ? .adapterDied : .machine))
    #expect(failure.text.hasPrefix("no pipe: "))
    #expect(failure.text.contains(advice ?? String(cString: strerror(code))))
    let errors: [any Error] = [
      IOError(errnoCode: code, reason: "bind"), MockServer.ListenFailure(description: "main", code: code),
    ]
    for error in errors { #expect(MachineLack(error)?.text.contains(advice ?? "") == advice.map { _ in true }) }
  }

  @Test(arguments: [
    (free: UInt(16), files: UInt(9), freeFiles: UInt(3), isFull: false), (15, 9, 3, true), (16, 9, 0, true),
    (16, 0, 0, false),
  ])
  func storageIsFullWithoutRoomOrNames(free: UInt, files: UInt, freeFiles: UInt, isFull: Bool) {
    var status = statvfs()
    status.f_frsize = 4096
    status.f_bavail = free
    status.f_files = files
    status.f_favail = freeFiles
    #expect(StorageFolder.isFull(status) == isFull)
  }
}
