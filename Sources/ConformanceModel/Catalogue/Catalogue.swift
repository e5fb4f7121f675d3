/// Everything the kit knows of one protocol, read, checked and linked.
public struct Catalogue: Sendable {
  public var definition: ProtocolDefinition
  public var requirements: [Requirement]
  public var positions: [Position]
  public var cases: [Case]
  public var exchanges: [Exchange]
  public var models: Template.Models
  public var defects: [Defect]
  public var variants: [Variant]
  /// Examples of the golden models, by model and name.
  public var examples: [String: [String: JSON]]

  public init(
    definition: ProtocolDefinition, requirements: [Requirement], positions: [Position], cases: [Case],
    exchanges: [Exchange], models: Template.Models, defects: [Defect], variants: [Variant] = [],
    examples: [String: [String: JSON]] = [:]
  ) {
    self.definition = definition
    self.requirements = requirements
    self.positions = positions
    self.cases = cases
    self.exchanges = exchanges
    self.models = models
    self.defects = defects
    self.variants = variants
    self.examples = examples
    requirementIndex = Dictionary(requirements.map { ($0.id, $0) }) { first, _ in first }
    exchangeIndex = Dictionary(exchanges.map { ($0.name, $0) }) { first, _ in first }
    caseIndex = Dictionary(cases.flatMap { one in ([one.id] + one.aliases).map { ($0, one) } }) { first, _ in first }
  }

  private let requirementIndex: [RequirementID: Requirement]
  private let exchangeIndex: [String: Exchange]
  private let caseIndex: [CaseID: Case]

  /// The requirement of this id.
  public func requirement(_ id: RequirementID) -> Requirement? { requirementIndex[id] }
  /// The exchange of this name.
  public func exchange(_ name: String) -> Exchange? { exchangeIndex[name] }
  /// The case of this name or former name.
  public func `case`(_ id: CaseID) -> Case? { caseIndex[id] }

  /// The exchange that a request belongs to, by method and raw path without mount point and query.
  public func classify(method: String, path: String) -> Exchange? {
    exchanges.first { $0.classifies(method: method, path: path) }
  }
}
