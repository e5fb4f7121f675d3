/// A fault that a reference peer switches on, to prove that the kit sees it.
package struct Defect: Hashable, Sendable {
  package var id: DefectID
  /// Which reference has it.
  package var side: Role
  /// The rule it breaks.
  package var requirement: RequirementID
  /// The run that must notice, in some dialect it names or any.
  package var caseName: String
  package var dialect: Dialect?
  package var text: String
  /// Why nothing can notice it, when it is here to show that legal behaviour is left alone.
  package var mustSurvive: String?

  package init(
    id: DefectID, side: Role, requirement: RequirementID, caseName: String, dialect: Dialect?, text: String,
    mustSurvive: String? = nil
  ) {
    self.id = id
    self.side = side
    self.requirement = requirement
    self.caseName = caseName
    self.dialect = dialect
    self.text = text
    self.mustSurvive = mustSurvive
  }
}

/// Legal behaviour that a reference peer switches on, to prove that the kit leaves it alone.
package struct Variant: Hashable, Sendable {
  package var id: DefectID
  /// Which reference has it.
  package var side: Role
  package var text: String

  package init(id: DefectID, side: Role, text: String) {
    self.id = id
    self.side = side
    self.text = text
  }
}
