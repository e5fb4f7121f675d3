/// Rules that a subject which does nothing for them keeps all the same, so that passing them proves nothing wrong.
package struct IdlePass: Hashable, Sendable {
  /// The idle subject, as a proof calls it: `canned sdk`.
  package var subject: String
  package var keeps: [RequirementID]
  /// Why it does keep them.
  package var because: String

  package init(subject: String, keeps: [RequirementID], because: String) {
    self.subject = subject
    self.keeps = keeps
    self.because = because
  }
}
