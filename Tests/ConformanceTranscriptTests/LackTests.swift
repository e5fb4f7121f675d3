import ConformanceTranscript
import Testing

struct LackTests {
  @Test(
    arguments: [
      (.capability("ears"), "ears"), (.dialect("core-1.21"), "dialect core-1.21"),
      (.virtualClock(.seconds(86400)), "virtual clock for 24h"), (.host(.kill), "host that can kill"),
      (.host(.files), "host that can files"),
    ] as [(Lack, String)])
  func isReadAsItIsSaid(lack: Lack, text: String) {
    #expect("\(lack)" == text)
    #expect(Lack(text) == lack)
  }

  /// `ever` is not a time, so the whole text is the name of a capability.
  @Test func whatIsNoTimeIsAName() { #expect(Lack("virtual clock for ever") == .capability("virtual clock for ever")) }
}
