extension JSONSchema {
  /// The facts about a schema that can be checked without a look at nested values: its own keywords, and the keywords
  /// of all schemas that it always includes.
  struct Surface: Hashable, Sendable {
    var types: [String]?
    var required: [String] = []
    /// Maps the name of each member that has a fixed list of allowed values to this list.
    var tags: [String: [JSON]] = [:]
    var values: [JSON]?
    /// Whether the schema has a title, which then describes the expected value in messages.
    var isTitled = false
    /// Whether the schema only lists values or types, without nested schemas.
    var isScalar = true

    init(_ node: Node, _ definitions: [String: Node]) { collect(node, definitions) }
  }
}

extension JSONSchema.Surface {
  func admitsType(of value: JSON) -> Bool {
    if let values, !values.contains(where: { $0.typeName == value.typeName }) { return false }
    return types?.contains { $0 == value.typeName || ($0 == "number" && value.typeName == "integer") } ?? true
  }

  /// Whether a message with the schema's title, values or types is enough to explain why the value does not match.
  func isTold(by value: JSON) -> Bool {
    isScalar || isTitled && value.object == nil && value.array == nil
  }

  /// Whether the value cannot match the schema, whatever its nested values are.
  func contradicts(_ value: JSON, _ holes: Set<JSONPath>, _ path: JSONPath) -> Bool {
    guard admitsType(of: value) else { return true }
    guard let object = value.object else { return false }
    if required.contains(where: { object[$0] == nil }) { return true }
    return tags.contains { key, values in
      guard let found = object[key], holes.isEmpty || !holes.contains(path.appending(key: key)) else { return false }
      return !values.contains { $0.isEquivalent(to: found) }
    }
  }

  private mutating func collect(_ node: JSONSchema.Node, _ definitions: [String: JSONSchema.Node]) {
    isTitled = isTitled || node.title != nil
    for keyword in node.keywords {
      switch keyword {
      case .type(let types): self.types = types
      case .values(let values): self.values = values
      case .required(let names): required += names
      case .members(let members):
        isScalar = false
        for (name, member) in members.named { tags[name] = Self.fixedValues(member, definitions) ?? tags[name] }
      case .reference(let name): if let definition = definitions[name] { collect(definition, definitions) }
      case .allOf(let nodes): for node in nodes { collect(node, definitions) }
      case .pattern, .length: break
      default: isScalar = false
      }
    }
  }

  private static func fixedValues(
    _ node: JSONSchema.Node, _ definitions: [String: JSONSchema.Node]
  ) -> [JSON]? {
    for keyword in node.keywords {
      switch keyword {
      case .values(let values): return values
      case .reference(let name):
        if let values = definitions[name].flatMap({ fixedValues($0, definitions) }) { return values }
      default: break
      }
    }
    return nil
  }
}
