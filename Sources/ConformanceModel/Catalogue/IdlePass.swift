/// Requirements that a no-op implementation really meets. Such a pass does not show a gap of the suite.
package struct IdlePass: Hashable, Sendable {
  /// The name that a proof uses for the no-op implementation, such as `canned sdk`.
  package var subject: String
  package var keeps: [RequirementID]
  /// The reason why the no-op implementation passes the requirements.
  package var because: String

  package init(subject: String, keeps: [RequirementID], because: String) {
    self.subject = subject
    self.keeps = keeps
    self.because = because
  }
}
