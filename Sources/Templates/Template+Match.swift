import JSONKit

extension Template {
  /// The golden models of a protocol by name.
  package typealias Models = [String: Template]

  /// A difference between a template and a value.
  package struct Mismatch: Hashable, Sendable {
    package var path: JSONPath
    package var expected: String
    package var observed: String

    package init(path: JSONPath, expected: String, observed: String) {
      self.path = path
      self.expected = expected
      self.observed = observed
    }
  }

  /// The result of a match. `mismatches` contains all differences. `bindings` contains the given bindings and the
  /// values that holes captured.
  package struct Match: Hashable, Sendable {
    package var bindings: Bindings
    package var mismatches: [Mismatch] = []
  }

  /// The name of the member that contains the error in the outcome of a failed command.
  package static let errorKey = "$error"
  /// The kind of the error in the outcome of a command that never returned.
  package static let noReply: JSON = "no-reply"

  /// Compares a value with the template, and collects all differences. If `value` is nil, the value is absent. If the
  /// name of a hole is in `bindings`, the value at the hole must be equivalent to the value in `bindings`. Any other
  /// hole captures the value. `hasAnswer` is false if the value should be from an answer that the server did not send.
  /// Then an absent value matches `$not`, since the server did not give the forbidden answer.
  package func match(
    _ value: JSON?, bindings: Bindings = [:], models: Models = [:], hasAnswer: Bool = true
  ) -> Match {
    var matcher = Matcher(models: models, bindings: bindings, tells: true)
    matcher.hasAnswer = hasAnswer
    matcher.match(node, value, at: .root)
    return Match(bindings: matcher.bindings, mismatches: matcher.mismatches)
  }

  /// The given bindings together with the captured values; nil if the value does not match the template. This method is
  /// faster than ``match(_:bindings:models:hasAnswer:)``, since it stops at the first difference and does not describe
  /// it.
  package func captures(from value: JSON?, bindings: Bindings = [:], models: Models = [:]) -> Bindings? {
    var matcher = Matcher(models: models, bindings: bindings, tells: false)
    matcher.match(node, value, at: .root)
    return matcher.hasFailed ? nil : matcher.bindings
  }

  package func fits(_ value: JSON?, bindings: Bindings = [:], models: Models = [:]) -> Bool {
    captures(from: value, bindings: bindings, models: models) != nil
  }

  /// Splits a text into literals and holes as the segments require, and returns the part of the text at each hole.
  /// Returns nil if the text does not match. A hole ends where the literal after it first occurs. If this literal is
  /// the last segment, the text must end with it.
  package static func split(_ text: String, _ segments: [Segment]) -> [(hole: Hole, part: String)]? {
    var rest = Array(text.utf8)[...]
    var parts: [(Hole, String)] = []
    for (index, segment) in segments.enumerated() {
      switch segment {
      case .literal(let literal):
        guard rest.starts(with: literal.utf8) else { return nil }
        rest = rest.dropFirst(literal.utf8.count)
      case .hole(let hole):
        var end = rest.endIndex
        if index + 1 < segments.count, case .literal(let next) = segments[index + 1] {
          let isLast = index + 2 == segments.count
          guard let found = rest.range(of: Array(next.utf8), fromEnd: isLast) else { return nil }
          end = found
        }
        parts.append((hole, String(decoding: rest[..<end], as: UTF8.self)))
        rest = rest[end...]
      }
    }
    return rest.isEmpty ? parts : nil
  }
}

extension ArraySlice<UInt8> {
  /// The start of the first occurrence of the pattern. If `fromEnd` is true, only an occurrence at the end of the slice
  /// counts. Nil if the pattern does not occur.
  fileprivate func range(of pattern: [UInt8], fromEnd: Bool) -> Int? {
    guard count >= pattern.count else { return nil }
    if fromEnd { return self.suffix(pattern.count).elementsEqual(pattern) ? endIndex - pattern.count : nil }
    return (startIndex...(endIndex - pattern.count)).first { self[$0...].starts(with: pattern) }
  }
}

extension Template.Kind {
  /// Whether a value is of the kind.
  package func accepts(_ value: JSON, _ models: Template.Models) -> Bool {
    switch (self, value) {
    case (.any, _), (.string, .string), (.number, .number), (.boolean, .bool), (.object, .object), (.array, .array):
      true
    case (.text, .string(let text)): !text.isEmpty
    case (.integer, .number(let number)): number.isInteger
    case (.uuid, .string(let text)): UUIDText.isValid(text)
    case (.timestamp, .string(let text)): text.hasSuffix("Z") && Timestamp(text) != nil
    case (.date, .string(let text)): Timestamp(iso8601: text) != nil
    case (.model(let name), _): models[name]?.fits(value, models: models) ?? false
    default: false
    }
  }
}

extension Template.Kind {
  /// Whether two values of this kind are equal. For the kinds of timestamps and dates, two spellings of the same
  /// instant are equal.
  fileprivate func isSame(_ one: JSON, _ other: JSON) -> Bool {
    switch self {
    case .timestamp, .date: one.isSameInstant(as: other) || one.isEquivalent(to: other)
    default: one.isEquivalent(to: other)
    }
  }

  /// The value that a part of a text spells at a hole of this kind. If the kind is a number, boolean, object or array,
  /// the text is parsed; nil if it cannot be parsed. For any other kind, the value is the text itself.
  fileprivate func value(spelled text: String) -> JSON? {
    switch self {
    case .integer, .number: JSON.Number(lexeme: text).map(JSON.number)
    case .boolean, .object, .array: try? JSON(parsing: text)
    default: .string(text)
    }
  }
}

/// Performs one match: visits the parts of the template and of the value together, and collects the differences.
private struct Matcher {
  let models: Template.Models
  var bindings: Bindings
  /// True if the match describes all differences; false if it stops at the first difference.
  let tells: Bool
  /// False if the value is absent because the server did not answer.
  var hasAnswer = true
  private(set) var hasFailed = false
  private(set) var mismatches: [Template.Mismatch] = []

  init(models: Template.Models, bindings: Bindings, tells: Bool) {
    self.models = models
    self.bindings = bindings
    self.tells = tells
  }

  mutating func match(_ node: Template.Node, _ value: JSON?, at path: JSONPath) {
    if hasFailed, !tells { return }
    if case .constraints(let constraints) = node {
      for constraint in constraints { check(constraint, value, at: path) }
      return
    }
    guard let value else {
      let known = bindings
      return report(path, expected: node.phrase(known), observed: "nothing")
    }
    switch node {
    case .literal(let literal):
      if !literal.isEquivalent(to: value) { report(path, expected: literal.excerpt, observed: value.observed) }
    case .hole(let hole): fill(hole, value, at: path)
    case .text(let segments): matchText(segments, value, at: path)
    case .array(let nodes): matchArray(nodes, value, at: path)
    case .object(let members): matchMembers(members, value, at: path)
    case .constraints: break
    }
  }

  private mutating func report(
    _ path: @autoclosure () -> JSONPath, expected: @autoclosure () -> String, observed: @autoclosure () -> String
  ) {
    hasFailed = true
    if tells { mismatches.append(.init(path: path(), expected: expected(), observed: observed())) }
  }

  /// The path of a part of the value. If the match describes no differences, no path is needed, so it returns the old
  /// path.
  private func place(_ path: JSONPath, _ step: (JSONPath) -> JSONPath) -> JSONPath { tells ? step(path) : path }

  private mutating func fill(_ hole: Template.Hole, _ value: JSON, at path: JSONPath) {
    if case .model(let name) = hole.kind, let model = models[name] {
      // The holes of a model are local to it: only its differences are reported.
      var inner = Matcher(models: models, bindings: [:], tells: tells)
      inner.match(model.node, value, at: path)
      mismatches += inner.mismatches
      if inner.hasFailed { hasFailed = true }
    } else if !hole.kind.accepts(value, models) {
      return report(path, expected: hole.kind.phrase, observed: value.observed)
    }
    guard let name = hole.name else { return }
    if let bound = bindings[name] {
      if !hole.kind.isSame(bound, value) { report(path, expected: bound.excerpt, observed: value.observed) }
    } else if name.contains(".") {
      report(path, expected: "the value of \(name), which was never observed", observed: value.observed)
    } else {
      bindings[name] = value
    }
  }

  private mutating func matchText(_ segments: [Template.Segment], _ value: JSON, at path: JSONPath) {
    let resolved = resolved(segments)
    guard case .string(let text) = value, let parts = Template.split(text, resolved) else {
      return report(path, expected: "text like '\(resolved.pattern)'", observed: value.observed)
    }
    for (hole, part) in parts {
      if let name = hole.name, let bound = bindings[name], (bound.string ?? bound.compactText) == part {
        // The hole already has this value, which may be something else than text.
        continue
      }
      guard let value = hole.kind.value(spelled: part) else {
        report(path, expected: hole.kind.phrase, observed: "'\(part)'")
        continue
      }
      fill(hole, value, at: path)
    }
  }

  /// The segments in which each hole that already has a value is replaced with this value as a literal.
  private func resolved(_ segments: [Template.Segment]) -> [Template.Segment] {
    func value(_ segment: Template.Segment) -> JSON? {
      if case .hole(let hole) = segment { hole.name.flatMap { bindings[$0] } } else { nil }
    }
    guard segments.contains(where: { value($0) != nil }) else { return segments }
    return segments.map { segment in
      value(segment).map { .literal($0.string ?? $0.compactText) } ?? segment
    }.joinedLiterals
  }

  private mutating func matchArray(_ nodes: [Template.Node], _ value: JSON, at path: JSONPath) {
    guard case .array(let elements) = value else {
      return report(path, expected: "an array", observed: value.observed)
    }
    if nodes.count != elements.count {
      report(path, expected: "\(nodes.count) elements", observed: "\(elements.count): \(value.excerpt)")
    }
    for (index, (node, element)) in zip(nodes, elements).enumerated() {
      match(node, element, at: place(path) { $0.appending(index: index) })
    }
  }

  private mutating func matchMembers(_ members: [Template.Member], _ value: JSON, at path: JSONPath) {
    guard case .object(let object) = value else {
      return report(path, expected: "an object", observed: value.observed)
    }
    if let key = object.duplicateKey {
      report(path.appending(key: key), expected: "each member once", observed: "several members of this name")
    }
    for member in members {
      let found = object[member.key]
      if found == nil, member.isOptional { continue }
      match(member.value, found, at: place(path) { $0.appending(key: member.key) })
    }
  }

  /// The bindings after a separate match of this value with this part of the template; nil if the value does not match.
  private func captures(of node: Template.Node, from value: JSON?) -> Bindings? {
    var trial = Matcher(models: models, bindings: bindings, tells: false)
    trial.match(node, value, at: .root)
    return trial.hasFailed ? nil : trial.bindings
  }

  private mutating func check(_ constraint: Template.Constraint, _ value: JSON?, at path: JSONPath) {
    func observed() -> String { value?.observed ?? "nothing" }
    func demand(_ holds: Bool) {
      let known = bindings
      if !holds { report(path, expected: constraint.phrase(known), observed: observed()) }
    }
    switch constraint {
    case .absent: demand(value == nil)
    case .atLeast(let bound): demand(value?.number.map { !$0.isLess(than: bound) } ?? false)
    case .atMost(let bound): demand(value?.number.map { !bound.isLess(than: $0) } ?? false)
    case .above(let bound): demand(value?.number.map { bound.isLess(than: $0) } ?? false)
    case .below(let bound): demand(value?.number.map { $0.isLess(than: bound) } ?? false)
    case .like(let pattern): demand(value?.string.map { SharedRegex.matches(pattern, wholly: $0) } ?? false)
    case .not(let node): demand(value == nil ? !hasAnswer : captures(of: node, from: value) == nil)
    case .oneOf(let nodes):
      for node in nodes {
        if let winner = captures(of: node, from: value) { return bindings = winner }
      }
      demand(false)
    case .allOf(let nodes): for node in nodes { match(node, value, at: path) }
    case .near(let near): demand(near.distance(of: value, bindings).map { $0 <= near.within.milliseconds } ?? false)
    case .status(let expected): demand(value?.int.map(expected.range.contains) ?? false)
    case .some(let node):
      for element in value?.array ?? [] {
        if let winner = captures(of: node, from: element) { return bindings = winner }
      }
      demand(false)
    case .every(let node):
      guard let elements = value?.array, !elements.isEmpty else { return demand(false) }
      for (index, element) in elements.enumerated() {
        match(node, element, at: place(path) { $0.appending(index: index) })
      }
    case .length(let node):
      let length = value.flatMap { $0.array?.count ?? $0.object?.members.count ?? $0.string?.count }
      guard let length, captures(of: node, from: .int(length)) != nil else { return demand(false) }
    case .only(let node):
      match(node, value, at: path)
      guard case .object(let members) = node, let object = value?.object else { return }
      for key in object.keys where !members.contains(where: { $0.key == key }) {
        report(path.appending(key: key), expected: "no member of this name", observed: object[key]?.excerpt ?? "")
      }
    case .succeeds: demand(value.map { $0[Template.errorKey] == nil } ?? false)
    case .fails(let node):
      guard let error = value?[Template.errorKey] else { return demand(false) }
      if case .object = node {
        match(node, error, at: path)
      } else if error["kind"] == Template.noReply, node != .literal(Template.noReply) {
        // A missing reply is not an error that an app could handle.
        demand(false)
      } else if captures(of: node, from: error["kind"]) == nil {
        demand(false)
      }
    }
  }
}

extension [Template.Segment] {
  /// The segments in which adjacent literals are joined. Literals become adjacent when a hole between them is replaced
  /// with its value.
  fileprivate var joinedLiterals: [Template.Segment] {
    reduce(into: []) { result, segment in
      if case .literal(let next) = segment, case .literal(let last)? = result.last {
        result[result.count - 1] = .literal(last + next)
      } else {
        result.append(segment)
      }
    }
  }
}

extension JSON {
  /// The text with which findings show this observed value. If the value is the outcome of a failed command, the text
  /// describes the error.
  package var observed: String {
    guard let error = self[Template.errorKey] else { return excerpt }
    return error["kind"] == Template.noReply ? "no reply" : "the error \(error.excerpt)"
  }
}
