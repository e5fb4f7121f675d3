import JSONKit

extension Template {
  /// The reason why a template could not be rendered.
  package enum RenderError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A hole has no value.
    case unbound(String)
    /// A value does not have the hole's kind.
    case wrongKind(name: String, expected: String, found: String)
    /// The template contains a constraint or a hole without a name. Such a template can be matched, but not rendered.
    case matchOnly
    /// A match would not split the rendered text into the same values, since a value contains the text that follows its
    /// hole.
    case ambiguous(String)

    package var description: String {
      switch self {
      case .unbound(let name): "nothing is bound to ${\(name)}"
      case .wrongKind(let name, let expected, let found): "${\(name)} must be \(expected), found \(found)"
      case .matchOnly: "the template has a constraint or a hole without a name, which can only match"
      case .ambiguous(let text): "'\(text)' cannot be taken apart again: a value contains the text behind its hole"
      }
    }

    /// The name of the hole that could not be filled; nil if the error is not about a single hole.
    package var hole: String? {
      switch self {
      case .unbound(let name), .wrongKind(let name, _, _): name
      case .matchOnly, .ambiguous: nil
      }
    }

    /// The description of the error. If a name has no value, the description also lists the names that have one.
    package func description(knowing names: Bindings) -> String {
      guard case .unbound = self else { return description }
      let known = names.values.keys.filter { !$0.contains("$") }.sorted()
      let hint = hole.flatMap { Nearest.suggestion(for: $0, in: known) }.map { " \u{2014} \($0)" } ?? ""
      return "\(description); what has a value is \(known.isEmpty ? "nothing" : known.joined(separator: ", "))\(hint)"
    }
  }

  /// Fills the holes. An optional member is left out if one of its holes has no value. If `reversibly` is true and a
  /// match would not split a rendered text into the same values, this method throws ``RenderError/ambiguous(_:)``.
  package func render(
    _ bindings: Bindings, models: Models = [:], reversibly: Bool = true
  ) throws(RenderError) -> JSON {
    try node.render(bindings, models, reversibly: reversibly)
  }

  /// Fills the holes of a template that is a text.
  package func renderText(_ bindings: Bindings, reversibly: Bool = true) throws(RenderError) -> String {
    let value = try node.render(bindings, [:], reversibly: reversibly)
    return value.string ?? value.compactText
  }
}

extension Template.Node {
  func render(
    _ bindings: Bindings, _ models: Template.Models, reversibly: Bool = true
  ) throws(Template.RenderError) -> JSON {
    switch self {
    case .literal(let value): return value
    case .hole(let hole): return try hole.value(in: bindings, models)
    case .text(let segments): return .string(try Self.renderText(segments, bindings, models, reversibly))
    case .array(let nodes):
      var elements: [JSON] = []
      for node in nodes { elements.append(try node.render(bindings, models, reversibly: reversibly)) }
      return .array(elements)
    case .object(let members):
      var result = JSON.Object()
      for member in members {
        do {
          let value = try member.value.render(bindings, models, reversibly: reversibly)
          result.members.append(.init(key: member.key, value: value))
        } catch .unbound where member.isOptional {
          continue
        }
      }
      return .object(result)
    case .constraints: throw .matchOnly
    }
  }

  private static func renderText(
    _ segments: [Template.Segment], _ bindings: Bindings, _ models: Template.Models, _ reversibly: Bool
  ) throws(Template.RenderError) -> String {
    var text = ""
    var used = Bindings()
    for segment in segments {
      switch segment {
      case .literal(let literal): text += literal
      case .hole(let hole):
        let value = try hole.value(in: bindings, models)
        if let name = hole.name { used[name] = value }
        text += value.string ?? value.compactText
      }
    }
    guard reversibly else { return text }
    let taken = Template.split(text, segments)
    let whole = taken?.allSatisfy { hole, part in
      hole.name.flatMap { used[$0] }.map { ($0.string ?? $0.compactText) == part } ?? true
    }
    guard whole == true else { throw .ambiguous(text) }
    return text
  }
}

extension Template.Hole {
  package func value(in bindings: Bindings, _ models: Template.Models) throws(Template.RenderError) -> JSON {
    guard let name else { throw .matchOnly }
    guard let value = bindings[name] else { throw .unbound(name) }
    guard kind.accepts(value, models) else {
      throw .wrongKind(name: name, expected: kind.phrase, found: value.excerpt)
    }
    return value
  }
}
