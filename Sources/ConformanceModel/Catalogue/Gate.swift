/// A set of requirements whose violation fails a run.
package enum Gate: String, CaseIterable, Sendable {
  /// The MUST and MUST NOT requirements whose basis is `stated`, `published` or `standard`.
  case stated
  /// The requirements of ``stated``, and the MUST and MUST NOT requirements whose basis is `position`.
  case positions
  /// The requirements of ``positions``, and the SHOULD and SHOULD NOT requirements with one of these four bases.
  case strict

  /// Whether a violation of a requirement with this level and basis fails the run.
  package func demands(_ level: Requirement.Level, _ basis: Requirement.Basis) -> Bool {
    let isWritten = basis == .stated || basis == .published || basis == .standard
    return switch (self, level) {
    case (_, .must), (_, .mustNot): isWritten || (self != .stated && basis == .position)
    case (.strict, .should), (.strict, .shouldNot): isWritten || basis == .position
    default: false
    }
  }
}
