/// Something that a subject may do differently without breaking a rule, so that no claim has to notice when it is bent.
package struct EquivalentMutant: Hashable, Sendable {
  /// Which mutants: `request event headers.* altered`, with `*` for any text.
  package var pattern: String
  /// Why nothing has to notice them.
  package var reason: String

  package init(pattern: String, reason: String) {
    self.pattern = pattern
    self.reason = reason
  }
}
