import ConformanceModel
import RandomValues
import Templates
import Testing

@Suite struct LogicalTimeTests {
  @Test(
    arguments: [
      ("800ms", 800, "800ms"), ("2s", 2000, "2s"), ("1.5s", 1500, "1500ms"), ("90m", 5_400_000, "90m"),
      ("48h", 172_800_000, "48h"), ("0s", 0, "0ms"), ("60s", 60000, "1m"), ("0.5ms", 0.5, "0.5ms"),
      ("168h", 604_800_000, "168h"),
    ] as [(String, Double, String)])
  func timesAreReadAndSpelled(text: String, milliseconds: Double, spelling: String) throws {
    let time = try #require(LogicalTime(text))
    #expect(time.milliseconds == milliseconds)
    #expect(time.description == spelling)
    #expect(LogicalTime(spelling) == time)
  }

  @Test(arguments: [
    "", "5", "s", "5 s", "-5s", "5sec", "5S", "1e3s", "..s", "1.2.3s", "½s", "٣s", "infs", "5d",
    "99999999999999999999h",
  ])
  func otherTextsAreNone(text: String) {
    #expect(LogicalTime(text) == nil)
  }

  @Test(arguments: 0..<100)
  func everyTimeSurvivesItsSpelling(seed: Int) {
    var random = SeededRandom(seed: UInt64(seed))
    let time = LogicalTime.milliseconds(Double(random.count(0...1_000_000_000)))
    #expect(LogicalTime(time.description) == time)
  }

  /// The span of a case may be a product of many loops.
  @Test(arguments: [(3_600_000 * 0x1p64, "1.8446744073709552e+19h"), (.infinity, "infms")] as [(Double, String)])
  func timesBeyondEveryIntegerAreSpelled(milliseconds: Double, spelling: String) {
    #expect(LogicalTime.milliseconds(milliseconds).description == spelling)
  }

  @Test func timesAddUpAndCompare() {
    #expect(LogicalTime.seconds(1) + .milliseconds(500) == .milliseconds(1500))
    #expect(LogicalTime.seconds(1) - .seconds(2) < .zero)
    #expect(LogicalTime.milliseconds(999) < .seconds(1))
  }
}
