import ConformanceModel
import JSONKit
import Yams

/// Reads the part of YAML that cannot surprise: no anchors, aliases, tags or second documents, each key once, and plain
/// scalars that mean what JSON would mean (`true`, `false`, `null`, a JSON number) or are text (`no`, `1:30`, `2026-03-12`).
struct YAMLReader {
  private let file: String
  /// The last place seen: nodes come in the order of the text, unless an alias leads back.
  private var last = SpecDocument.Position(line: 0, column: 0)

  static func read(_ text: String, file: String) throws(Diagnostic) -> (JSON, SpecDocument.Place) {
    var reader = YAMLReader(file: file)
    do {
      let parser = try Parser(yaml: text, resolver: .basic)
      guard let root = try parser.singleRoot() else {
        throw Diagnostic(rule: "syntax", file: file, line: 1, column: 1, expected: "a mapping", found: "an empty file")
      }
      // Nodes know their anchors only as long as the parser lives.
      return try withExtendedLifetime(parser) { try reader.convert(root, isFirst: true) }
    } catch let error as YamlError {
      throw error.diagnostic(file)
    } catch let error as Diagnostic {
      throw error
    } catch {
      throw Diagnostic(rule: "syntax", file: file, expected: "YAML", found: "\(error)")
    }
  }

  private init(file: String) { self.file = file }

  private mutating func convert(_ node: Node, isFirst: Bool = false) throws(Diagnostic) -> (JSON, SpecDocument.Place) {
    let position = try check(node, isFirst: isFirst)
    switch node {
    case .scalar(let scalar): return (Self.value(of: scalar), .init(position: position))
    case .sequence(let sequence):
      var elements: [JSON] = []
      var places: [SpecDocument.Place] = []
      for node in sequence {
        let (value, place) = try convert(node, isFirst: elements.isEmpty)
        elements.append(value)
        places.append(place)
      }
      return (.array(elements), .init(position: position, children: places))
    case .mapping(let mapping): return try convert(mapping, at: position)
    case .alias: throw refusal(at: position, found: "an alias")
    }
  }

  private mutating func convert(
    _ mapping: Node.Mapping, at position: SpecDocument.Position
  ) throws(Diagnostic) -> (JSON, SpecDocument.Place) {
    var members: [JSON.Object.Member] = []
    var places: [SpecDocument.Place] = []
    for (keyNode, valueNode) in mapping {
      guard case .scalar(let key) = keyNode else {
        let position = keyNode.mark.map { SpecDocument.Position(line: $0.line, column: $0.column) } ?? last
        throw diagnostic(at: position, expected: "a key that is text", found: "a list or a mapping")
      }
      let keyPosition = try check(keyNode, isFirst: members.isEmpty, isKey: true)
      var (value, place) = try convert(valueNode)
      place.position = keyPosition
      members.append(.init(key: key.string, value: value))
      places.append(place)
    }
    return (.object(JSON.Object(members)), .init(position: position, children: places))
  }

  /// The node's place; throws when it has a tag or an anchor, or came here through an alias.
  private mutating func check(
    _ node: Node, isFirst: Bool, isKey: Bool = false
  ) throws(Diagnostic) -> SpecDocument.Position {
    let position = node.mark.map { SpecDocument.Position(line: $0.line, column: $0.column) } ?? last
    if node.anchor != nil { throw refusal(at: position, found: "an anchor") }
    // Only the first child of a node may begin where the node does.
    let isInOrder = isFirst ? !(position < last) : last < position
    guard isInOrder else { throw refusal(at: position, found: "an anchor and an alias of it") }
    guard node.isUntagged || isKey else {
      throw refusal(at: position, found: "the tag \(node.tag)")
    }
    last = position
    return position
  }

  private static func value(of scalar: Node.Scalar) -> JSON {
    guard scalar.style == .plain, scalar.tag.rawValue.isEmpty else { return .string(scalar.string) }
    switch scalar.string {
    case "", "null": return .null
    case "true": return true
    case "false": return false
    default: return JSON.Number(lexeme: scalar.string).map(JSON.number) ?? .string(scalar.string)
    }
  }

  private func refusal(at position: SpecDocument.Position, found: String) -> Diagnostic {
    diagnostic(at: position, expected: "plain data without anchors, aliases and tags", found: found)
  }

  private func diagnostic(at position: SpecDocument.Position, expected: String, found: String) -> Diagnostic {
    Diagnostic(
      rule: "syntax", file: file, line: position.line, column: position.column, expected: expected, found: found)
  }
}

extension SpecDocument.Position: Comparable {
  package static func < (left: Self, right: Self) -> Bool { (left.line, left.column) < (right.line, right.column) }
}

extension Node {
  /// Whether no tag stands in the text: the parser gives quoted scalars the tag of a text by itself.
  fileprivate var isUntagged: Bool {
    switch self {
    case .scalar(let scalar):
      ["", "!"].contains(scalar.tag.rawValue) || scalar.style != .plain && scalar.tag.rawValue == Tag.Name.str.rawValue
    case .sequence(let sequence): sequence.tag.rawValue.isEmpty
    case .mapping(let mapping): mapping.tag.rawValue.isEmpty
    case .alias: false
    }
  }
}

extension YamlError {
  fileprivate func diagnostic(_ file: String) -> Diagnostic {
    func at(_ mark: Mark, expected: String = "YAML", found: String) -> Diagnostic {
      Diagnostic(
        rule: "syntax", file: file, line: mark.line, column: mark.column, expected: expected, found: found)
    }
    switch self {
    case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _),
      .composer(let context, let problem, let mark, _):
      let words = [context?.text, problem].compactMap { $0 }.joined(separator: ", ")
      return at(mark, found: words.isEmpty ? "something else" : words)
    case .duplicatedKeysInMapping(let duplicates, let context):
      let keys = duplicates.map { "'\($0)'" }.joined(separator: ", ")
      return at(context.mark, expected: "each key once", found: "\(keys) several times")
    default: return Diagnostic(rule: "syntax", file: file, expected: "YAML", found: "\(self)")
    }
  }
}
