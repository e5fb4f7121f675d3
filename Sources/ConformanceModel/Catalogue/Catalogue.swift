import JSONKit
import Templates

/// All data of one protocol, read, checked and linked.
package struct Catalogue: Sendable {
  package var definition: ProtocolDefinition
  package var requirements: [Requirement]
  package var positions: [Position]
  package var cases: [Case]
  /// The claims of `requests.yaml`. They judge every request that an app sends.
  package var everyRequest: [Claim]
  package var exchanges: [Exchange]
  package var models: Template.Models
  package var defects: [Defect]
  package var variants: [Variant]
  package var equivalentMutants: [EquivalentMutant]
  package var idlePasses: [IdlePass]
  /// The rules of the reference server, from `server.yaml`; nil if the protocol does not have this file.
  package var server: ServerDefinition?
  /// Examples of the golden models, by the name of the model and the name of the example.
  package var examples: [String: [String: JSON]]
  /// Maps each requirement to its place in the documents: the place of the first sentence that states it.
  package var documentOrder: [RequirementID: Int]
  /// The digest of all files of the catalogue.
  package var digest: String

  package init(
    definition: ProtocolDefinition, requirements: [Requirement], positions: [Position], cases: [Case],
    exchanges: [Exchange], models: Template.Models, defects: [Defect], variants: [Variant] = [],
    equivalentMutants: [EquivalentMutant] = [], idlePasses: [IdlePass] = [], server: ServerDefinition? = nil,
    examples: [String: [String: JSON]] = [:], everyRequest: [Claim] = [],
    documentOrder: [RequirementID: Int] = [:], digest: String = ""
  ) {
    self.definition = definition
    self.requirements = requirements
    self.positions = positions
    self.cases = cases
    self.everyRequest = everyRequest
    self.exchanges = exchanges
    self.models = models
    self.defects = defects
    self.variants = variants
    self.equivalentMutants = equivalentMutants
    self.idlePasses = idlePasses
    self.server = server
    self.examples = examples
    self.documentOrder = documentOrder
    self.digest = digest
    requirementIndex = Dictionary(requirements.map { ($0.id, $0) }) { first, _ in first }
    exchangeIndex = Dictionary(exchanges.map { ($0.name, $0) }) { first, _ in first }
    caseIndex = Dictionary(cases.flatMap { one in ([one.id] + one.aliases).map { ($0, one) } }) { first, _ in first }
  }

  private var requirementIndex: [RequirementID: Requirement]
  private let exchangeIndex: [String: Exchange]
  private let caseIndex: [CaseID: Case]

  package func requirement(_ id: RequirementID) -> Requirement? { requirementIndex[id] }
  package func exchange(_ name: String) -> Exchange? { exchangeIndex[name] }
  /// The case with this name or former name.
  package func `case`(_ id: CaseID) -> Case? { caseIndex[id] }
}

extension Catalogue {
  /// Maps each requirement to the requirements that are violated together with it, sorted by id: those that rest on it
  /// or include it, and the `follows` of each defect that breaks it.
  package var consequences: [RequirementID: [RequirementID]] {
    var all: [RequirementID: Set<RequirementID>] = [:]
    for requirement in requirements {
      for ground in requirement.restsOn + requirement.includes { all[ground, default: []].insert(requirement.id) }
    }
    for defect in defects {
      for rule in defect.breaks { all[rule, default: []].formUnion(defect.follows.keys) }
    }
    return all.mapValues { $0.sorted() }
  }

  /// The catalogue with these positions switched off. Each requirement that is based on one of them gets the level
  /// `OBSERVE`.
  package func without(_ positions: Set<PositionID>) -> Catalogue {
    var relaxed = self
    for index in requirements.indices where requirements[index].positions.contains(where: positions.contains) {
      relaxed.requirements[index].level = .observe
      relaxed.requirementIndex[requirements[index].id] = relaxed.requirements[index]
    }
    return relaxed
  }
}
