/// Turns the JSON of a schema into its tree.
struct JSONSchemaCompiler {
  private(set) var definitions: [String: JSONSchema.Node] = [:]
  private var unions: [[JSONSchema.Node]] = []
  private var references: [(name: String, field: JSONField)] = []

  private static let typeNames = ["null", "boolean", "integer", "number", "string", "array", "object"]
  private static let annotations: Set<String> = ["description", "examples", "default", "$comment"]
  private static let rootAnnotations: Set<String> = ["$schema", "$id"]

  /// Compiles a schema or subschema. `$defs` is allowed at the root only, where `$ref` looks for definitions. `$id` is
  /// allowed at the root only, since it would change the base of the references below it.
  mutating func compile(_ field: JSONField, isRoot: Bool = false) throws(JSONField.Problem) -> JSONSchema.Node {
    switch field.value {
    case .bool(true): return JSONSchema.Node()
    case .bool(false): return JSONSchema.Node(keywords: [.nothing])
    case .object(let object):
      if let key = object.duplicateKey {
        throw .init(path: field.path.appending(key: key), expected: "each keyword once", found: "several")
      }
      return try compileObject(field, isRoot: isRoot)
    default: throw field.problem(expected: "a schema: an object, true or false")
    }
  }

  private mutating func compileObject(_ schema: JSONField, isRoot: Bool) throws(JSONField.Problem) -> JSONSchema.Node {
    var node = JSONSchema.Node()
    // `type` goes first: for a value of a wrong type, only the type is a problem. The check of members that no part
    // evaluates goes last.
    let order = ["type": 0, "unevaluatedProperties": 2]
    for (key, field) in try schema.members().sorted(by: { order[$0.key, default: 1] < order[$1.key, default: 1] }) {
      switch key {
      case "title": node.title = try field.string()
      case "$defs" where isRoot:
        for (name, definition) in try field.members() { definitions[name] = try compile(definition) }
      case _ where Self.annotations.contains(key) || isRoot && Self.rootAnnotations.contains(key): break
      default:
        if let keyword = try keyword(key, field, of: schema) { node.keywords.append(keyword) }
      }
    }
    return node
  }

  private mutating func keyword(
    _ key: String, _ field: JSONField, of schema: JSONField
  ) throws(JSONField.Problem) -> JSONSchema.Keyword? {
    switch key {
    case "const": return .values([field.value])
    case "enum": return .values(try Self.notEmpty(field).map(\.value))
    case "oneOf", "anyOf":
      let branches = try list(field)
      unions.append(branches)
      return .union(.init(branches: branches, isExclusive: key == "oneOf", number: unions.count - 1))
    case "allOf": return .allOf(try list(field))
    case "not": return .not(try compile(field))
    case "if": return try conditional(field, of: schema)
    case "then", "else": return try Self.companion(of: "if", field, in: schema)
    case "$ref": return try reference(field)
    case "properties", "patternProperties", "additionalProperties", "propertyNames":
      return try membersKeyword(key, field, of: schema)
    case "items", "prefixItems": return try elementsKeyword(key, field, of: schema)
    default: return try Self.plainKeyword(key, field, of: schema)
    }
  }

  private mutating func conditional(
    _ field: JSONField, of schema: JSONField
  ) throws(JSONField.Problem) -> JSONSchema.Keyword {
    var branches: [JSONSchema.Node?] = []
    for key in ["then", "else"] {
      branches.append(try Self.member(key, of: schema).map { field throws(JSONField.Problem) in try compile(field) })
    }
    return .conditional(condition: try compile(field), then: branches[0], otherwise: branches[1])
  }

  private mutating func reference(_ field: JSONField) throws(JSONField.Problem) -> JSONSchema.Keyword {
    let text = try field.string()
    let prefix = "#/$defs/"
    guard text.hasPrefix(prefix), let name = Self.pointerToken(text.dropFirst(prefix.count)), !name.isEmpty else {
      throw field.problem(expected: "a reference to #/$defs/NAME")
    }
    references.append((name, field))
    return .reference(name)
  }

  /// Decodes one part of a JSON pointer in a URI fragment (RFC 6901 §6): first percent-encoding, then `~1` and `~0`.
  /// nil if the text is malformed or has several parts.
  private static func pointerToken(_ text: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard rest.count >= 2, let digits = String(rest.prefix(2)), let value = UInt8(digits, radix: 16) else {
        return nil
      }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    guard let token = String(validating: bytes, as: UTF8.self), !token.contains("/") else { return nil }
    return token.replacing("~1", with: "/").replacing("~0", with: "~")
  }

  /// One keyword for `properties`, `patternProperties` and `additionalProperties`, since these depend on each other.
  /// Called for each of these keys. Returns the keyword for the first of them in the schema, and nil for the others.
  private mutating func membersKeyword(
    _ key: String, _ field: JSONField, of schema: JSONField
  ) throws(JSONField.Problem) -> JSONSchema.Keyword? {
    if key == "propertyNames" { return .names(try compile(field)) }
    let parts = ["properties", "patternProperties", "additionalProperties"]
    guard key == parts.first(where: { schema.value[$0] != nil }) else { return nil }
    var members = JSONSchema.Members()
    for (name, property) in try Self.member("properties", of: schema)?.members() ?? [] {
      members.named[name] = try compile(property)
      members.order.append(name)
    }
    for (pattern, property) in try Self.member("patternProperties", of: schema)?.members() ?? [] {
      try Self.checkPattern(pattern, property)
      members.patterns.append(.init(pattern: pattern, node: try compile(property)))
    }
    if let rest = Self.member("additionalProperties", of: schema) { members.additional = try compile(rest) }
    return .members(members)
  }

  private mutating func elementsKeyword(
    _ key: String, _ field: JSONField, of schema: JSONField
  ) throws(JSONField.Problem) -> JSONSchema.Keyword? {
    let prefix = Self.member("prefixItems", of: schema)
    if key == "items", prefix != nil { return nil }
    var first: [JSONSchema.Node] = []
    if let prefix { first = try list(prefix) }
    var rest: JSONSchema.Node?
    if let items = Self.member("items", of: schema) { rest = try compile(items) }
    return .elements(first: first, rest: rest)
  }

  private mutating func list(_ field: JSONField) throws(JSONField.Problem) -> [JSONSchema.Node] {
    var nodes: [JSONSchema.Node] = []
    for element in try Self.notEmpty(field) { nodes.append(try compile(element)) }
    return nodes
  }
}

// MARK: - Keywords without schemas inside

extension JSONSchemaCompiler {
  private static func plainKeyword(
    _ key: String, _ field: JSONField, of schema: JSONField
  ) throws(JSONField.Problem) -> JSONSchema.Keyword? {
    switch key {
    case "type": return .type(try types(field))
    case "required": return .required(try field.strings())
    case "minProperties": return .memberCount(atLeast: try count(field))
    case "minItems", "maxItems":
      return try range("minItems", "maxItems", at: key, of: schema).map { .elementCount($0) }
    case "minLength", "maxLength":
      return try range("minLength", "maxLength", at: key, of: schema).map { .length($0) }
    case "unevaluatedProperties":
      guard try !field.bool() else { throw field.problem(expected: "false") }
      return .closed
    case "uniqueItems": return try field.bool() ? .unique : nil
    case "pattern":
      let pattern = try field.string()
      try checkPattern(pattern, field)
      return .pattern(pattern)
    case "minimum": return .minimum(try number(field), isExclusive: false)
    case "maximum": return .maximum(try number(field), isExclusive: false)
    case "exclusiveMinimum": return .minimum(try number(field), isExclusive: true)
    case "exclusiveMaximum": return .maximum(try number(field), isExclusive: true)
    default: throw unknown(key, field)
    }
  }

  private static func unknown(_ key: String, _ field: JSONField) -> JSONField.Problem {
    if key == "$defs" || rootAnnotations.contains(key) {
      return .init(path: field.path, expected: "\(key) only at the root of the schema", found: "\(key) here")
    }
    let words = [
      "type", "const", "enum", "properties", "required", "additionalProperties", "patternProperties", "propertyNames",
      "items", "prefixItems", "minItems", "maxItems", "uniqueItems", "minProperties", "minLength", "maxLength",
      "pattern", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "oneOf", "anyOf", "allOf", "not", "if",
      "then", "else", "unevaluatedProperties", "$ref", "$defs", "title",
    ]
    return .init(
      path: field.path, expected: "a keyword of the kit's JSON Schema", found: "'\(key)'",
      hint: Nearest.suggestion(for: key, in: words + annotations.union(rootAnnotations).sorted()))
  }

  private static func types(_ field: JSONField) throws(JSONField.Problem) -> [String] {
    let fields = field.value.string == nil ? try notEmpty(field) : [field]
    for field in fields where !typeNames.contains(field.value.string ?? "") {
      throw field.problem(expectedOneOf: typeNames)
    }
    return fields.compactMap(\.value.string)
  }

  private static func range(
    _ lower: String, _ upper: String, at key: String, of schema: JSONField
  ) throws(JSONField.Problem) -> ClosedRange<Int>? {
    let (low, high) = (member(lower, of: schema), member(upper, of: schema))
    if key == upper, low != nil { return nil }
    let least = try low.map { field throws(JSONField.Problem) in try count(field) } ?? 0
    let most = try high.map { field throws(JSONField.Problem) in try count(field) } ?? Int.max
    guard least <= most else {
      throw JSONField.Problem(
        path: schema.path.appending(key: upper), expected: "at least \(lower), which is \(least)", found: "\(most)")
    }
    return least...most
  }

  private static func member(_ key: String, of schema: JSONField) -> JSONField? {
    schema.value[key].map { JSONField($0, path: schema.path.appending(key: key)) }
  }

  private static func companion(
    of key: String, _ field: JSONField, in schema: JSONField
  ) throws(JSONField.Problem) -> JSONSchema.Keyword? {
    guard schema.value[key] != nil else { throw field.problem(expected: "'\(key)' beside it") }
    return nil
  }

  private static func notEmpty(_ field: JSONField) throws(JSONField.Problem) -> [JSONField] {
    let elements = try field.elements()
    guard !elements.isEmpty else { throw field.problem(expected: "at least one element") }
    return elements
  }

  private static func count(_ field: JSONField) throws(JSONField.Problem) -> Int {
    let count = try field.int()
    guard count >= 0 else { throw field.problem(expected: "a count, 0 or more") }
    return count
  }

  private static func number(_ field: JSONField) throws(JSONField.Problem) -> JSON.Number {
    guard let number = field.value.number else { throw field.problem(expected: "a number") }
    return number
  }

  private static func checkPattern(_ pattern: String, _ field: JSONField) throws(JSONField.Problem) {
    guard SharedRegex.isValid(pattern) else {
      throw JSONField.Problem(path: field.path, expected: "a regular expression", found: "'\(pattern)'")
    }
  }
}

// MARK: - References

extension JSONSchemaCompiler {
  /// The value for ``JSONSchema/surfaces``. Must be read only after the whole schema is compiled and
  /// ``checkReferences()`` has found no cycle.
  var surfaces: [[JSONSchema.Surface]] {
    unions.map { branches in branches.map { JSONSchema.Surface($0, definitions) } }
  }

  /// Checks that each reference has a definition, and that no reference leads back to itself without a step into the
  /// value. With such a reference, the validation would never end.
  func checkReferences() throws(JSONField.Problem) {
    for (name, field) in references where definitions[name] == nil {
      throw JSONField.Problem(
        path: field.path,
        expected: "a reference to one of the $defs: \(definitions.keys.sorted().joined(separator: ", "))",
        found: "'\(name)'", hint: Nearest.suggestion(for: name, in: definitions.keys.sorted()))
    }
    for (name, field) in references where reaches(name, from: name) {
      throw JSONField.Problem(
        path: field.path, expected: "a reference that does not lead back to itself", found: "'\(name)'")
    }
  }

  private func reaches(_ target: String, from start: String) -> Bool {
    var open = [start]
    var seen: Set<String> = []
    while let name = open.popLast() {
      let next = definitions[name]?.sameValueReferences ?? []
      if next.contains(target) { return true }
      open += next.filter { seen.insert($0).inserted }
    }
    return false
  }
}

extension JSONSchema.Node {
  /// The names of the definitions that this schema applies to the value itself, not to a part of the value.
  fileprivate var sameValueReferences: [String] {
    keywords.flatMap { keyword -> [String] in
      switch keyword {
      case .reference(let name): [name]
      case .union(let union): union.branches.flatMap(\.sameValueReferences)
      case .allOf(let nodes): nodes.flatMap(\.sameValueReferences)
      case .not(let node): node.sameValueReferences
      case .conditional(let condition, let then, let otherwise):
        [condition, then, otherwise].compactMap { $0 }.flatMap(\.sameValueReferences)
      default: []
      }
    }
  }
}
