import JSONKit

extension Template {
  /// The place and the cause of a syntax error in a template.
  package typealias ParseError = JSONField.Problem

  /// Parses a template from its JSON spelling.
  package init(_ json: JSON) throws(ParseError) {
    self.init(try Node(JSONField(json)), source: json)
  }

  /// Parses a template from a field of a larger document.
  package init(_ field: JSONField) throws(ParseError) {
    self.init(try Node(field), source: field.value)
  }

  /// Parses a template that is a text, such as a path or the value of a header field.
  package init(text: String) throws(ParseError) {
    self.init(try Node(JSONField(.string(text))), source: .string(text))
  }

  /// The words for the cases of ``Constraint``, as templates spell them.
  package static let constraintWords: [String] = [
    "$at-least", "$at-most", "$above", "$below", "$one-of", "$all-of", "$like", "$absent", "$not", "$every", "$some",
    "$length", "$only", "$near", "$status", "$fails", "$succeeds",
  ]

  /// The words for long texts and lists, as templates spell them.
  package static let valueWords: [String] = ["$repeat", "$list"]

  /// All words that begin with `$` and have a meaning in templates.
  package static let operatorWords = constraintWords + valueWords
}

extension Template.Node {
  init(_ field: JSONField) throws(Template.ParseError) {
    switch field.value {
    case .null, .bool, .number: self = .literal(field.value)
    case .string(let text): self = try Self.parseText(text, field)
    case .array:
      var nodes: [Template.Node] = []
      for element in try field.elements() { nodes.append(try Template.Node(element)) }
      self = .array(nodes)
    case .object(let object):
      if let key = object.duplicateKey {
        throw .init(path: field.path, expected: "each member once", found: "'\(key)' twice")
      }
      self = try Self.parseObject(field, object)
    }
  }

  private static func parseObject(_ field: JSONField, _ object: JSON.Object) throws(Template.ParseError) -> Self {
    if let word = object.members.first?.key, word.hasPrefix("$"), !word.hasPrefix("$$"), !word.hasPrefix("${") {
      return try parseOperator(field, word)
    }
    var members: [Template.Member] = []
    for (key, value) in try field.members() {
      // A row may still fill the hole of a key; any other word with one dollar is a misplaced operator.
      if key.hasPrefix("$"), !key.hasPrefix("$$"), !key.hasPrefix("${") {
        throw .init(
          path: field.path, expected: "members, or operators alone", found: "the operator '\(key)' among members",
          hint: "a member whose name begins with $ is spelled $\(key)")
      }
      let name = key.hasPrefix("$$") ? String(key.dropFirst()) : key
      let isOptional = name.hasSuffix("?")
      members.append(
        Template.Member(
          key: isOptional ? String(name.dropLast()) : name, isOptional: isOptional, value: try Self(value)))
    }
    return .object(members)
  }

  private static func parseOperator(_ field: JSONField, _ word: String) throws(Template.ParseError) -> Self {
    switch word {
    case "$repeat": return .literal(.string(try repeatedText(field)))
    case "$list": return try list(field)
    case "$near": return .constraints([.near(try Template.Near(field))])
    default:
      var constraints: [Template.Constraint] = []
      for (key, value) in try field.members() { constraints.append(try Template.Constraint(word: key, value)) }
      return .constraints(constraints)
    }
  }

  /// The long text that `{"$repeat": TEXT, "times": N}` spells.
  private static func repeatedText(_ field: JSONField) throws(Template.ParseError) -> String {
    let text = try field.required("$repeat").string()
    let times = try field.required("times")
    try field.allowOnly(["$repeat", "times"])
    let size = try times.int().multipliedReportingOverflow(by: max(1, text.utf8.count))
    guard !size.overflow, (0...(16 << 20)).contains(size.partialValue) else {
      throw times.problem(expected: "a text of at most 16 MiB")
    }
    return text.repeated(try times.int())
  }

  /// The elements of `{"$list": VALUE, "times": N, "as": NAME}`: one value for each round. `${NAME}` is the number of
  /// the round, counted from 1.
  private static func list(_ field: JSONField) throws(Template.ParseError) -> Self {
    let element = try field.required("$list")
    let times = try field.required("times")
    let name = try field.optional("as")?.string() ?? "i"
    try field.allowOnly(["$list", "times", "as"])
    guard (0...10_000).contains(try times.int()) else { throw times.problem(expected: "0 to 10000 elements") }
    guard field.value.weight <= Template.heaviestList else {
      throw times.problem(
        expected:
          "at most \(Template.heaviestList) values in all, those of lists inside it counted, and a KiB of text as one")
    }
    var nodes: [Template.Node] = []
    for round in 0..<(try times.int()) {
      nodes.append(
        try Template.Node(JSONField(element.value.filled(with: [name: .int(round + 1)]), path: element.path)))
    }
    return .array(nodes)
  }

  private static func parseText(_ text: String, _ field: JSONField) throws(Template.ParseError) -> Self {
    let segments = try parseSegments(text, field)
    switch segments.count {
    case 0: return .literal("")
    case 1:
      switch segments[0] {
      case .literal(let literal): return .literal(.string(literal))
      case .hole(let hole): return .hole(hole)
      }
    default: return .text(segments)
    }
  }

  private static func parseSegments(
    _ text: String, _ field: JSONField
  ) throws(Template.ParseError) -> [Template.Segment] {
    let parts = HoleText(text)
    guard !parts.isOpen else { throw field.problem(expected: "'}' that closes the hole") }
    var segments: [Template.Segment] = []
    for piece in parts.pieces {
      switch piece {
      case .literal(let literal): segments.append(.literal(HoleText.unescaped(literal)))
      case .hole(_, let inside):
        if case .hole = segments.last {
          throw field.problem(expected: "text between two holes, so that a match can separate them")
        }
        segments.append(.hole(try parseHole(inside, field)))
      }
    }
    return segments
  }

  private static func parseHole(_ text: Substring, _ field: JSONField) throws(Template.ParseError) -> Template.Hole {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let name = parts[0].isEmpty ? nil : String(parts[0])
    if let name, !name.allSatisfy({ $0.isLetter || $0.isNumber || "._-$[]".contains($0) }) {
      throw field.problem(expected: "a hole name of letters, digits, '.', '_' and '-'")
    }
    guard parts.count > 1 else {
      guard name != nil else { throw field.problem(expected: "a name or a kind in the hole") }
      return Template.Hole(name: name)
    }
    guard let kind = Template.Kind(word: String(parts[1])) else {
      let words = Template.Kind.commonWords.joined(separator: ", ")
      throw field.problem(expected: "a hole of kind \(words), or the name of a golden model")
    }
    return Template.Hole(name: name, kind: kind)
  }
}

extension Template.Constraint {
  package init(word: String, _ field: JSONField) throws(Template.ParseError) {
    switch word {
    case "$at-least": self = .atLeast(try Self.number(field))
    case "$at-most": self = .atMost(try Self.number(field))
    case "$above": self = .above(try Self.number(field))
    case "$below": self = .below(try Self.number(field))
    case "$one-of": self = .oneOf(try Self.choices(field))
    case "$all-of": self = .allOf(try Self.choices(field))
    case "$like":
      let pattern = try field.string()
      guard SharedRegex.isValid(pattern) else { throw field.problem(expected: "a regular expression") }
      // In a regular expression, `$` followed by text never matches. A claim with such a pattern would always fail, and
      // a filter would never select anything.
      guard !pattern.contains("${") else {
        throw field.problem(expected: "a regular expression without holes, which it is not filled with")
      }
      self = .like(pattern)
    case "$absent", "$succeeds":
      guard try field.bool() else { throw field.problem(expected: "true") }
      self = word == "$absent" ? .absent : .succeeds
    case "$status": self = .status(try field.word(Template.StatusClass.self))
    case "$not": self = .not(try Template.Node(field))
    case "$every": self = .every(try Template.Node(field))
    case "$some": self = .some(try Template.Node(field))
    case "$length": self = .length(try Template.Node(field))
    case "$only":
      let node = try Template.Node(field)
      guard case .object = node else {
        throw field.problem(expected: "an object, whose members are all that may be there")
      }
      self = .only(node)
    case "$fails": self = .fails(try Template.Node(field))
    default:
      let known = Template.operatorWords
      throw .init(
        path: field.path, expected: "an operator: " + known.joined(separator: ", "), found: "'\(word)'",
        hint: word == Template.errorKey
          ? "say $fails, or $$error for the member of this name"
          : Nearest.suggestion(for: word.hasPrefix("$") ? word : "$" + word, in: known))
    }
  }

  private static func choices(_ field: JSONField) throws(Template.ParseError) -> [Template.Node] {
    var nodes: [Template.Node] = []
    for element in try field.elements() { nodes.append(try Template.Node(element)) }
    guard !nodes.isEmpty else { throw field.problem(expected: "at least one choice") }
    return nodes
  }

  private static func number(_ field: JSONField) throws(Template.ParseError) -> JSON.Number {
    guard let number = field.value.number else { throw field.problem(expected: "a number") }
    return number
  }
}

extension Template.Near {
  /// Parses `{"$near": INSTANT, "within": TIME, "plus": TIME, "as": UNIT}`.
  init(_ field: JSONField) throws(Template.ParseError) {
    try field.allowOnly(["$near", "within", "plus", "as"])
    instant = try Template.Node(try field.required("$near"))
    let limit = try field.required("within")
    guard let within = LogicalTime(try limit.string()) else {
      throw limit.problem(expected: "a time such as 800ms or 2s")
    }
    self.within = within
    unit = try field.optional("as")?.word(Unit.self) ?? .timestamp
    if !Self.canBeInstant(instant, unit) {
      throw try field.required("$near").problem(
        expected: "an instant, such as 2026-03-01T00:00:00Z or ${LABEL.$at} (for a number take $at-least and $at-most)")
    }
    guard let shift = field.optional("plus") else {
      plus = .zero
      return
    }
    let text = try shift.string()
    guard let span = LogicalTime(text.hasPrefix("-") ? String(text.dropFirst()) : text) else {
      throw shift.problem(expected: "a time such as 1s or -1s")
    }
    plus = text.hasPrefix("-") ? .zero - span : span
  }
}

extension Template {
  /// The largest number of values in a `$list`, including the values in its inner lists.
  fileprivate static let heaviestList = 100_000
}

extension JSON {
  /// The number of values that the JSON contains after each `$list` is expanded, at most `Int.max`. Each KiB of a
  /// repeated text counts as one value.
  fileprivate var weight: Int {
    switch self {
    case .null, .bool, .number, .string: return 1
    case .array(let elements): return elements.reduce(1) { $0.addingAtMost($1.weight) }
    case .object(let object):
      let times = object["times"]?.int ?? 1
      if let element = object["$list"] { return element.weight.multiplyingAtMost(times) }
      if let text = object["$repeat"]?.string { return 1 + text.utf8.count.multiplyingAtMost(times) >> 10 }
      return object.members.reduce(1) { $0.addingAtMost($1.value.weight) }
    }
  }
}

extension String {
  /// The text, repeated this number of times. The result is built by doubling, which is fast: some texts repeat a
  /// letter a million times, and every command of the kit parses them.
  fileprivate func repeated(_ times: Int) -> String {
    var (whole, power, rest) = ("", self, times)
    while rest > 0 {
      if !rest.isMultiple(of: 2) { whole += power }
      rest /= 2
      if rest > 0 { power += power }
    }
    return whole
  }
}

extension Int {
  fileprivate func addingAtMost(_ other: Int) -> Int {
    let (sum, isTooMuch) = addingReportingOverflow(other)
    return isTooMuch ? .max : sum
  }

  fileprivate func multiplyingAtMost(_ other: Int) -> Int {
    let (product, isTooMuch) = multipliedReportingOverflow(by: other)
    return isTooMuch ? .max : product
  }
}

extension JSONField {
  /// Throws if the object has a member that is not in `keys`.
  fileprivate func allowOnly(_ keys: [String]) throws(Problem) {
    guard let other = value.object?.keys.first(where: { !keys.contains($0) }) else { return }
    let list = keys.map { "'\($0)'" }.joined(separator: ", ")
    throw Problem(
      path: path, expected: "only \(list)", found: "'\(other)'", hint: Nearest.suggestion(for: other, in: keys))
  }
}
