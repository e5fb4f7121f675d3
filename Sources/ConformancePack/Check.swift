import ConformanceTranscript
import ConformanceVerdict
import JSONKit

/// A named check of the evidence, written in Swift, for a claim that the case vocabulary cannot express.
package struct Check: Sendable {
  /// A member that a claim may set under `with`, where it names the check.
  package struct Parameter: Hashable, Sendable {
    /// The kind of the member's value.
    package indirect enum Kind: Hashable, Sendable {
      case text, path, integer
      /// The name of an exchange, or `any`.
      case exchange
      case service
      /// `label` is the label of any step; `outcome` is the label of a step that has an outcome, such as a call or a
      /// send.
      case label, outcome
      /// The handle of a callback.
      case handle
      /// A template that is compared with observations.
      case template
      case word([String])
      case list(Kind)
      case object([Parameter])
    }

    package var name: String
    package var kind: Kind
    package var isRequired: Bool

    package init(_ name: String, _ kind: Kind, isRequired: Bool = true) {
      self.name = name
      self.kind = kind
      self.isRequired = isRequired
    }

    /// A parameter that may be omitted.
    package static func optional(_ name: String, _ kind: Kind) -> Parameter {
      Parameter(name, kind, isRequired: false)
    }
  }

  /// One sentence about the check, for `conform explain` and the documentation.
  package var text: String
  /// Whether the check judges each request alone, so that `requests.yaml` may name it.
  package var isAboutEachRequest = false
  /// The members that `with` may have.
  package var parameters: [Parameter]
  /// The differences that the check finds; empty if it passes. `with` contains the members that the claim sets for the
  /// check. The closure throws ``Misuse`` for a missing member, since that is a mistake of the claim and not of the
  /// subject.
  package var findings: @Sendable (_ evidence: Evidence, _ with: JSON) throws -> [Finding]

  package init(
    text: String, _ parameters: [Parameter] = [],
    findings: @escaping @Sendable (_ evidence: Evidence, _ with: JSON) throws -> [Finding]
  ) {
    self.text = text
    self.parameters = parameters
    self.findings = findings
  }

  /// The error if the evidence contains nothing that the check is about. A pass would then prove nothing.
  package struct NothingSeen: Error, Hashable {
    /// The missing observation, such as `a request with a body of JSON`.
    package var what: String

    package init(_ what: String) { self.what = what }
  }

  /// The error if a claim lacks a member that the check needs.
  package struct Misuse: Error, Hashable, CustomStringConvertible {
    package var description: String

    /// - Parameter members: the members that `with` must have.
    package init(wanted members: String) { description = "it needs \(members) in `with`" }
  }
}
