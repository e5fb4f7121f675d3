import JSONKit

/// JSON with holes that can be used in two directions. *render* fills the holes. *match* compares a value with the
/// template, and captures the parts of the value at the holes.
///
/// A law connects the two: if the values in the bindings have the kinds of their holes, `match(render(bindings))`
/// captures exactly these bindings.
///
/// Spelling, in the strings of a JSON or YAML document:
/// - `"${name}"` is a hole for any value, `"${name:kind}"` is a hole for values of this ``Template/Kind``, and
///   `"${:kind}"` is a hole for values of this kind that captures nothing;
/// - `"/resolve/${slug}/${code}"` has holes inside text; `"$${"` is the text `${`;
/// - `"key?": …` is an optional member; render leaves it out if one of its holes has no value;
/// - `{"$at-least": 1}` and the other words of ``Template/Constraint`` can be matched, but not rendered;
/// - `{"$repeat": TEXT, "times": N}` is a long text, `{"$list": VALUE, "times": N, "as": NAME}` a long list;
/// - a member whose name begins with a dollar sign is spelled with two: `"$$ref"`.
///
/// Objects are open: members that the template does not name are allowed, except in `{"$only": {…}}`.
package struct Template: Hashable, Sendable {
  /// The kind of value that a hole accepts.
  package enum Kind: Hashable, Sendable {
    case any, string, text, number, integer, boolean, object, array, uuid, timestamp, date
    /// Values that match the golden model with this name (`Fixtures/<protocol>/models/<name>.json`).
    case model(String)
  }

  /// A hole, with or without a name.
  package struct Hole: Hashable, Sendable {
    /// The name of the hole; nil for a hole that only compares. Render fills the hole with the value of this name, and
    /// match captures the value at the hole under this name. A dotted name, such as `first.installId`, refers to a part
    /// of the value of its first word.
    package var name: String?
    package var kind: Kind

    package init(name: String?, kind: Kind = .any) {
      self.name = name
      self.kind = kind
    }
  }

  /// A piece of a text with holes.
  package enum Segment: Hashable, Sendable {
    case literal(String)
    case hole(Hole)
  }

  /// A member of an object template.
  package struct Member: Hashable, Sendable {
    package var key: String
    package var isOptional: Bool
    package var value: Node

    package init(key: String, isOptional: Bool = false, value: Node) {
      self.key = key
      self.isOptional = isOptional
      self.value = value
    }
  }

  /// The tree of a template.
  package indirect enum Node: Hashable, Sendable {
    case literal(JSON)
    case hole(Hole)
    case text([Segment])
    case array([Node])
    case object([Member])
    case constraints([Constraint])
  }

  /// A condition that can only be matched, not rendered.
  package indirect enum Constraint: Hashable, Sendable {
    case atLeast(JSON.Number)
    case atMost(JSON.Number)
    case above(JSON.Number)
    case below(JSON.Number)
    /// The value matches one of several templates.
    case oneOf([Node])
    /// The value matches each of several templates.
    case allOf([Node])
    /// The value is an instant within a given time of another instant.
    case near(Near)
    /// The value is an HTTP status in this class.
    case status(StatusClass)
    /// The whole text matches a regular expression.
    case like(String)
    /// The member is absent.
    case absent
    case not(Node)
    /// The value is an array, and every element matches. An empty array does not match, since it would prove nothing.
    case every(Node)
    /// The value is an array, and at least one element matches.
    case some(Node)
    /// The number of the value's elements, members or characters matches.
    case length(Node)
    /// The value is an object with these members and no other members.
    case only(Node)
    /// The outcome of a command is an error whose kind or whose error object matches.
    case fails(Node)
    /// The outcome of a command is a result, not an error.
    case succeeds
  }

  /// The description of an instant whose distance from an expected instant is limited.
  package struct Near: Hashable, Sendable {
    /// The form in which the value spells the instant.
    package enum Unit: String, CaseIterable, Sendable {
      /// A text in the format of ISO 8601, with an offset from UTC.
      case timestamp
      case epochMilliseconds = "epoch-ms"
      case epochSeconds = "epoch-s"
    }

    /// The instant to which ``plus`` is added: a timestamp, or a hole such as `${label.$at}`.
    package var instant: Node
    /// The time that is added to ``instant``. The result is the expected instant.
    package var plus: LogicalTime
    package var within: LogicalTime
    package var unit: Unit

    package init(instant: Node, plus: LogicalTime, within: LogicalTime, unit: Unit) {
      self.instant = instant
      self.plus = plus
      self.within = within
      self.unit = unit
    }
  }

  /// A class of HTTP statuses (RFC 9110 §15).
  package enum StatusClass: String, CaseIterable, Sendable {
    case ok, redirect, refused, failed
    /// A client error or a server error.
    case error

    /// The statuses of the class.
    package var range: Range<Int> {
      switch self {
      case .ok: 200..<300
      case .redirect: 300..<400
      case .refused: 400..<500
      case .failed: 500..<600
      case .error: 400..<600
      }
    }
  }

  package var node: Node
  /// The JSON from which the template was parsed; null for a template that was created in code.
  package var source: JSON

  package init(_ node: Node, source: JSON = .null) {
    self.node = node
    self.source = source
  }

  /// The largest number that the template matches; nil if it does not limit numbers.
  package var most: Double? {
    switch node {
    case .literal(let value): value.number?.double
    case .constraints(let constraints):
      constraints.compactMap { constraint in
        switch constraint {
        case .atMost(let number), .below(let number): number.double
        default: nil
        }
      }.min()
    default: nil
    }
  }

  /// The names of the holes in the order of their first occurrence, without repetitions. For a dotted name, the list
  /// contains only its first word.
  package var holeNames: [String] {
    var names: [String] = []
    node.visitHoles { hole in
      guard let name = hole.name?.split(separator: ".").first.map(String.init), !names.contains(name) else { return }
      names.append(name)
    }
    return names
  }

  /// Whether a hole refers to a part of the outcome of a step.
  package var hasReferences: Bool { !node.references.isEmpty }

  /// The names of the golden models that are the kinds of holes.
  package var modelNames: Set<String> {
    var names: Set<String> = []
    node.visitHoles { if case .model(let name) = $0.kind { names.insert(name) } }
    return names
  }

  /// Whether the template cannot be rendered, since it contains a constraint or a hole without a name.
  package var isMatchOnly: Bool { node.isMatchOnly }
}

extension Template.Kind {
  private static let words: [String: Template.Kind] = [
    "any": .any, "string": .string, "text": .text, "number": .number, "integer": .integer, "boolean": .boolean,
    "object": .object, "array": .array, "uuid": .uuid, "timestamp": .timestamp, "date": .date,
  ]

  /// The kind for which a hole contains this word; nil for an unknown word. A word that begins with a capital is the
  /// name of a golden model.
  package init?(word: String) {
    if let kind = Self.words[word] {
      self = kind
    } else if word.first?.isUppercase == true, word.allSatisfy({ $0.isLetter || $0.isNumber }) {
      self = .model(word)
    } else {
      return nil
    }
  }

  /// The words of the kinds that exist in all protocols, in contrast to golden models.
  package static var commonWords: [String] { words.keys.sorted() }

  /// The text with which a finding describes the expected kind.
  package var phrase: String {
    switch self {
    case .any: "a value"
    case .string: "a string"
    case .text: "a non-empty string"
    case .number: "a number"
    case .integer: "an integer"
    case .boolean: "true or false"
    case .object: "an object"
    case .array: "an array"
    case .uuid: "a UUID"
    case .timestamp: "an ISO 8601 UTC timestamp that ends in Z"
    case .date: "an ISO 8601 timestamp"
    case .model(let name): "a \(name)"
    }
  }

  /// The word with which a hole names the kind.
  package var word: String {
    if case .model(let name) = self { return name }
    return Self.words.first { $0.value == self }?.key ?? "any"
  }
}

extension Template.Node {
  /// The dotted names of the holes. They refer to outcomes of steps.
  package var references: [String] {
    var names: [String] = []
    visitHoles { hole in
      if let name = hole.name, name.contains(".") { names.append(name) }
    }
    return names
  }

  package func visitHoles(_ visit: (Template.Hole) -> Void) {
    switch self {
    case .literal: break
    case .hole(let hole): visit(hole)
    case .text(let segments): for case .hole(let hole) in segments { visit(hole) }
    case .array(let nodes): nodes.forEach { $0.visitHoles(visit) }
    case .object(let members): members.forEach { $0.value.visitHoles(visit) }
    case .constraints(let constraints): constraints.forEach { $0.visitHoles(visit) }
    }
  }

  /// A copy of the tree in which `change` replaces each hole.
  package func mapHoles(_ change: (Template.Hole) -> Template.Hole) -> Self {
    switch self {
    case .literal: self
    case .hole(let hole): .hole(change(hole))
    case .text(let segments):
      .text(segments.map { if case .hole(let hole) = $0 { .hole(change(hole)) } else { $0 } })
    case .array(let nodes): .array(nodes.map { $0.mapHoles(change) })
    case .object(let members):
      .object(members.map { .init(key: $0.key, isOptional: $0.isOptional, value: $0.value.mapHoles(change)) })
    case .constraints(let constraints): .constraints(constraints.map { $0.mapNodes { $0.mapHoles(change) } })
    }
  }

  var isMatchOnly: Bool {
    switch self {
    case .literal: false
    case .hole(let hole): hole.name == nil
    case .text(let segments):
      segments.contains { if case .hole(let hole) = $0 { hole.name == nil } else { false } }
    case .array(let nodes): nodes.contains(where: \.isMatchOnly)
    case .object(let members): members.contains { $0.value.isMatchOnly }
    case .constraints: true
    }
  }
}

extension Template.Constraint {
  func visitHoles(_ visit: (Template.Hole) -> Void) {
    switch self {
    case .oneOf(let nodes), .allOf(let nodes): nodes.forEach { $0.visitHoles(visit) }
    case .near(let near): near.instant.visitHoles(visit)
    case .not(let node), .every(let node), .some(let node), .length(let node), .only(let node), .fails(let node):
      node.visitHoles(visit)
    case .atLeast, .atMost, .above, .below, .like, .absent, .succeeds, .status: break
    }
  }
}

extension Template.Constraint {
  /// A copy of the constraint in which `change` replaces each template.
  func mapNodes(_ change: (Template.Node) -> Template.Node) -> Self {
    switch self {
    case .oneOf(let nodes): .oneOf(nodes.map(change))
    case .allOf(let nodes): .allOf(nodes.map(change))
    case .near(let near):
      .near(.init(instant: change(near.instant), plus: near.plus, within: near.within, unit: near.unit))
    case .not(let node): .not(change(node))
    case .every(let node): .every(change(node))
    case .some(let node): .some(change(node))
    case .length(let node): .length(change(node))
    case .only(let node): .only(change(node))
    case .fails(let node): .fails(change(node))
    case .atLeast, .atMost, .above, .below, .like, .absent, .succeeds, .status: self
    }
  }
}

extension Template.Node {
  /// The names of all holes outside of optional members. Render fails if one of them has no value. Dotted names are not
  /// shortened to their first word.
  package var requiredHoles: [String] {
    switch self {
    case .literal: []
    case .hole(let hole): hole.name.map { [$0] } ?? []
    case .text(let segments):
      segments.compactMap { if case .hole(let hole) = $0 { hole.name } else { nil } }
    case .array(let nodes): nodes.flatMap(\.requiredHoles)
    case .object(let members): members.filter { !$0.isOptional }.flatMap(\.value.requiredHoles)
    case .constraints(let constraints): constraints.flatMap(\.requiredHoles)
    }
  }
}

extension Template.Constraint {
  fileprivate var requiredHoles: [String] {
    switch self {
    case .oneOf(let nodes), .allOf(let nodes): nodes.flatMap(\.requiredHoles)
    case .near(let near): near.instant.requiredHoles
    case .not(let node), .every(let node), .some(let node), .length(let node), .only(let node), .fails(let node):
      node.requiredHoles
    case .atLeast, .atMost, .above, .below, .like, .absent, .succeeds, .status: []
    }
  }
}
