import ReferenceKit
import Testing

@testable import LinkForty
@testable import LinkFortyCore

@Suite struct SDKSwitchTests {
  private static let reference = Scenes.all.map { Scenes.trace($0.play, []) }

  @Test func thePlaysAreDeterministic() {
    #expect(Scenes.all.map { Scenes.trace($0.play, []) } == Self.reference)
  }

  @Test(arguments: SDKSwitch.allCases)
  func aSwitchChangesSomethingThatCanBeObserved(_ one: SDKSwitch) {
    let changed = zip(Scenes.all, Self.reference).first { Scenes.trace($0.0.play, [one]) != $0.1 }
    #expect(changed?.0.name != nil, "\(one.rawValue) changes nothing")
  }

  @Test func idsAreUniqueAcrossBothSides() {
    let ids = SDKSwitch.allCases.map(\.rawValue) + ServerSwitch.allCases.map(\.rawValue)
    #expect(Set(ids).count == ids.count)
  }

  @Test func thereAreEnoughOfEach() {
    #expect(SDKSwitch.allCases.count { !$0.isVariant } >= 45)
    #expect(SDKSwitch.allCases.count { $0.isVariant } >= 8)
    #expect(ServerSwitch.allCases.count { !$0.isVariant } >= 20)
    #expect(ServerSwitch.allCases.count { $0.isVariant } >= 6)
  }

  @Test func anIDOfTheOtherSideSwitchesNothingOn() {
    let switches = Switches<SDKSwitch>(ids: ["links.unresolvable", "queue.holds-99"])
    #expect(switches == Switches([.queueHolds99]))
  }
}
