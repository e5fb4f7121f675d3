import Testing

@testable import Processes

/// An incident outside of cases is reported once, however often it happens and whatever numbers it contains.
@Suite struct IncidentLogTests {
  private let log = IncidentLog()

  @Test func breachesAndWhatHarmsNobodyAreTwoThings() {
    log.note(.breach("a second reply to id 7"), of: "the adapter")
    log.note(.leftover("sleep 60"), of: "the adapter")
    log.note(.remark("took long"), of: "the subject")
    #expect(log.breaches == ["the adapter broke the adapter protocol outside of any case: a second reply to id 7"])
    #expect(
      log.remarks == [
        "the adapter left a process running, which was killed: sleep 60", "the subject took long",
      ])
  }

  @Test func theSameIsCounted() {
    for id in 1...9 { log.note(.breach("a second reply to id \(id)"), of: "the adapter") }
    #expect(
      log.breaches == ["the adapter broke the adapter protocol outside of any case: a second reply to id 1 (9 times)"])
  }

  @Test func manyKindsAreCutShort() {
    for name in ["a", "b", "c", "d", "e", "f", "g"] { log.note(.breach(name), of: "the adapter") }
    #expect(log.breaches.count == 6)
    #expect(log.breaches.last == "the adapter did 2 more things of this kind")
  }
}
