import ConformanceModel
import Testing

@testable import Adapters

/// One figure says when a command counts as never answered, and it is longer than anything the case waits for.
@Suite struct ReplyLimitTests {
  private static func definition(_ patience: [Double]) -> ProtocolDefinition {
    var definition = Sample.definition
    definition.patience = patience.map { .init(name: "p\($0)", time: .seconds($0), text: "") }
    return definition
  }

  private static let waits: [Step] = [
    Step(.settle(within: .seconds(40))), Step(.await(.init(target: .reply("a"), within: .seconds(300)))),
    Step(.repeat(times: 3, variable: "n", steps: [Step(.advance(.seconds(10)))])),
  ]

  /// The patience of the protocol in seconds, the steps of the case, and the limit in seconds.
  @Test(
    arguments: [([], [], 120), ([5, 40], [], 40), ([5, 40], waits, 410), ([], waits, 490)]
      as [([Double], [Step], Double)])
  func itIsThePatienceOfTheProtocolAndAllThatTheCaseWaits(patience: [Double], steps: [Step], limit: Double) {
    let scenario = Case.Scenario(steps: steps, claims: [])
    #expect(scenario.replyLimit(in: Self.definition(patience)) == .seconds(limit))
  }
}
