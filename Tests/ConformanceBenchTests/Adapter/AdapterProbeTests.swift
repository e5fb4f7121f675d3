import ConformanceTranscript
import Testing

@testable import Adapters

@Suite struct AdapterProbeTests {
  @Test func namesComeFromTheSeed() {
    let names = AdapterProbe(seed: 1, count: 20).commands
    #expect(names == AdapterProbe(seed: 1, count: 20).commands)
    #expect(Set(names).count == 20)
    #expect(Set(names).isDisjoint(with: AdapterProbe(seed: 2, count: 20).commands))
    #expect(names.allSatisfy { $0.count == 10 && $0.allSatisfy { ("a"..."z").contains($0) } })
  }

  @Test func knownCommandsAreNotMadeUp() {
    let names = AdapterProbe(seed: 1, count: 3).commands
    let others = AdapterProbe(seed: 1, count: 3, avoiding: [names[0]]).commands
    #expect(others.prefix(2) == names.suffix(2))
  }

  @Test(arguments: [
    (CommandOutcome.error(CommandError(kind: "unsupported")), true), (.result(.null), false),
    (.result(["ok": true]), false),
    (.error(CommandError(kind: "network")), false),
  ])
  func onlyUnsupportedIsHonest(outcome: CommandOutcome, isHonest: Bool) {
    let lie = AdapterProbe(seed: 1).lie(in: outcome, about: "qwertyuiop")
    #expect((lie == nil) == isHonest)
    if let lie { #expect(lie.hasPrefix("the adapter answered the made-up command 'qwertyuiop' with \(outcome.view)")) }
  }
}
