import JSONKit

/// A named predicate that is too special for the case vocabulary: pure Swift over the evidence.
package struct Check: Sendable {
  /// A member of what a claim gives a check in `with`.
  package struct Parameter: Hashable, Sendable {
    /// What its value stands for.
    package indirect enum Kind: Hashable, Sendable {
      case text, path, integer
      /// The name of an exchange, or `any`.
      case exchange
      case service
      /// The label of a step, or of one that comes to something.
      case label, outcome
      /// The handle of a callback.
      case handle
      /// Anything, held against what is observed.
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

    /// One that may be left out.
    package static func optional(_ name: String, _ kind: Kind) -> Parameter {
      Parameter(name, kind, isRequired: false)
    }
  }

  /// One sentence for `conform explain` and the documentation.
  package var text: String
  /// What `with` may hold.
  package var parameters: [Parameter]
  /// The differences it finds; none means that it holds. `with` is what the claim gives it; what is missing there is
  /// thrown as a ``Misuse``, since it says nothing of the subject.
  package var findings: @Sendable (_ evidence: Evidence, _ with: JSON) throws -> [Finding]

  package init(
    text: String, _ parameters: [Parameter] = [],
    findings: @escaping @Sendable (_ evidence: Evidence, _ with: JSON) throws -> [Finding]
  ) {
    self.text = text
    self.parameters = parameters
    self.findings = findings
  }

  /// A claim that does not give the check what it needs.
  package struct Misuse: Error, Hashable, CustomStringConvertible {
    package var description: String

    /// - Parameter members: what `with` has to hold.
    package init(wanted members: String) { description = "it needs \(members) in `with`" }
  }
}
