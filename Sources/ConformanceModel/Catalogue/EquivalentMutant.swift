/// A mutation of a transcript that violates no requirement, so that no claim has to detect it.
package struct EquivalentMutant: Hashable, Sendable {
  /// The names of the mutations, such as `request event headers.* altered`; `*` matches any text.
  package var pattern: String
  /// The reason why no claim has to detect these mutations.
  package var reason: String

  package init(pattern: String, reason: String) {
    self.pattern = pattern
    self.reason = reason
  }
}
