import JSONKit
import ReferenceKit
import Testing

@testable import MobileEngage

@Suite struct EngageSwitchTests {
  /// A play with everything that the switches affect: a device that changes, an answer that fails, and time.
  private static func play(_ switches: Set<EngageSwitch>) -> [String] {
    var stage = Stage.started(switches)
    stage.surround(["foreground": false, "language": "de-DE"])
    stage.surround(["foreground": true])
    stage.accept()
    stage.track("one")
    stage.answer(503)
    stage.pass(EngageCore.Patience.retry)
    let early = stage.sent.count
    stage.pass(60_000)
    return stage.sent.map { "\(Stage.name($0)) \($0.headers.fields)" } + ["\(early)", "\(stage.sent.count)"]
  }

  /// The effect of a defect is shown by the claim that detects it, so only variants are tested here.
  @Test(arguments: EngageSwitch.allCases.filter { $0.isVariant && $0 != .variantChunked })
  func aVariantChangesSomethingThatCanBeObserved(_ one: EngageSwitch) {
    #expect(Self.play([one]) != Self.play([]))
  }

  @Test func chunkedBodiesAreSentInChunks() throws {
    for (switches, isChunked) in [([EngageSwitch.variantChunked], true), ([], false)] as [(Set<EngageSwitch>, Bool)] {
      var stage = Stage(switches)
      stage.setUp()
      #expect(stage.outgoing.map(\.isChunked) == [isChunked])
    }
  }

  @Test func theLongestPauseIsDeclared() {
    #expect(EngageCore.declared(with: Switches()) == ["retryWindowMs": .int(EngageCore.Patience.retry)])
    #expect(EngageCore.declared(with: Switches([.variantLongPause])) == ["retryWindowMs": 60_000])
    #expect(EngageCore.declared(with: Switches([.variantNoTimer])) == [:])
  }
}
