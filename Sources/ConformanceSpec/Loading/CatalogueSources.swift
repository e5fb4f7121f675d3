import ConformanceModel
import JSONKit
import SpecDocuments
import Templates

/// A part of the catalogue, with the document and the path that define it.
package struct Located<Value: Sendable>: Sendable {
  package var value: Value
  package var document: SpecDocument
  /// The path of the value in its document.
  package var path: JSONPath

  package init(_ value: Value, in document: SpecDocument, at path: JSONPath) {
    self.value = value
    self.document = document
    self.path = path
  }
}

/// The parts of a catalogue as they were read, each with its place in its file. References between the parts are not
/// checked yet.
package struct CatalogueSources: Sendable {
  package var definition: Located<ProtocolDefinition>
  package var requirements: [Located<Requirement>] = []
  package var positions: [Located<Position>] = []
  package var states: [Located<NamedState>] = []
  package var assumptions: [Located<NamedAssumption>] = []
  package var cases: [Located<Case>] = []
  package var everyRequest: [Located<Claim>] = []
  package var exchanges: [Located<Exchange>] = []
  package var models: [Located<GoldenModel>] = []
  package var defects: [Located<Defect>] = []
  /// Digests of the kinds of findings that a proof has recorded, by the name of the defect that caused the findings. If
  /// the key is the id of a requirement, the conforming reference caused them.
  package var shapes: [DefectID: Located<Set<String>>] = [:]
  package var variants: [Located<Variant>] = []
  package var equivalentMutants: [Located<EquivalentMutant>] = []
  package var idlePasses: [Located<IdlePass>] = []
  package var server: Located<ServerDefinition>?
  package var coverage = CoverageNotes()
  /// Maps the name of each included pack to the ids of the requirements that come from it.
  package private(set) var shared: [String: [RequirementID]] = [:]

  /// The digest of all files of the catalogue.
  package var digest = ""

  /// Whether the protocol's folder must have the protocol's name.
  package let isNamedByFolder: Bool

  package init(definition: Located<ProtocolDefinition>, isNamedByFolder: Bool = true) {
    self.definition = definition
    self.isNamedByFolder = isNamedByFolder
  }

  /// The parts without their places. Every command except lint uses this form.
  package var catalogue: Catalogue {
    Catalogue(
      definition: definition.value, requirements: knownRequirements, positions: positions.map(\.value),
      cases: cases.map(\.value), exchanges: exchanges.map(\.value), models: templates, defects: knownDefects,
      variants: variants.map(\.value), equivalentMutants: equivalentMutants.map(\.value),
      idlePasses: idlePasses.map(\.value), server: server?.value,
      examples: Dictionary(models.map { ($0.value.name, $0.value.examples) }) { first, _ in first },
      everyRequest: everyRequest.map(\.value), documentOrder: coverage.order(of: requirements.map(\.value)),
      digest: digest)
  }

  private var knownRequirements: [Requirement] {
    requirements.map { located in
      var requirement = located.value
      requirement.ordinary = shapes[DefectID(requirement.id.rawValue)]?.value ?? []
      return requirement
    }
  }

  private var knownDefects: [Defect] {
    defects.map { located in
      var defect = located.value
      defect.shapes = shapes[defect.id]?.value ?? []
      return defect
    }
  }

  /// The golden models by name.
  package var templates: Template.Models {
    Dictionary(models.map { ($0.value.name, $0.value.template) }) { first, _ in first }
  }

  mutating func append(_ part: Part) {
    requirements += part.requirements
    positions += part.positions
    states += part.states
    assumptions += part.assumptions
    cases += part.cases
    everyRequest += part.everyRequest
    exchanges += part.exchanges
    models += part.models
    defects += part.defects
    shapes.merge(part.shapes) { first, _ in first }
    variants += part.variants
    equivalentMutants += part.equivalentMutants
    idlePasses += part.idlePasses
    server = part.server ?? server
    coverage = part.coverage ?? coverage
  }

  /// The packs that the protocol includes, each with the cases to which the kit adds the claims of the pack.
  package var inclusions: [Inclusion] {
    (definition.document.value["includes"]?.array ?? []).map { entry in
      .init(pack: entry["pack"]?.string ?? "", cases: (entry["cases"]?.array ?? []).map { CaseID($0.string ?? "") })
    }
  }

  /// Adds the files of an included pack. The cases that the protocol names in `includes` get the claims of the pack. If
  /// a defect of the pack names no case, the first of these cases that has the defect's role must detect it.
  mutating func include(_ parts: [Part], of pack: String) {
    let named = inclusions.filter { $0.pack == pack }.flatMap(\.cases)
    let rows = parts.flatMap(\.requirements).map(\.value)
    let claims = parts.flatMap(\.everyRequest).map(\.value)
    shared[pack] = rows.map(\.id)
    for index in cases.indices where named.contains(cases[index].value.id) {
      let role = cases[index].value.role
      let binding = Set(rows.filter { $0.role == role }.map(\.id))
      cases[index].value.claim(claims.filter { binding.contains($0.requirement) })
    }
    let judging = named.compactMap { id in cases.first { $0.value.id == id }?.value }
    for var part in parts {
      for index in part.defects.indices where part.defects[index].value.caseName == nil {
        let side = part.defects[index].value.side
        part.defects[index].value.caseName = judging.first { $0.role == side }?.firstName
      }
      append(part)
    }
  }

  /// A pack that the protocol includes, such as the requirements of HTTP, and the cases to which the kit adds the
  /// claims of the pack.
  package struct Inclusion: Hashable, Sendable {
    package var pack: String
    package var cases: [CaseID]
  }

  /// The parts from one file.
  package struct Part: Sendable {
    package var requirements: [Located<Requirement>] = []
    package var positions: [Located<Position>] = []
    package var states: [Located<NamedState>] = []
    package var assumptions: [Located<NamedAssumption>] = []
    package var cases: [Located<Case>] = []
    package var everyRequest: [Located<Claim>] = []
    package var exchanges: [Located<Exchange>] = []
    package var models: [Located<GoldenModel>] = []
    package var defects: [Located<Defect>] = []
    package var shapes: [DefectID: Located<Set<String>>] = [:]
    package var variants: [Located<Variant>] = []
    package var equivalentMutants: [Located<EquivalentMutant>] = []
    package var idlePasses: [Located<IdlePass>] = []
    package var server: Located<ServerDefinition>?
    package var coverage: CoverageNotes?
  }
}

extension Case {
  /// The name of the case, with the first row of its table.
  fileprivate var firstName: String { CaseInstance(id: id, row: scenarios.first?.row, dialect: .any).name }

  /// Adds claims to every scenario, after the claims of the scenario.
  fileprivate mutating func claim(_ claims: [Claim]) {
    for index in scenarios.indices {
      let next = (scenarios[index].claims.map(\.index).max() ?? -1) + 1
      scenarios[index].claims += claims.enumerated().map { offset, claim in
        Claim(requirement: claim.requirement, assertion: claim.assertion, line: line, index: next + offset)
      }
    }
  }
}
