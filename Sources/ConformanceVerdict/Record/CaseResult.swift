import ConformanceModel
import ConformanceTranscript

/// The result of one run of a case: the transcript, and each verdict with its disposition.
package struct CaseResult: Sendable {
  package var testCase: Case
  package var transcript: Transcript
  package var settled: [SettledVerdict]
  /// The real duration of the run of the case.
  package var wall: Duration
  /// The part of ``wall`` in which the kit waited for other programs.
  package var waited: Duration

  package init(
    testCase: Case, transcript: Transcript, settled: [SettledVerdict], wall: Duration = .zero, waited: Duration = .zero
  ) {
    self.testCase = testCase
    self.transcript = transcript
    self.settled = settled
    self.wall = wall
    self.waited = waited
  }

  package var instance: CaseInstance { transcript.header.instance }
}
