import ConformanceModel
import JSONKit
import Templates

/// A noun of the catalogue and the place that defines it.
package struct Located<Value: Sendable>: Sendable {
  package var value: Value
  package var document: SpecDocument
  /// Of the value in its document.
  package var path: JSONPath

  package init(_ value: Value, in document: SpecDocument, at path: JSONPath) {
    self.value = value
    self.document = document
    self.path = path
  }
}

/// A catalogue as its files have it: every noun with its place, and no links yet.
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
  /// The shapes of what each defect shows in its case.
  package var shapes: [DefectID: Located<Set<String>>] = [:]
  package var variants: [Located<Variant>] = []
  package var equivalentMutants: [Located<EquivalentMutant>] = []
  package var idlePasses: [Located<IdlePass>] = []
  package var server: Located<ServerDefinition>?
  package var coverage = CoverageNotes()

  /// The digest of all files.
  package var digest = ""

  /// Whether the protocol is called as the folder that it lies in.
  package let isNamedByFolder: Bool

  package init(definition: Located<ProtocolDefinition>, isNamedByFolder: Bool = true) {
    self.definition = definition
    self.isNamedByFolder = isNamedByFolder
  }

  /// Only the nouns, which every command except lint uses.
  package var catalogue: Catalogue {
    Catalogue(
      definition: definition.value, requirements: requirements.map(\.value), positions: positions.map(\.value),
      cases: cases.map(\.value), exchanges: exchanges.map(\.value), models: templates, defects: knownDefects,
      variants: variants.map(\.value), equivalentMutants: equivalentMutants.map(\.value),
      idlePasses: idlePasses.map(\.value), server: server?.value,
      examples: Dictionary(models.map { ($0.value.name, $0.value.examples) }) { first, _ in first },
      everyRequest: everyRequest.map(\.value), digest: digest)
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

  /// The contents of one file.
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
