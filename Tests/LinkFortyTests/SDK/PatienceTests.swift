import JSONKit
import ReferenceKit
import Testing

@testable import LinkForty

/// Legal SDKs that wait and try again in other ways than the reference.
@Suite struct PatienceTests {
  private static func installs(_ stage: Stage) -> Int { stage.bodies(of: "/install").count }

  /// Milliseconds after the launch, and how often the install was reported by then.
  @Test(arguments: [(0, 1), (999, 1), (1_000, 2), (2_999, 2), (3_000, 3), (6_999, 3), (7_000, 4), (600_000, 4)])
  func anInstallIsReportedAgainAfterOneTwoAndFourSeconds(passed: Int, reports: Int) {
    let stage = Stage([.variantBacksOff])
    stage.network = .refused
    #expect(stage.initialize() == nil)
    stage.advance(passed)
    #expect(Self.installs(stage) == reports)
    #expect(stage.trace.contains { $0.hasPrefix("reply") } == (reports == 4))
  }

  @Test func whatNobodyAnsweredIsNotSentAgain() {
    let stage = Stage([.variantBacksOff])
    stage.network = .hanging
    stage.initialize()
    stage.advance(600_000)
    #expect(Self.installs(stage) == 1)
  }

  @Test func aResetEndsThePauses() {
    let stage = Stage([.variantBacksOff])
    stage.network = .refused
    stage.initialize()
    stage.call(.reset)
    stage.advance(600_000)
    #expect(Self.installs(stage) == 1)
  }

  /// After three attempts in vain the queue waits for the next event that gets through.
  @Test func theQueueIsTriedAgainAfterOneTwoAndFourSeconds() {
    let stage = Stage([.variantBacksOff])
    stage.initialize()
    stage.network = .refused
    stage.track("e")
    let attempts = [1_000, 2_000, 4_000, 600_000].map { pause in
      stage.advance(pause)
      return stage.sentEvents.count
    }
    #expect(attempts == [2, 3, 4, 4])
    stage.network = .up
    stage.track("f")
    #expect(Array(stage.sentEvents.suffix(2)) == ["f", "e"])
    #expect(stage.queueSize == 0)
  }

  @Test(arguments: [([], 10_000), ([.variantWaitsLong], 30_000)] as [(Set<SDKSwitch>, Int)])
  func aReportIsGivenUpAfterItsTime(switches: Set<SDKSwitch>, patience: Int) {
    let stage = Stage(switches)
    stage.network = .hanging
    stage.initialize()
    stage.advance(patience - 1)
    #expect(!stage.trace.contains { $0.hasPrefix("reply") })
    stage.advance(1)
    #expect(stage.trace.contains { $0.hasPrefix("reply success") })
  }

  @Test(arguments: [SDKCall.clearData, .reset])
  func whatTheDocumentsLeaveOpenMayBeRefusedEarly(call: SDKCall) {
    #expect(Stage([.variantEarlyRefused]).call(call)?.kind == .notInitialized)
    #expect(Stage().call(call)?.kind == nil)
    let stage = Stage([.variantEarlyRefused])
    stage.initialize()
    #expect(stage.call(call)?.kind == nil)
  }

  @Test(
    arguments: [
      ([], 30_000), ([.variantBacksOff], 4_000), ([.variantRetryOnNextEvent], 0), ([.variantRetryOnNextLaunch], 0),
      ([.variantWaitsLong], 30_000),
    ] as [(Set<SDKSwitch>, Int)])
  func theLongestPauseIsKnown(switches: Set<SDKSwitch>, window: Int) {
    #expect(SDKCore.retryWindow(Switches(switches)) == window)
    // It is what the SDK does: with a server that is down, nothing comes later than that after what came last.
    let stage = Stage(switches)
    stage.initialize()
    stage.network = .refused
    stage.track("e")
    var last = stage.now
    for _ in 0..<200 {
      let count = stage.requests.count
      stage.advance(500)
      guard stage.requests.count > count else { continue }
      #expect(stage.now - last <= window)
      last = stage.now
    }
  }
}
