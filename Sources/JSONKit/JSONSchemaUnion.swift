/// `oneOf` and `anyOf`: finds the alternative that is nearest to a value. Only the problems of this alternative are
/// reported.
extension JSONSchemaValidator {
  mutating func checkUnion(_ union: JSONSchema.Union, of node: JSONSchema.Node, _ value: JSON, at path: JSONPath) {
    var trials: [Trial] = []
    for (branch, rules) in zip(union.branches, schema.surfaces[union.number]) {
      // If the surface of an alternative contradicts the value, the alternative fails without a check of nested values.
      let isContradicted = rules.contradicts(value, holes, path)
      let problems = isContradicted ? nil : trial(branch, value, at: path)
      if problems?.isEmpty == true, !union.isExclusive { return }
      trials.append(Trial(branch, rules, problems))
    }
    let fitting = trials.filter { $0.problems?.isEmpty == true }
    if fitting.isEmpty { return explain(trials, of: node, value, at: path) }
    if fitting.count > 1, !hasHole(at: path) {
      let forms = fitting.map { phrase($0.branch) }.joined(separator: " and ")
      report(path, expected: "exactly one of the forms", found: "\(value.excerpt), which is \(forms)")
    }
  }

  private struct Trial {
    var branch: JSONSchema.Node
    var rules: JSONSchema.Surface
    /// The value's problems with this alternative; nil if the surface of the alternative already excludes the value.
    var problems: [JSONField.Problem]?

    init(_ branch: JSONSchema.Node, _ rules: JSONSchema.Surface, _ problems: [JSONField.Problem]?) {
      self.branch = branch
      self.rules = rules
      self.problems = problems
    }

    /// Whether the value has no problem at the path itself.
    func accepts(_ path: JSONPath) -> Bool { !(problems ?? []).contains { $0.path == path } }
  }

  private mutating func explain(_ all: [Trial], of node: JSONSchema.Node, _ value: JSON, at path: JSONPath) {
    var trials = all.filter { $0.rules.admitsType(of: value) }
    if trials.isEmpty || all.allSatisfy({ $0.rules.isTold(by: value) }) {
      return report(path, expected: phrase(node), found: value.excerpt, hint: valueHint(all, value))
    }
    if trials.count > 1, let tag = sharedTag(trials), value.object != nil, !holes.contains(path.appending(key: tag)) {
      let matching = trials.filter { one in
        guard let found = value[tag] else { return false }
        return one.rules.tags[tag]?.contains { $0.isEquivalent(to: found) } ?? one.accepts(path.appending(key: tag))
      }
      guard !matching.isEmpty else { return reportTag(tag, trials, value[tag], at: path.appending(key: tag)) }
      trials = matching
    }
    if trials.count > 1, let object = value.object {
      let keys = ownKeys(trials)
      let present = keys.map { $0.filter { object[$0] != nil }.count }
      let most = present.max() ?? 0
      if most == 0, keys.contains(where: { !$0.isEmpty }), !keys.contains(where: \.isEmpty) {
        return reportKeys(keys.flatMap { $0 }, object, at: path)
      }
      trials = zip(trials, present).filter { $0.1 == most }.map(\.0)
    }
    tellNearest(trials, of: node, value, at: path)
  }

  private mutating func tellNearest(_ trials: [Trial], of node: JSONSchema.Node, _ value: JSON, at path: JSONPath) {
    let told = trials.map { one in one.problems ?? trial(one.branch, value, at: path) }
    let fewest = told.map(\.count).min() ?? 0
    let nearest = told.filter { $0.count == fewest }
    if nearest.count > 1, fewest == 1, Set(nearest.map { $0[0].path }).count == 1 {
      let forms = nearest.map { $0[0].expected }.distinct
      let hint = nearest.compactMap { $0[0].hint }.first
      return report(
        nearest[0][0].path, expected: forms.joined(separator: " or "), found: nearest[0][0].found, hint: hint)
    }
    problems += nearest.first ?? []
  }

  private mutating func reportTag(_ tag: String, _ trials: [Trial], _ found: JSON?, at path: JSONPath) {
    let values = trials.flatMap { $0.rules.tags[tag] ?? [] }.distinct
    let others = trials.compactMap { $0.problems?.first { $0.path == path }?.expected }
    report(
      path, expected: ([phrase(values)] + others).distinct.joined(separator: " or "),
      found: found?.excerpt ?? "nothing",
      hint: found?.string.flatMap { Nearest.suggestion(for: $0, in: values.compactMap(\.string)) })
  }

  private mutating func reportKeys(_ keys: [String], _ object: JSON.Object, at path: JSONPath) {
    let names = keys.distinct
    report(
      path, expected: "one of the members " + names.joined(separator: ", "),
      found: object.members.isEmpty ? "{}" : object.keys.map { "\"\($0)\"" }.joined(separator: ", "),
      hint: object.keys.lazy.compactMap { Nearest.suggestion(for: $0, in: names) }.first)
  }

  private func valueHint(_ trials: [Trial], _ value: JSON) -> String? {
    let words = trials.flatMap { $0.rules.values?.compactMap(\.string) ?? [] }
    return value.string.flatMap { Nearest.suggestion(for: $0, in: words) }
  }

  /// A member that every alternative requires and for which most alternatives list fixed values: its value shows which
  /// alternative the author meant. nil if the alternatives have no member of this kind.
  private func sharedTag(_ trials: [Trial]) -> String? {
    let tags = Set(trials.flatMap { $0.rules.tags.keys }).sorted()
    return tags.first { tag in
      trials.allSatisfy { $0.rules.required.contains(tag) }
        && trials.count(where: { $0.rules.tags[tag] != nil }) * 2 > trials.count
    }
  }

  /// For each alternative, its required members, except members that all alternatives require.
  private func ownKeys(_ trials: [Trial]) -> [[String]] {
    trials.map { one in
      one.rules.required.filter { key in !trials.allSatisfy { $0.rules.required.contains(key) } }
    }
  }
}

// MARK: - Phrases

extension JSONSchemaValidator {
  /// The phrase after "expected" in a message about this schema.
  func phrase(_ node: JSONSchema.Node) -> String {
    if let title = node.title { return title }
    for keyword in node.keywords.reversed() {
      switch keyword {
      case .values(let values): return phrase(values)
      case .reference(let name): if let definition = schema.definitions[name] { return phrase(definition) }
      case .union(let union): return union.branches.map(phrase).distinct.joined(separator: " or ")
      case .type(let types): return types.map { Self.typePhrases[$0] ?? $0 }.joined(separator: " or ")
      case .pattern(let pattern): return "text that matches /\(pattern)/"
      default: break
      }
    }
    return node.keywords == [.nothing] ? "nothing" : "a value"
  }

  func phrase(_ values: [JSON]) -> String {
    if values.count == 1 { return values[0].excerpt }
    return "one of " + values.map { $0.string ?? $0.excerpt }.joined(separator: ", ")
  }

  func phrase(_ members: JSONSchema.Members) -> String {
    switch members.order.count {
    case 0: "no members"
    case 1: "only the member \(members.order[0])"
    default: "one of the members " + members.order.joined(separator: ", ")
    }
  }

  private static let typePhrases = [
    "null": "null", "boolean": "true or false", "integer": "an integer", "number": "a number", "string": "a text",
    "array": "a list", "object": "an object",
  ]
}

extension Array where Element: Equatable {
  /// The elements without repetitions, in the order of their first occurrence.
  fileprivate var distinct: [Element] {
    reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }
}
