import ConformanceModel
import ConformanceWire
import JSONKit
import Templates
import Testing

@testable import MockServices
@testable import Recording

/// Mutations that delay or reorder: the time of the record, and the count of changes.
@Suite struct DeliveryTests {
  /// The record of a case in which callbacks are called, with a clock that does not run.
  private struct Stage {
    let clock = VirtualClock()
    let recorder: Recorder
    let bender: Bender
    let delivery: Delivery

    init(_ change: Defect.Bend.Change, filter: Template? = nil) {
      recorder = Recorder(redact: Redaction()) { [clock] in clock.now }
      bender = Bender([.init(.callback, of: "listen", filter: filter, change)])
      delivery = Delivery(bender: bender, clock: .virtual(clock), recorder: recorder)
    }

    func say(_ value: JSON, of command: String = "listen", to handle: String = "h", mayWait: Bool = true) {
      delivery.deliver(.callback, of: command, value, whose: handle, mayWait: mayWait) { [recorder] _ in
        recorder.record(.callback(handle: handle, value: value))
      }
    }

    var told: [JSON] {
      recorder.entries.compactMap { if case .callback(_, let value) = $0.event { value } else { nil } }
    }
  }

  @Test func whatIsDelayedComesWhenItsTimeHasPassed() async {
    let stage = Stage(.delay(.seconds(5)), filter: Template(.literal(1)))
    stage.say(1)
    stage.say(2)
    #expect(stage.told == [2])
    #expect(!stage.recorder.read(\.isAtRest))
    await stage.clock.advance(to: .seconds(4.9))
    #expect(stage.told == [2])
    await stage.clock.advance(to: .seconds(5))
    #expect(stage.told == [2, 1])
    #expect(stage.recorder.entries.last?.at == .seconds(5))
    #expect(stage.recorder.read(\.isAtRest))
    #expect(stage.bender.changes == 1)
  }

  @Test func whatIsDelayedBeyondTheEndNeverComes() async {
    let stage = Stage(.delay(.seconds(5)))
    stage.say(1)
    stage.delivery.end()
    await stage.clock.advance(to: .seconds(9))
    #expect(stage.told.isEmpty)
    #expect(stage.recorder.read(\.isAtRest))
  }

  @Test(arguments: [(1, [2, 1, 3]), (2, [1, 3, 2]), (3, [1, 2, 3])] as [(Int, [JSON])])
  func neighboursChangePlaces(number: Int, order: [JSON]) {
    let stage = Stage(.reorder(number))
    for value in [1, 2, 3] as [JSON] {
      stage.say(value)
      stage.say("other", of: "look")
    }
    stage.delivery.end()
    #expect(stage.told.filter { $0 != "other" } == order)
    #expect(stage.bender.changes == (order == [1, 2, 3] ? 0 : 1))
  }

  @Test func twoThatAreTheSameAreNotExchanged() {
    let stage = Stage(.reorder(1))
    stage.say(1)
    stage.say(1)
    #expect(stage.told == [1, 1])
    #expect(stage.bender.changes == 0)
  }

  @Test func theSameToTwoIsExchanged() {
    let stage = Stage(.reorder(1))
    stage.say(1, to: "first")
    stage.say(1, to: "second")
    let handles = stage.recorder.entries.compactMap { entry -> String? in
      if case .callback(let handle, _) = entry.event { handle } else { nil }
    }
    #expect(handles == ["second", "first"])
    #expect(stage.bender.changes == 1)
  }

  @Test func whatNothingCanFollowDoesNotWait() {
    let stage = Stage(.reorder(1))
    stage.say(1, mayWait: false)
    #expect(stage.told == [1])
    stage.say(2)
    #expect(stage.told == [1, 2])
    #expect(stage.bender.changes == 0)
  }
}
