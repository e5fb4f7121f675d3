/// Requirements that a no-op implementation passes legitimately, so that passing them shows no gap.
package struct IdlePass: Hashable, Sendable {
  /// The name of the no-op implementation in a proof: `canned sdk`.
  package var subject: String
  package var keeps: [RequirementID]
  /// The reason why it passes them.
  package var because: String

  package init(subject: String, keeps: [RequirementID], because: String) {
    self.subject = subject
    self.keeps = keeps
    self.because = because
  }
}
