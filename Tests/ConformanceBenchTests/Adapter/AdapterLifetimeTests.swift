import Testing

@testable import Adapters
@testable import Processes

@Suite struct AdapterLifetimeTests {
  static let now = SuspendingClock.now
  private func after(_ seconds: Int) -> SuspendingClock.Instant { Self.now.advanced(by: .seconds(seconds)) }

  @Test func nothingIsDueWhileItRuns() {
    var lifetime = AdapterLifetime(grace: .seconds(2))
    #expect(lifetime.isRunning)
    #expect(lifetime.deadline == nil)
    #expect(lifetime.expire(at: after(1000)) == nil)
    #expect(lifetime.cause == .itself)
  }

  @Test func eachMeansGetsItsGrace() {
    var lifetime = AdapterLifetime(grace: .seconds(2))
    lifetime.ask(at: Self.now)
    #expect(lifetime.cause == .shutdown)
    #expect(lifetime.expire(at: after(1)) == nil)
    #expect(lifetime.expire(at: after(2)) == .terminate)
    #expect(lifetime.cause == .terminated)
    #expect(lifetime.expire(at: after(3)) == nil)
    #expect(lifetime.deadline == after(4))
    #expect(lifetime.expire(at: after(4)) == .kill)
    #expect(lifetime.cause == .forced)
    #expect(lifetime.deadline == nil)
    #expect(lifetime.expire(at: after(99)) == nil)
  }

  @Test func askingTwiceGivesNoMoreTime() {
    var lifetime = AdapterLifetime(grace: .seconds(2))
    lifetime.ask(at: Self.now)
    lifetime.ask(at: after(1))
    #expect(lifetime.deadline == after(2))
  }

  @Test func theFirstKillIsTheCause() {
    var lifetime = AdapterLifetime(grace: .seconds(2))
    lifetime.kill(.hung)
    lifetime.kill(.killed)
    lifetime.ask(at: Self.now)
    #expect(lifetime.cause == .hung)
    #expect(lifetime.deadline == nil)
    #expect(!lifetime.isRunning)
  }

  @Test func aLostStreamIsTheEndUnlessTheProcessEndsSoon() {
    var lifetime = AdapterLifetime(grace: .seconds(2))
    lifetime.lose("its stdin", at: Self.now)
    lifetime.lose("its stdout", at: after(1))
    #expect(lifetime.deadline == after(2))
    #expect(
      lifetime.expire(at: after(2))
        == .giveUp("the adapter closed its stdin and did not exit; expected it open until the end"))
  }

  @Test func aStreamMayBeLostDuringShutdown() {
    var lifetime = AdapterLifetime(grace: .seconds(2))
    lifetime.ask(at: Self.now)
    lifetime.lose("its stdout", at: after(1))
    #expect(lifetime.deadline == after(2))
    #expect(lifetime.expire(at: after(2)) == .terminate)
  }

  @Test(arguments: [
    (AdapterEnding.Cause.killed, ProcessExit.signalled(9), AdapterEnding.Cause.killed),
    (.killed, .exited(code: 3), .itself), (.hung, .signalled(11), .itself), (.shutdown, .exited(code: 3), .shutdown),
    (.forced, .signalled(15), .terminated), (.terminated, .signalled(15), .terminated),
  ])
  func aKillThatCameTooLateIsNotTheCause(
    intent: AdapterEnding.Cause, exit: ProcessExit, cause: AdapterEnding.Cause
  ) {
    #expect(AdapterEnding(intent: intent, exit: exit) == AdapterEnding(cause: cause, exit: exit))
  }
}
