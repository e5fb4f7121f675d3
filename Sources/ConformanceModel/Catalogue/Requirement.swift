/// One requirement in the words of the kit, with the section of a document that it is based on.
package struct Requirement: Hashable, Sendable {
  /// How binding the requirement is (RFC 2119). `OBSERVE` only records behaviour, and never fails a run.
  package enum Level: String, CaseIterable, Sendable {
    case must = "MUST"
    case mustNot = "MUST NOT"
    case should = "SHOULD"
    case shouldNot = "SHOULD NOT"
    case may = "MAY"
    case observe = "OBSERVE"

    /// The keyword, if the level forbids something: `MUST NOT` or `SHOULD NOT`; otherwise nil.
    package var prohibition: String? { self == .mustNot || self == .shouldNot ? rawValue : nil }

    /// Whether a violation means that the subject does not conform.
    package var isRequired: Bool { self == .must || self == .mustNot }
  }

  /// The source of the requirement.
  package enum Basis: String, CaseIterable, Sendable {
    /// The specification contains the requirement.
    case stated
    /// Another public document of the vendor contains the requirement.
    case published
    /// A standard that the documents build on contains the requirement, for example the standard for HTTP.
    case standard
    /// Only code that the vendor ships behaves as the requirement says.
    case observed
    /// The documents are silent or contradict each other, and the kit takes a position.
    case position
  }

  /// The section of a document on which a requirement is based.
  package struct Source: Hashable, Sendable {
    package var document: String
    package var section: String
    package var revision: String

    package init(document: String, section: String, revision: String) {
      (self.document, self.section, self.revision) = (document, section, revision)
    }
  }

  package var id: RequirementID
  package var role: Role
  /// The number of the feature in the parity matrix; nil if the requirement belongs to no feature.
  package var feature: Int?
  package var level: Level
  package var basis: Basis
  package var source: Source
  package var text: String
  /// The capability without which the requirement does not apply to a subject; nil if it applies to every subject.
  package var condition: String?
  /// The positions that the requirement is based on.
  package var positions: [PositionID]
  /// The requirements that this requirement includes. A violation of one of them also violates this requirement.
  package var includes: [RequirementID]
  /// The requirements without which this requirement can hardly be met. Reports list these first; verdicts ignore them.
  package var restsOn: [RequirementID]
  /// The reason why no case can judge the requirement; nil if a case can judge it.
  package var untestable: String?
  /// The reason why the requirement was withdrawn; nil if it was not withdrawn.
  package var withdrawn: String?
  /// Digests of the kinds of findings with which the conforming reference violates the requirement in a proof.
  package var ordinary: Set<String> = []

  package init(
    id: RequirementID, role: Role, feature: Int?, level: Level, basis: Basis, source: Source, text: String,
    condition: String? = nil, positions: [PositionID] = [], includes: [RequirementID] = [],
    restsOn: [RequirementID] = [], untestable: String? = nil, withdrawn: String? = nil
  ) {
    self.id = id
    self.role = role
    self.feature = feature
    self.level = level
    self.basis = basis
    self.source = source
    self.text = text
    self.condition = condition
    self.positions = positions
    self.includes = includes
    self.restsOn = restsOn
    self.untestable = untestable
    self.withdrawn = withdrawn
  }
}

/// The kit's answer to a gap in the documents. A user can switch off the position by its id.
package struct Position: Hashable, Sendable {
  package var id: PositionID
  /// The question that the documents leave open.
  package var gap: String
  /// The answer of the kit.
  package var text: String

  package init(id: PositionID, gap: String, text: String) {
    self.id = id
    self.gap = gap
    self.text = text
  }
}
