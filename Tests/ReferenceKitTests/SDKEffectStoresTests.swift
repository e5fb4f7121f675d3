import Testing

@testable import ReferenceKit

/// If a file is stored twice before an effect that others can see, the first store is dropped.
@Suite struct SDKEffectStoresTests {
  private enum File { case one, two }

  private struct Failure: Error, Hashable {}

  private typealias Effect = SDKEffect<File, Int, Failure>

  private static func one(_ value: Int) -> Effect { .store(.one, .int(value)) }
  private static func two(_ value: Int) -> Effect { .store(.two, .int(value)) }
  private static let note = Effect.note(.two, [])
  private static let told = Effect.callback(handle: "c", .null)

  /// The effects of an SDK, and the effects that are left.
  private static let rows: [(effects: [Effect], left: [Effect])] = [
    ([], []),
    ([one(1), one(2)], [one(2)]),
    // The last value takes the place of the first, so a stored note never exists without it.
    ([one(1), note, one(2), .cancel(1), .log("l")], [one(2), note, .cancel(1), .log("l")]),
    ([one(1), two(1), one(2), two(2)], [one(2), two(2)]),
    ([one(1), told, one(2)], [one(1), told, one(2)]),
    ([one(1), one(2), told, one(3), one(4)], [one(2), told, one(4)]),
    ([one(1), .remove(.one)], [.remove(.one)]),
    ([.remove(.one), note, one(1)], [one(1), note]),
    ([.remove(.one), told, one(1)], [.remove(.one), told, one(1)]),
    ([one(1), .erase, one(2)], [one(1), .erase, one(2)]),
    ([one(1), .load, one(2)], [one(1), .load, one(2)]),
    ([one(1), .reply(1, .success(.null)), one(2)], [one(1), .reply(1, .success(.null)), one(2)]),
    ([one(1), .crash, one(2)], [one(1), .crash, one(2)]),
  ]

  @Test(arguments: rows.indices) func oneStoreIsLeftBetweenTwoThatAreSeen(row: Int) {
    #expect(Self.rows[row].effects.withoutStoresInBetween() == Self.rows[row].left)
  }
}
