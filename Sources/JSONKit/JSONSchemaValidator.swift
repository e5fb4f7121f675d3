/// One validation. It traverses schema and value together and collects the problems.
struct JSONSchemaValidator {
  let schema: JSONSchema
  let holes: Set<JSONPath>
  var problems: [JSONField.Problem] = []
  /// The results of pattern searches: for each pattern and text, whether the pattern occurs in the text. They are
  /// stored since files repeat the same names.
  private var matches: [String: [String: Bool]] = [:]

  init(schema: JSONSchema, holes: Set<JSONPath>) {
    self.schema = schema
    self.holes = holes
  }

  mutating func check(_ node: JSONSchema.Node, _ value: JSON, at path: JSONPath) {
    if !holes.isEmpty, holes.contains(path), node.keywords != [.nothing] { return }
    for keyword in node.keywords {
      if case .type(let types) = keyword, !types.contains(where: value.isOfType) {
        return report(path, expected: phrase(node), found: value.excerpt)
      }
      check(keyword, of: node, value, at: path)
    }
  }

  mutating func report(_ path: JSONPath, expected: String, found: String, hint: String? = nil) {
    problems.append(.init(path: path, expected: expected, found: found, hint: hint))
  }

  /// The problems of the value with this schema. They are only returned, not added to ``problems``.
  mutating func trial(_ node: JSONSchema.Node, _ value: JSON, at path: JSONPath) -> [JSONField.Problem] {
    let saved = problems
    problems = []
    check(node, value, at: path)
    defer { problems = saved }
    return problems
  }

  /// Whether the value at the path, or a part of it, is not known yet.
  func hasHole(at path: JSONPath) -> Bool {
    holes.contains { $0.steps.starts(with: path.steps) }
  }

  private mutating func check(
    _ keyword: JSONSchema.Keyword, of node: JSONSchema.Node, _ value: JSON, at path: JSONPath
  ) {
    switch keyword {
    case .type: break
    case .nothing: report(path, expected: "nothing here", found: value.excerpt)
    case .values(let values): checkValues(values, of: node, value, at: path)
    case .reference(let name):
      if let definition = schema.definitions[name] { check(definition, value, at: path) }
    case .allOf(let nodes): for node in nodes { check(node, value, at: path) }
    case .union(let union): checkUnion(union, of: node, value, at: path)
    case .not(let unwanted):
      if !hasHole(at: path), trial(unwanted, value, at: path).isEmpty {
        report(path, expected: node.title ?? "anything but \(phrase(unwanted))", found: value.excerpt)
      }
    case .conditional(let condition, let then, let otherwise):
      if let next = trial(condition, value, at: path).isEmpty ? then : otherwise { check(next, value, at: path) }
    case .closed: checkClosed(node, value, at: path)
    case .members, .names, .required, .memberCount: checkObject(keyword, of: node, value, at: path)
    case .elements, .elementCount, .unique: checkArray(keyword, value, at: path)
    case .length, .pattern: checkText(keyword, of: node, value, at: path)
    case .minimum, .maximum: checkNumber(keyword, value, at: path)
    }
  }

  private mutating func checkValues(
    _ values: [JSON], of node: JSONSchema.Node, _ value: JSON, at path: JSONPath
  ) {
    guard !values.contains(where: { $0.isEquivalent(to: value) }) else { return }
    let hint = value.string.flatMap { Nearest.suggestion(for: $0, in: values.compactMap(\.string)) }
    report(path, expected: phrase(values), found: value.excerpt, hint: hint)
  }
}

// MARK: - Objects and arrays

extension JSONSchemaValidator {
  private mutating func checkObject(
    _ keyword: JSONSchema.Keyword, of node: JSONSchema.Node, _ value: JSON, at path: JSONPath
  ) {
    guard let object = value.object else { return }
    switch keyword {
    case .members(let members):
      for member in object.members { check(member, members, of: object, at: path.appending(key: member.key)) }
    case .names(let node):
      for key in object.keys {
        for problem in trial(node, .string(key), at: path.appending(key: key)) {
          report(problem.path, expected: "a member name that is " + problem.expected, found: problem.found)
        }
      }
    case .required(let names):
      for name in names where object[name] == nil {
        report(path.appending(key: name), expected: node.member(name).map(phrase) ?? "a value", found: "nothing")
      }
    case .memberCount(let least):
      let count = Set(object.keys).count
      if count < least { report(path, expected: "at least \(members: least)", found: "\(count)") }
    default: break
    }
  }

  private mutating func check(
    _ member: JSON.Object.Member, _ members: JSONSchema.Members, of object: JSON.Object, at path: JSONPath
  ) {
    var isKnown = false
    if let node = members.named[member.key] {
      isKnown = true
      check(node, member.value, at: path)
    }
    for pattern in members.patterns where matches(member.key, pattern.pattern) {
      isKnown = true
      check(pattern.node, member.value, at: path)
    }
    guard !isKnown, let additional = members.additional else { return }
    guard additional.keywords == [.nothing] else { return check(additional, member.value, at: path) }
    let open = members.order.filter { object[$0] == nil }
    report(
      path, expected: phrase(members), found: "\"\(member.key)\"", hint: Nearest.suggestion(for: member.key, in: open))
  }

  /// Reports each member that neither the schema nor an included schema names. An alternative names
  /// members only if the value matches it. A value that matches no alternative is not checked, since its problem is
  /// reported already.
  private mutating func checkClosed(_ node: JSONSchema.Node, _ value: JSON, at path: JSONPath) {
    var members = JSONSchema.Members()
    guard let object = value.object, collect(&members, of: node, value, at: path) else { return }
    members.additional = JSONSchema.Node(keywords: [.nothing])
    for member in object.members where members.named[member.key] == nil {
      check(member, members, of: object, at: path.appending(key: member.key))
    }
  }

  /// Adds the members that a schema evaluates in an object. Returns false if these members cannot be listed: the schema
  /// evaluates all members, or the object matches none of the alternatives.
  private mutating func collect(
    _ members: inout JSONSchema.Members, of node: JSONSchema.Node, _ value: JSON, at path: JSONPath
  ) -> Bool {
    for keyword in node.keywords {
      switch keyword {
      case .members(let own):
        if own.additional != nil { return false }
        members.order += own.order.filter { members.named[$0] == nil }
        members.named.merge(own.named) { first, _ in first }
        members.patterns += own.patterns
      case .reference, .allOf, .union, .conditional:
        guard let nodes = included(by: keyword, value, at: path) else { return false }
        for node in nodes where !collect(&members, of: node, value, at: path) { return false }
      default: break
      }
    }
    return true
  }

  /// The schemas that a keyword applies to the same value; nil if the value matches no alternative.
  private mutating func included(
    by keyword: JSONSchema.Keyword, _ value: JSON, at path: JSONPath
  ) -> [JSONSchema.Node]? {
    switch keyword {
    case .reference(let name): return schema.definitions[name].map { [$0] }
    case .allOf(let nodes): return nodes
    case .union(let union):
      var fitting: [JSONSchema.Node] = []
      for (branch, rules) in zip(union.branches, schema.surfaces[union.number])
      where !rules.contradicts(value, holes, path) && trial(branch, value, at: path).isEmpty {
        fitting.append(branch)
      }
      return fitting.isEmpty ? nil : fitting
    case .conditional(let condition, let then, let otherwise):
      let isMet = trial(condition, value, at: path).isEmpty
      return (isMet ? [condition, then] : [otherwise]).compactMap(\.self)
    default: return []
    }
  }

  private mutating func checkArray(_ keyword: JSONSchema.Keyword, _ value: JSON, at path: JSONPath) {
    guard let elements = value.array else { return }
    switch keyword {
    case .elements(let first, let rest):
      for (index, element) in elements.enumerated() {
        guard let node = index < first.count ? first[index] : rest else { continue }
        check(node, element, at: path.appending(index: index))
      }
    case .elementCount(let range):
      guard !range.contains(elements.count) else { return }
      report(path, expected: "\(range.phrase) elements", found: "\(elements.count)")
    case .unique:
      for (index, element) in elements.enumerated() {
        guard let first = elements[..<index].firstIndex(where: { $0.isEquivalent(to: element) }) else { continue }
        report(
          path.appending(index: index), expected: "elements that differ",
          found: "\(element.excerpt), which is also at [\(first)]")
      }
    default: break
    }
  }
}

// MARK: - Texts and numbers

extension JSONSchemaValidator {
  private mutating func checkText(
    _ keyword: JSONSchema.Keyword, of node: JSONSchema.Node, _ value: JSON, at path: JSONPath
  ) {
    guard let text = value.string else { return }
    switch keyword {
    case .length(let range):
      let length = text.unicodeScalars.count
      guard !range.contains(length) else { return }
      if text.isEmpty { return report(path, expected: "a text that is not empty", found: "\"\"") }
      report(path, expected: "a text of \(range.phrase) characters", found: "\(length): \(value.excerpt)")
    case .pattern(let pattern):
      if matches(text, pattern) { return }
      report(path, expected: node.title ?? "text that matches /\(pattern)/", found: value.excerpt)
    default: break
    }
  }

  private mutating func checkNumber(_ keyword: JSONSchema.Keyword, _ value: JSON, at path: JSONPath) {
    guard let number = value.number else { return }
    switch keyword {
    case .minimum(let bound, let isExclusive):
      if isExclusive ? bound.isLess(than: number) : !number.isLess(than: bound) { return }
      report(path, expected: "\(isExclusive ? "more than" : "at least") \(bound.lexeme)", found: number.lexeme)
    case .maximum(let bound, let isExclusive):
      if isExclusive ? number.isLess(than: bound) : !bound.isLess(than: number) { return }
      report(path, expected: "\(isExclusive ? "less than" : "at most") \(bound.lexeme)", found: number.lexeme)
    default: break
    }
  }

  private mutating func matches(_ text: String, _ pattern: String) -> Bool {
    if let known = matches[pattern]?[text] { return known }
    let found = SharedRegex.finds(pattern, in: text)
    matches[pattern, default: [:]][text] = found
    return found
  }
}

extension JSON {
  /// Whether the value has the JSON Schema type with this name. An integer is any number without a fraction.
  fileprivate func isOfType(_ name: String) -> Bool {
    switch (self, name) {
    case (.null, "null"), (.bool, "boolean"), (.number, "number"), (.string, "string"), (.array, "array"),
      (.object, "object"):
      true
    case (.number(let number), "integer"): number.isInteger
    default: false
    }
  }
}

extension JSONSchema.Node {
  /// The schema of a member.
  fileprivate func member(_ name: String) -> JSONSchema.Node? {
    for case .members(let members) in keywords { return members.named[name] }
    return nil
  }
}

extension ClosedRange<Int> {
  fileprivate var phrase: String {
    if lowerBound == upperBound { return "exactly \(lowerBound)" }
    if upperBound == Int.max { return "at least \(lowerBound)" }
    return lowerBound == 0 ? "at most \(upperBound)" : "\(lowerBound) to \(upperBound)"
  }
}

extension DefaultStringInterpolation {
  fileprivate mutating func appendInterpolation(members count: Int) {
    appendLiteral(count == 1 ? "1 member" : "\(count) members")
  }
}
