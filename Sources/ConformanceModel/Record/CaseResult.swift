/// What one run of a case came to: the transcript, and each verdict with what it means for the run.
package struct CaseResult: Sendable {
  package var testCase: Case
  package var transcript: Transcript
  package var settled: [SettledVerdict]
  /// How long the performance took in reality.
  package var wall: Duration
  /// The part of it in which the kit waited for others.
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
