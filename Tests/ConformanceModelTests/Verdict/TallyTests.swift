import ConformanceModel
import Testing

@Suite struct TallyTests {
  @Test(
    arguments: [
      ([], false, .unjudged), ([.skipped, .skipped], false, .unjudged), ([.skipped, .advisory], false, .conformant),
      ([.pass, .skipped, .advisory, .known], false, .conformant),
      ([.pass, .fail], false, .violations), ([.error, .fail, .stale], true, .violations),
      ([.pass, .error], false, .unjudged), ([.error, .stale], false, .unjudged), ([.pass], true, .unjudged),
      ([.stale], true, .unjudged), ([.stale, .pass], false, .staleBaseline),
    ] as [([Disposition], Bool, ExitCode)])
  func theWorstDecidesTheExitCode(dispositions: [Disposition], wasInterrupted: Bool, code: ExitCode) {
    let tally = Tally(dispositions)
    #expect(tally.exitCode(wasInterrupted: wasInterrupted) == code)
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
