import ConformanceModel

/// A noun of the catalogue and the place that defines it.
public struct Located<Value: Sendable>: Sendable {
  public var value: Value
  public var document: SpecDocument
  /// Of the value in its document.
  public var path: JSONPath

  public init(_ value: Value, in document: SpecDocument, at path: JSONPath) {
    self.value = value
    self.document = document
    self.path = path
  }
}

/// A catalogue as it stands in its files: every noun with its place, nothing linked yet.
public struct CatalogueSources: Sendable {
  public var definition: Located<ProtocolDefinition>
  public var requirements: [Located<Requirement>] = []
  public var positions: [Located<Position>] = []
  public var cases: [Located<Case>] = []
  public var exchanges: [Located<Exchange>] = []
  public var models: [Located<GoldenModel>] = []
  public var defects: [Located<Defect>] = []
  public var variants: [Located<Variant>] = []
  public var equivalentMutants: [Located<EquivalentMutant>] = []

  public init(definition: Located<ProtocolDefinition>) { self.definition = definition }

  /// The nouns alone, as everything but lint uses them.
  public var catalogue: Catalogue {
    Catalogue(
      definition: definition.value, requirements: requirements.map(\.value), positions: positions.map(\.value),
      cases: cases.map(\.value), exchanges: exchanges.map(\.value), models: templates, defects: defects.map(\.value),
      variants: variants.map(\.value), equivalentMutants: equivalentMutants.map(\.value),
      examples: Dictionary(models.map { ($0.value.name, $0.value.examples) }) { first, _ in first })
  }

  /// The golden models by name.
  var templates: Template.Models {
    Dictionary(models.map { ($0.value.name, $0.value.template) }) { first, _ in first }
  }

  mutating func append(_ part: Part) {
    requirements += part.requirements
    positions += part.positions
    cases += part.cases
    exchanges += part.exchanges
    models += part.models
    defects += part.defects
    variants += part.variants
    equivalentMutants += part.equivalentMutants
  }

  /// What one file contributes.
  struct Part: Sendable {
    var requirements: [Located<Requirement>] = []
    var positions: [Located<Position>] = []
    var cases: [Located<Case>] = []
    var exchanges: [Located<Exchange>] = []
    var models: [Located<GoldenModel>] = []
    var defects: [Located<Defect>] = []
    var variants: [Located<Variant>] = []
    var equivalentMutants: [Located<EquivalentMutant>] = []
  }
}
