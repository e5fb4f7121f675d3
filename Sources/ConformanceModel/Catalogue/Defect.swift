/// A fault that a reference peer switches on, to prove that the kit sees it.
public struct Defect: Hashable, Sendable {
  public var id: DefectID
  /// Which reference has it.
  public var side: Role
  /// The rule it breaks.
  public var requirement: RequirementID
  /// The run that must notice, in some dialect it names or any.
  public var caseName: String
  public var dialect: Dialect?
  public var text: String
  /// Why nothing can notice it, when it is here to show that legal behaviour is left alone.
  public var mustSurvive: String?

  public init(
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
public struct Variant: Hashable, Sendable {
  public var id: DefectID
  /// Which reference has it.
  public var side: Role
  public var text: String

  public init(id: DefectID, side: Role, text: String) {
    self.id = id
    self.side = side
    self.text = text
  }
}
