import ConformanceTranscript
import ConformanceVerdict
import JSONKit

/// A named predicate over the evidence, written in Swift, for a claim that the case vocabulary cannot express.
package struct Check: Sendable {
  /// A member of the `with` of a claim.
  package struct Parameter: Hashable, Sendable {
    /// The kind of its value.
    package indirect enum Kind: Hashable, Sendable {
      case text, path, integer
      /// The name of an exchange, or `any`.
      case exchange
      case service
      /// The label of a step, and the label of a step with an outcome.
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

  /// One sentence for `conform explain` and the documentation.
  package var text: String
  /// Whether it judges each request by itself, so that `requests.yaml` may name it.
  package var isAboutEachRequest = false
  /// The members that `with` may have.
  package var parameters: [Parameter]
  /// The differences it finds; empty if the check passes. `with` comes from the claim. A missing member throws
  /// ``Misuse``, since it is a mistake of the claim and not of the subject.
  package var findings: @Sendable (_ evidence: Evidence, _ with: JSON) throws -> [Finding]

  package init(
    text: String, _ parameters: [Parameter] = [],
    findings: @escaping @Sendable (_ evidence: Evidence, _ with: JSON) throws -> [Finding]
  ) {
    self.text = text
    self.parameters = parameters
    self.findings = findings
  }

  /// The evidence has nothing that the check is about, so a pass would prove nothing.
  package struct NothingSeen: Error, Hashable {
    /// The missing observation: `a request with a body of JSON`.
    package var what: String

    package init(_ what: String) { self.what = what }
  }

  /// A claim that does not give the check the members it needs.
  package struct Misuse: Error, Hashable, CustomStringConvertible {
    package var description: String

    /// - Parameter members: the members that `with` must have.
    package init(wanted members: String) { description = "it needs \(members) in `with`" }
  }
}
