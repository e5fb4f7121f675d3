/// A fault that an honest subject switches on, to prove that the kit sees it.
package struct Defect: Hashable, Sendable {
  /// Where the idea of a defect came from.
  package enum Origin: String, CaseIterable, Sendable {
    /// A sentence of the document, turned round.
    case sentence
    /// What an author plausibly overlooks.
    case slip
    /// A generic change: off by one, swapped, dropped, doubled, stale.
    case `operator`
  }

  package var id: DefectID
  /// Which side has it.
  package var side: Role
  /// The rules it breaks, the most direct first; at least one.
  package var breaks: [RequirementID]
  /// The rules that are broken with those, each with the reason.
  package var follows: [RequirementID: String]
  /// The run that must notice, in some dialect it names or any; nil where any run may.
  package var caseName: String?
  package var dialect: Dialect?
  package var text: String
  package var origin: Origin?
  /// Why nothing can notice it, when it is here to show that legal behaviour is left alone.
  package var mustSurvive: String?
  /// What the kit changes around an honest subject; nil for a defect that the subject switches on itself.
  package var bend: Bend?

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

  /// The rules that it answers for: those it breaks, and those that follow.
  package var accountable: Set<RequirementID> { Set(breaks).union(follows.keys) }
}

extension Collection<RequirementID> {
  /// `AB-CDE-001, AB-CDE-002`.
  package var list: String { map(\.rawValue).joined(separator: ", ") }
}

/// Legal behaviour that a reference peer switches on, to prove that the kit leaves it alone.
package struct Variant: Hashable, Sendable {
  package var id: DefectID
  /// Which reference has it.
  package var side: Role
  package var text: String
  /// What leaves it open: a sentence of a document, or that none speaks of it.
  package var because: String?

  package init(id: DefectID, side: Role, text: String, because: String? = nil) {
    self.id = id
    self.side = side
    self.text = text
    self.because = because
  }
}
