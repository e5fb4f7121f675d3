/// A mistake that the kit switches on in a conforming subject, to prove that the kit detects the mistake.
package struct Defect: Hashable, Sendable {
  /// The source of the idea for a defect.
  package enum Origin: String, CaseIterable, Sendable {
    /// A sentence of the document, negated.
    case sentence
    /// A mistake that an author plausibly makes.
    case slip
    /// A generic change: a value is off by one, swapped, dropped, duplicated or stale.
    case `operator`
  }

  package var id: DefectID
  /// The role of the subject that has the defect.
  package var side: Role
  /// The requirements that the defect violates, the most direct first; at least one.
  package var breaks: [RequirementID]
  /// Maps each requirement that is violated as a consequence to the reason.
  package var follows: [RequirementID: String]
  /// The case that must detect the defect; nil if any case may detect it. If ``dialect`` is not nil, the case must
  /// detect the defect in this dialect.
  package var caseName: String?
  package var dialect: Dialect?
  package var text: String
  package var origin: Origin?
  /// The reason why the behaviour of the defect is legal, so that no case may report it; nil for any other defect.
  package var mustSurvive: String?
  /// The mutation that the kit applies to messages; nil for a defect that the subject switches on itself.
  package var bend: Bend?
  /// Digests of the kinds of findings that a proof has recorded for the defect.
  package var shapes: Set<String> = []

  package init(
    id: DefectID, side: Role, breaks: [RequirementID], follows: [RequirementID: String] = [:],
    caseName: String? = nil, dialect: Dialect? = nil, text: String, origin: Origin? = nil, mustSurvive: String? = nil,
    bend: Bend? = nil
  ) {
    self.id = id
    self.side = side
    self.breaks = breaks
    self.follows = follows
    self.caseName = caseName
    self.dialect = dialect
    self.text = text
    self.origin = origin
    self.mustSurvive = mustSurvive
    self.bend = bend
  }

  /// The requirements that the defect may violate: directly, or as a consequence.
  package var accountable: Set<RequirementID> { Set(breaks).union(follows.keys) }
}

extension Collection<RequirementID> {
  /// The ids as a list, such as `AB-CDE-001, AB-CDE-002`.
  package var list: String { map(\.rawValue).joined(separator: ", ") }
}

/// Legal behaviour that the kit switches on in a reference, to prove that no case reports the behaviour as a violation.
package struct Variant: Hashable, Sendable {
  package var id: DefectID
  /// The role of the reference that has the variant.
  package var side: Role
  package var text: String
  /// The reason why the variant is legal: a sentence of a document, or that no document mentions it.
  package var because: String?

  package init(id: DefectID, side: Role, text: String, because: String? = nil) {
    self.id = id
    self.side = side
    self.text = text
    self.because = because
  }
}
