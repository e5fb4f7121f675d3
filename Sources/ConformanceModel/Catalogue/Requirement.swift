/// One requirement of a document, in the kit's own words, with the sentence it comes from.
package struct Requirement: Hashable, Sendable {
  /// How binding the requirement is (RFC 2119); `OBSERVE` is recorded and never fails.
  package enum Level: String, CaseIterable, Sendable {
    case must = "MUST"
    case mustNot = "MUST NOT"
    case should = "SHOULD"
    case shouldNot = "SHOULD NOT"
    case may = "MAY"
    case observe = "OBSERVE"

    /// The keyword of a level that forbids something; `nil` for every other level.
    package var prohibition: String? { self == .mustNot || self == .shouldNot ? rawValue : nil }

    /// Whether a violation means that the subject does not conform.
    package var isRequired: Bool { self == .must || self == .mustNot }
  }

  /// The source of the requirement.
  package enum Basis: String, CaseIterable, Sendable {
    /// The specification says it.
    case stated
    /// Another public document of the vendor says it.
    case published
    /// A standard that the documents build on says it, such as one of HTTP.
    case standard
    /// Shipped code does it.
    case observed
    /// The documents are silent or contradict each other, and the kit takes a position.
    case position
  }

  /// The place of the sentence.
  package struct Source: Hashable, Sendable {
    package var document: String
    package var section: String
    package var revision: String

    package init(document: String, section: String, revision: String) {
      self.document = document
      self.section = section
      self.revision = revision
    }
  }

  package var id: RequirementID
  package var role: Role
  /// The row of the parity matrix; nil if the requirement belongs to none.
  package var feature: Int?
  package var level: Level
  package var basis: Basis
  package var source: Source
  package var text: String
  /// The capability whose subjects it binds; nil if it binds every subject.
  package var condition: String?
  /// The positions that it is based on.
  package var positions: [PositionID]
  /// Requirements that it includes: a violation of one of them violates this one, too.
  package var includes: [RequirementID]
  /// Requirements without which this one can hardly be met: they come first in reports. No verdict depends on them.
  package var restsOn: [RequirementID]
  /// The reason why no case can judge it; nil if a case can.
  package var untestable: String?
  /// The reason why it was withdrawn; nil if it is valid.
  package var withdrawn: String?

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

/// The kit's answer to a gap in the documents, which can be switched off by id.
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
