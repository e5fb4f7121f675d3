import ConformanceVerdict
import Testing

@Suite struct TallyTests {
  @Test func everyDispositionIsCounted() {
    let dispositions: [Disposition] = [.pass, .fail, .pass, .known, .skipped]
    let tally = Tally(dispositions)
    for disposition in Disposition.allCases {
      #expect(tally[disposition] == dispositions.filter { $0 == disposition }.count)
    }
    #expect(tally[Set(Disposition.allCases)] == dispositions.count)
  }

  @Test func whatNoVerdictCameToIsNotInIt() {
    let tally: Tally = [.pass: 0, .fail: 2]
    #expect(tally.counts == [.fail: 2])
    #expect(tally == Tally([.fail, .fail]))
  }
}
