/// A compiled JSON Schema. It supports the part of draft 2020-12 that the kit's formats need.
///
/// Keywords: `type const enum properties required additionalProperties patternProperties propertyNames items
/// prefixItems minItems maxItems uniqueItems minProperties minLength maxLength pattern minimum maximum exclusiveMinimum
/// exclusiveMaximum oneOf anyOf allOf not if then else unevaluatedProperties $ref $defs` and the annotations `title
/// description examples default $schema $id $comment`. `unevaluatedProperties` can only be `false`.
///
/// A `title` names the value in problems ("expected a requirement id"). `$ref` refers to `#/$defs/…` of this schema.
/// Numbers are compared by value, and lengths count Unicode scalars.
package struct JSONSchema: Hashable, Sendable {
  /// One schema of the tree: a value is valid if it satisfies all keywords.
  struct Node: Hashable, Sendable {
    var title: String?
    var keywords: [Keyword] = []
  }

  /// A keyword of a schema. If a keyword is not about the type of a value, the value satisfies the keyword.
  indirect enum Keyword: Hashable, Sendable {
    /// The schema `false`.
    case nothing
    case type([String])
    /// `const` and `enum`.
    case values([JSON])
    case members(Members)
    /// `unevaluatedProperties: false`: an object may only have members that this schema, or a schema that it includes,
    /// names.
    case closed
    case names(Node)
    case required([String])
    case memberCount(atLeast: Int)
    case elements(first: [Node], rest: Node?)
    case elementCount(ClosedRange<Int>)
    case unique
    case length(ClosedRange<Int>)
    case pattern(String)
    case minimum(JSON.Number, isExclusive: Bool)
    case maximum(JSON.Number, isExclusive: Bool)
    case union(Union)
    case allOf([Node])
    case not(Node)
    case conditional(condition: Node, then: Node?, otherwise: Node?)
    case reference(String)
  }

  /// `oneOf` and `anyOf`.
  struct Union: Hashable, Sendable {
    var branches: [Node]
    /// Whether exactly one branch must match (`oneOf`); otherwise at least one (`anyOf`).
    var isExclusive: Bool
    /// The index of the union in ``JSONSchema/surfaces``.
    var number: Int
  }

  /// `properties`, `patternProperties` and `additionalProperties`, which depend on each other.
  struct Members: Hashable, Sendable {
    var named: [String: Node] = [:]
    /// The names in the order of the schema. Messages list them in this order.
    var order: [String] = []
    var patterns: [Pattern] = []
    var additional: Node?

    struct Pattern: Hashable, Sendable {
      var pattern: String
      var node: Node
    }
  }

  let root: Node
  let definitions: [String: Node]
  /// For each union, the ``Surface`` of each of its branches.
  let surfaces: [[Surface]]

  /// Compiles a schema. Throws for an unknown keyword, for a keyword with a wrong value, and for a dangling or circular
  /// reference.
  package init(_ json: JSON) throws(JSONField.Problem) {
    var compiler = JSONSchemaCompiler()
    root = try compiler.compile(JSONField(json), isRoot: true)
    definitions = compiler.definitions
    try compiler.checkReferences()
    surfaces = compiler.surfaces
  }

  /// The problems of a value; empty if it is valid.
  ///
  /// If no alternative of `oneOf` or `anyOf` matches, the problems of the nearest alternative are reported. The values
  /// at the paths in `holes` are not known yet; they match every schema except `false`.
  package func validate(_ value: JSON, holes: Set<JSONPath> = []) -> [JSONField.Problem] {
    var validator = JSONSchemaValidator(schema: self, holes: holes)
    validator.check(root, value, at: .root)
    return validator.problems
  }
}
