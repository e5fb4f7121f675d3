import JSONKit

extension Template.Node {
  /// The text with which a finding describes the value that the template expects.
  func phrase(_ bindings: Bindings) -> String {
    switch self {
    case .literal(let value): value.excerpt
    case .hole(let hole): hole.name.flatMap { bindings[$0] }?.excerpt ?? hole.kind.phrase
    case .text(let segments): (try? render(bindings, [:]))?.excerpt ?? "text like '\(segments.pattern)'"
    case .array: "an array"
    case .object: "an object"
    case .constraints(let constraints): constraints.map { $0.phrase(bindings) }.joined(separator: " and ")
    }
  }

  /// Like ``phrase(_:)``, but also describes the members of objects and the elements of arrays. It is used for
  /// templates in a constraint. A finding about a constraint does not report each member at its own path, so its text
  /// must contain all members.
  fileprivate func wholePhrase(_ bindings: Bindings) -> String {
    switch self {
    case .object(let members):
      "{" + members.map { "\($0.key): \($0.value.wholePhrase(bindings))" }.joined(separator: ", ") + "}"
    case .array(let nodes): "[" + nodes.map { $0.wholePhrase(bindings) }.joined(separator: ", ") + "]"
    default: phrase(bindings)
    }
  }
}

extension Template.Constraint {
  /// The text with which a finding describes the values that the constraint allows.
  func phrase(_ bindings: Bindings) -> String {
    func whole(_ node: Template.Node) -> String { node.wholePhrase(bindings) }
    return switch self {
    case .atLeast(let bound): "at least \(bound.lexeme)"
    case .atMost(let bound): "at most \(bound.lexeme)"
    case .above(let bound): "more than \(bound.lexeme)"
    case .below(let bound): "less than \(bound.lexeme)"
    case .oneOf(let nodes): "one of " + nodes.map(whole).joined(separator: ", ")
    case .allOf(let nodes): nodes.map(whole).joined(separator: " and ")
    case .near(let near): near.phrase(bindings)
    case .status(let expected): "a status from \(expected.range.lowerBound) to \(expected.range.upperBound - 1)"
    case .like(let pattern): "text that matches /\(pattern)/"
    case .absent: "nothing here"
    case .not(let node): "anything but \(whole(node))"
    case .every(let node): "one or more elements, each \(whole(node))"
    case .some(let node): "an element that is \(whole(node))"
    case .length(let node): "a length of \(whole(node))"
    case .only(let node): node.phrase(bindings)
    case .fails(.hole): "an error"
    case .fails(let node): "an error of kind \(whole(node))"
    case .succeeds: "a result, not an error"
    }
  }
}

extension Template {
  /// A description of the values that match the template, in words that can follow "whose": `body.name is "a" and
  /// answer is a status from 200 to 299`.
  package func clause(_ bindings: Bindings) -> String {
    let text = node.clause(at: "", bindings)
    return text.count <= Self.longestClause ? text : text.prefix(Self.longestClause - 3) + "..."
  }

  private static let longestClause = 160
}

extension Template.Node {
  fileprivate func clause(at path: String, _ bindings: Bindings) -> String {
    switch self {
    case .object(let members) where members.isEmpty: "\(Self.named(path)) is an object"
    case .object(let members):
      members.map { member in
        let clause = member.value.clause(at: path.isEmpty ? member.key : "\(path).\(member.key)", bindings)
        return member.isOptional ? "\(clause) or is absent" : clause
      }.joined(separator: " and ")
    case .constraints(let constraints): constraints.map { $0.clause(at: path, bindings) }.joined(separator: " and ")
    case .hole(let hole) where hole.kind == .any && hole.name.flatMap { bindings[$0] } == nil:
      "\(Self.named(path)) is present"
    default: "\(Self.named(path)) is \(wholePhrase(bindings))"
    }
  }

  /// A clause like ``clause(at:_:)``, but about the values that do not match.
  fileprivate func negatedClause(at path: String, _ bindings: Bindings) -> String {
    let name = Self.named(path)
    return switch self {
    case .object(let members) where members.count == 1 && !members[0].isOptional:
      members[0].value.negatedClause(at: path.isEmpty ? members[0].key : "\(path).\(members[0].key)", bindings)
    case .constraints(let constraints) where constraints.count == 1:
      switch constraints[0] {
      case .absent: "\(name) is present"
      case .like(let pattern): "\(name) does not match /\(pattern)/"
      case .oneOf(let nodes) where !nodes.contains(where: \.hasParts):
        "\(name) is none of \(nodes.map { $0.phrase(bindings) }.joined(separator: ", "))"
      default: "not (\(clause(at: path, bindings)))"
      }
    case let node where node.hasParts: "not (\(clause(at: path, bindings)))"
    default: "\(name) is not \(phrase(bindings))"
    }
  }

  fileprivate static func named(_ path: String) -> String {
    switch path {
    case "": "value"
    // The status of the answer, an attribute of a request.
    case "answered": "answer"
    default: path
    }
  }

  /// Whether the template describes parts of the value. If so, a clause must name these parts.
  fileprivate var hasParts: Bool {
    switch self {
    case .object(let members): !members.isEmpty
    case .constraints: true
    default: false
    }
  }
}

extension Template.Constraint {
  fileprivate func clause(at path: String, _ bindings: Bindings) -> String {
    let name = Template.Node.named(path)
    func inside(_ node: Template.Node) -> String { node.clause(at: path, bindings) }
    return switch self {
    case .absent: "\(name) is absent"
    case .not(let node): node.negatedClause(at: path, bindings)
    case .oneOf(let nodes) where nodes.contains(where: \.hasParts):
      nodes.map { "(\(inside($0)))" }.joined(separator: " or ")
    case .allOf(let nodes): nodes.map(inside).joined(separator: " and ")
    case .some(let node) where node.hasParts: "\(name) has an element whose \(node.clause(at: "", bindings))"
    case .every(let node) where node.hasParts: "\(name) has only elements whose \(node.clause(at: "", bindings))"
    case .only(let node): "\(inside(node)) and \(name) has no other member"
    default: "\(name) is \(phrase(bindings))"
    }
  }
}

extension Template.Near {
  fileprivate func phrase(_ bindings: Bindings) -> String {
    let shift = plus == .zero ? "" : plus < .zero ? " minus \(LogicalTime.zero - plus)" : " plus \(plus)"
    return "an instant (\(unit.rawValue)) within \(within) of \(spelled(bindings))\(shift)"
  }

  /// A text for the other instant: its value, and the label by which the case refers to it.
  private func spelled(_ bindings: Bindings) -> String {
    let value = (try? instant.render(bindings, [:]))?.excerpt
    guard case .hole(let hole) = instant, let name = hole.name else { return value ?? "an instant" }
    let label = name.hasSuffix(".$at") ? String(name.dropLast(4)) : name
    return value.map { "\($0) ('\(label)')" } ?? "the instant of '\(label)', which has no value"
  }
}

extension [Template.Segment] {
  /// The text with a placeholder such as `<slug>` in place of each hole.
  var pattern: String {
    map { segment in
      switch segment {
      case .literal(let text): text
      case .hole(let hole): "<\(hole.name ?? hole.kind.word)>"
      }
    }.joined()
  }
}
