import ConformanceModel
import Testing

@testable import ConformanceRunner

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
    var tally = Tally()
    for disposition in dispositions { tally.add(disposition) }
    #expect(tally.exitCode(wasInterrupted: wasInterrupted) == code)
    for disposition in Disposition.allCases {
      #expect(tally[disposition] == dispositions.filter { $0 == disposition }.count)
    }
  }
}

@Suite struct InOrderTests {
  /// In which order values come, and what goes out with each.
  @Test(
    arguments: [
      ([0, 1, 2], [[0], [1], [2]], []), ([2, 1, 0], [[], [], [0, 1, 2]], []), ([1, 0, 2], [[], [0, 1], [2]], []),
      ([1, 3, 2], [[], [], []], [1, 2, 3]), ([0, 3, 2], [[0], [], []], [2, 3]), ([], [], []),
    ] as [([Int], [[Int]], [Int])])
  func valuesGoOutInTheirOrder(arrivals: [Int], ready: [[Int]], rest: [Int]) {
    var inOrder = InOrder<Int>()
    #expect(arrivals.map { inOrder.take($0, at: $0) } == ready)
    #expect(inOrder.rest() == rest)
    #expect(inOrder.rest().isEmpty)
  }
}
