import JSONKit

extension Template {
  /// A document that is not a template: where, and what was wrong.
  package typealias ParseError = JSONField.Problem

  /// Reads a template from its JSON spelling.
  package init(_ json: JSON) throws(ParseError) {
    self.init(try Node(JSONField(json)), source: json)
  }

  /// Reads a template from a field of a larger document.
  package init(_ field: JSONField) throws(ParseError) {
    self.init(try Node(field), source: field.value)
  }

  /// A template of text alone: a path, a header value.
  package init(text: String) throws(ParseError) {
    self.init(try Node(JSONField(.string(text))), source: .string(text))
  }

  /// Every word of ``Constraint``, as it is spelled.
  package static let constraintWords: [String] = [
    "at-least", "at-most", "above", "below", "one-of", "like", "absent", "not", "every", "some", "length", "only",
    "fails", "succeeds",
  ]
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
    if let first = object.members.first, Template.constraintWords.contains(first.key) {
      var constraints: [Template.Constraint] = []
      for (key, value) in try field.members() { constraints.append(try Template.Constraint(word: key, value)) }
      return .constraints(constraints)
    }
    if object.members.first?.key == "repeat" { return .literal(.string(try repeatedText(field))) }
    var members: [Template.Member] = []
    for (key, value) in try field.members() {
      let isOptional = key.hasSuffix("?")
      members.append(
        Template.Member(key: isOptional ? String(key.dropLast()) : key, isOptional: isOptional, value: try Self(value)))
    }
    return .object(members)
  }

  /// The text of `{"repeat": TEXT, "times": N}`: a long text that nobody wants to read in a case.
  private static func repeatedText(_ field: JSONField) throws(Template.ParseError) -> String {
    let text = try field.required("repeat").string()
    let times = try field.required("times")
    let count = try times.int()
    guard (0...(16 << 20)).contains(count * max(1, text.utf8.count)) else {
      throw times.problem(expected: "a text of at most 16 MiB")
    }
    if let other = field.value.object?.keys.first(where: { $0 != "repeat" && $0 != "times" }) {
      throw .init(path: field.path, expected: "only 'repeat' and 'times'", found: "'\(other)'")
    }
    return String(repeating: text, count: count)
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
    var segments: [Template.Segment] = []
    var literal = ""
    var rest = text[...]
    while let character = rest.first {
      if rest.hasPrefix("$${") {
        literal += "${"
        rest = rest.dropFirst(3)
      } else if rest.hasPrefix("${") {
        guard let end = rest.firstIndex(of: "}") else { throw field.problem(expected: "'}' that closes the hole") }
        if !literal.isEmpty {
          segments.append(.literal(literal))
          literal = ""
        } else if case .hole = segments.last {
          throw field.problem(expected: "text between two holes, so that a match can tell them apart")
        }
        segments.append(.hole(try parseHole(rest[rest.index(rest.startIndex, offsetBy: 2)..<end], field)))
        rest = rest[rest.index(after: end)...]
      } else {
        literal.append(character)
        rest = rest.dropFirst()
      }
    }
    if !literal.isEmpty { segments.append(.literal(literal)) }
    return segments
  }

  private static func parseHole(_ text: Substring, _ field: JSONField) throws(Template.ParseError) -> Template.Hole {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let name = parts[0].isEmpty ? nil : String(parts[0])
    if let name, !name.allSatisfy({ $0.isLetter || $0.isNumber || "._-".contains($0) }) {
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
  init(word: String, _ field: JSONField) throws(Template.ParseError) {
    switch word {
    case "at-least": self = .atLeast(try Self.number(field))
    case "at-most": self = .atMost(try Self.number(field))
    case "above": self = .above(try Self.number(field))
    case "below": self = .below(try Self.number(field))
    case "one-of":
      var nodes: [Template.Node] = []
      for element in try field.elements() { nodes.append(try Template.Node(element)) }
      guard !nodes.isEmpty else { throw field.problem(expected: "at least one choice") }
      self = .oneOf(nodes)
    case "like":
      let pattern = try field.string()
      guard SharedRegex.isValid(pattern) else { throw field.problem(expected: "a regular expression") }
      // An end with something behind it never matches: a claim that always fails, or, where it is a filter, never does.
      guard !pattern.contains("${") else {
        throw field.problem(expected: "a regular expression without holes, which it is not filled with")
      }
      self = .like(pattern)
    case "absent", "succeeds":
      guard try field.bool() else { throw field.problem(expected: "true") }
      self = word == "absent" ? .absent : .succeeds
    case "not": self = .not(try Template.Node(field))
    case "every": self = .every(try Template.Node(field))
    case "some": self = .some(try Template.Node(field))
    case "length": self = .length(try Template.Node(field))
    case "only": self = .only(try Template.Node(field))
    case "fails": self = .fails(try Template.Node(field))
    default:
      throw .init(
        path: field.path, expected: "only constraints here: " + Template.constraintWords.joined(separator: ", "),
        found: "'\(word)'")
    }
  }

  private static func number(_ field: JSONField) throws(Template.ParseError) -> JSON.Number {
    guard let number = field.value.number else { throw field.problem(expected: "a number") }
    return number
  }
}
