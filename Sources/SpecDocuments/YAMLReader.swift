import JSONKit
import Yams

/// Reads only the part of YAML that every parser of YAML reads in the same way. Anchors, aliases, tags, second
/// documents and repeated keys are errors. A scalar without quotes must be either a value as in JSON (`true`, `false`,
/// `null`, a number) for every parser, or text for every parser.
struct YAMLReader {
  private let file: String
  private let lines: [Substring.UnicodeScalarView]
  /// The place at which the last search for a position ended. The next search continues there, so that a long line is
  /// read only once.
  private var cursor: (position: SpecDocument.Position, index: Substring.UnicodeScalarView.Index)?
  /// The position of the last converted node. If the next node has an earlier position, it was reached through an
  /// alias.
  private var last = SpecDocument.Position(line: 0, column: 0)

  static func read(_ text: String, file: String) throws(Diagnostic) -> (JSON, SpecDocument.Place) {
    var reader = YAMLReader(text, file: file)
    try reader.refuseDoubtfulSpace(in: text)
    do {
      let parser = try Parser(yaml: text, resolver: .basic)
      guard let root = try parser.singleRoot() else {
        throw Diagnostic(rule: "syntax", file: file, line: 1, column: 1, expected: "a mapping", found: "an empty file")
      }
      // Nodes know their anchors only while the parser exists.
      return try withExtendedLifetime(parser) { try reader.convert(root, isFirst: true, inBrackets: false, depth: 0) }
    } catch let error as YamlError {
      throw error.diagnostic(of: text, file)
    } catch let error as Diagnostic {
      throw error
    } catch {
      throw Diagnostic(rule: "syntax", file: file, expected: "YAML", found: "\(error)")
    }
  }

  private init(_ text: String, file: String) {
    self.file = file
    lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
  }

  /// Converts a node and its parts into JSON. `inBrackets` is true inside `[` or `{`; `depth` is the number of lists
  /// and mappings around the node.
  private mutating func convert(
    _ node: Node, isFirst: Bool = false, inBrackets: Bool, depth: Int
  ) throws(Diagnostic) -> (JSON, SpecDocument.Place) {
    let position = try check(node, isFirst: isFirst)
    guard depth < JSON.maximumDepth else {
      throw diagnostic(at: position, expected: "nesting of at most \(JSON.maximumDepth) levels", found: "more")
    }
    switch node {
    case .scalar(let scalar):
      return (try value(of: scalar, at: position, inBrackets: inBrackets), .init(position: position))
    case .sequence(let sequence):
      let inBrackets = inBrackets || isBracket(at: position)
      var elements: [JSON] = []
      var places: [SpecDocument.Place] = []
      for node in sequence {
        let (value, place) = try convert(node, isFirst: elements.isEmpty, inBrackets: inBrackets, depth: depth + 1)
        elements.append(value)
        places.append(place)
      }
      return (.array(elements), .init(position: position, children: places))
    case .mapping(let mapping):
      return try convert(mapping, at: position, inBrackets: inBrackets || isBracket(at: position), depth: depth)
    case .alias: throw refusal(at: position, found: "an alias")
    }
  }

  private mutating func convert(
    _ mapping: Node.Mapping, at position: SpecDocument.Position, inBrackets: Bool, depth: Int
  ) throws(Diagnostic) -> (JSON, SpecDocument.Place) {
    var members: [JSON.Object.Member] = []
    var places: [SpecDocument.Place] = []
    for (keyNode, valueNode) in mapping {
      guard case .scalar(let key) = keyNode else {
        let position = keyNode.mark.map { SpecDocument.Position(line: $0.line, column: $0.column) } ?? last
        throw diagnostic(at: position, expected: "a key that is text", found: "a list or a mapping")
      }
      let keyPosition = try check(keyNode, isFirst: members.isEmpty, isKey: true)
      if key.style == .plain {
        try refuseDoubts(about: key.string, at: keyPosition, isKey: true, inBrackets: inBrackets)
      }
      var (value, place) = try convert(valueNode, inBrackets: inBrackets, depth: depth + 1)
      place.position = keyPosition
      members.append(.init(key: key.string, value: value))
      places.append(place)
    }
    return (.object(JSON.Object(members)), .init(position: position, children: places))
  }

  /// The position of the node. Throws if the node has a tag or an anchor, or was reached through an alias.
  private mutating func check(
    _ node: Node, isFirst: Bool, isKey: Bool = false
  ) throws(Diagnostic) -> SpecDocument.Position {
    let position = node.mark.map { SpecDocument.Position(line: $0.line, column: $0.column) } ?? last
    if node.anchor != nil { throw refusal(at: position, found: "an anchor") }
    // Only the first child of a node may begin where the node begins.
    let isInOrder = isFirst ? !(position < last) : last < position
    guard isInOrder else { throw refusal(at: position, found: "an anchor and an alias of it") }
    guard node.isUntagged || isKey else {
      throw refusal(at: position, found: "the tag \(node.tag)")
    }
    // The parser does not report the tag `!`, which readers interpret differently.
    if text(at: position).first == "!" { throw refusal(at: position, found: "a tag") }
    last = position
    return position
  }

  private mutating func value(
    of scalar: Node.Scalar, at position: SpecDocument.Position, inBrackets: Bool
  ) throws(Diagnostic) -> JSON {
    if [.literal, .folded].contains(scalar.style) { try refuseCommentAtIndicator(at: position) }
    guard scalar.style == .plain, scalar.tag.rawValue.isEmpty else { return .string(scalar.string) }
    try refuseDoubts(about: scalar.string, at: position, isKey: false, inBrackets: inBrackets)
    return PlainScalar(text: scalar.string).value
  }

  private func refuseDoubts(
    about text: String, at position: SpecDocument.Position, isKey: Bool, inBrackets: Bool
  ) throws(Diagnostic) {
    guard let objection = PlainScalar(text: text).objection(isKey: isKey, inBrackets: inBrackets) else { return }
    throw diagnostic(at: position, expected: objection.expected, found: objection.found, hint: objection.hint)
  }

  /// Whether the list or mapping that begins at this position is written in brackets (`[` or `{`). The YAML library
  /// does not report this.
  private mutating func isBracket(at position: SpecDocument.Position) -> Bool {
    text(at: position).first.map { $0 == "[" || $0 == "{" } ?? false
  }

  /// The text of the line from this position to its end.
  private mutating func text(at position: SpecDocument.Position) -> Substring.UnicodeScalarView {
    guard lines.indices.contains(position.line - 1) else { return "".unicodeScalars[...] }
    let line = lines[position.line - 1]
    var (start, column) = (line.startIndex, 1)
    if let cursor, cursor.position.line == position.line, cursor.position.column <= position.column {
      (start, column) = (cursor.index, cursor.position.column)
    }
    let index = line.index(start, offsetBy: position.column - column, limitedBy: line.endIndex) ?? line.endIndex
    cursor = (position, index)
    return line[index...]
  }

  /// Throws if a comment follows `|` or `>` without a space between them, since some YAML parsers reject this.
  private mutating func refuseCommentAtIndicator(at position: SpecDocument.Position) throws(Diagnostic) {
    let header = text(at: position).prefix { $0 != " " }
    guard header.contains("#") else { return }
    throw diagnostic(
      at: position, expected: "a space before a comment", found: "'\(String(header))'",
      hint: "write a space before the #")
  }

  /// Throws if the text contains white space that some YAML parsers reject or read as the end of a line.
  private func refuseDoubtfulSpace(in text: String) throws(Diagnostic) {
    // Almost no file contains one of these first bytes, and this test is fast.
    guard text.utf8.contains(where: { $0 == 0x09 || $0 == 0x0D || $0 == 0xC2 || $0 == 0xE2 }) else { return }
    for (index, line) in lines.enumerated() {
      for (column, scalar) in line.enumerated() {
        guard let doubt = Self.doubt(of: scalar), scalar != "\r" || column + 1 < line.count else { continue }
        throw diagnostic(
          at: .init(line: index + 1, column: column + 1),
          expected: "spaces and line ends that every reader of YAML knows",
          found: doubt.found, hint: doubt.hint)
      }
    }
  }

  private static func doubt(of scalar: Unicode.Scalar) -> (found: String, hint: String)? {
    switch scalar {
    case "\t": ("a tab", #"write spaces, or \t in double quotes"#)
    case "\r": ("a carriage return inside a line", #"end lines with LF or CR LF, or write \r in double quotes"#)
    case "\u{85}": ("U+0085", #"write a line end, or \N in double quotes"#)
    case "\u{2028}": ("U+2028", #"write a line end, or \L in double quotes"#)
    case "\u{2029}": ("U+2029", #"write a line end, or \P in double quotes"#)
    default: nil
    }
  }

  private func refusal(at position: SpecDocument.Position, found: String) -> Diagnostic {
    diagnostic(at: position, expected: "plain data without anchors, aliases and tags", found: found)
  }

  private func diagnostic(
    at position: SpecDocument.Position, expected: String, found: String, hint: String? = nil
  ) -> Diagnostic {
    Diagnostic(
      rule: "syntax", file: file, line: position.line, column: position.column, expected: expected, found: found,
      hint: hint)
  }
}

extension SpecDocument.Position: Comparable {
  package static func < (left: Self, right: Self) -> Bool { (left.line, left.column) < (right.line, right.column) }
}

extension Node {
  /// Whether the file contains no tag at this node. The tag that the YAML library itself adds to quoted scalars does
  /// not count.
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
  fileprivate func diagnostic(of text: String, _ file: String) -> Diagnostic {
    func at(_ line: Int, _ column: Int, expected: String = "YAML", found: String) -> Diagnostic {
      Diagnostic(rule: "syntax", file: file, line: line, column: column, expected: expected, found: found)
    }
    switch self {
    case .scanner(let context, let problem, let mark, _), .parser(let context, let problem, let mark, _),
      .composer(let context, let problem, let mark, _):
      // The depth is far above the limit of this reader, but the parser stops before the reader can check its limit.
      if problem.hasPrefix("Maximum nesting level reached") {
        return at(mark.line, mark.column, expected: "nesting of at most \(JSON.maximumDepth) levels", found: "more")
      }
      let words = [context?.text, problem].compactMap { $0 }.joined(separator: ", ")
      return at(mark.line, mark.column, found: words.isEmpty ? "something else" : words)
    case .duplicatedKeysInMapping(let duplicates, let context):
      let keys = duplicates.map { "'\($0)'" }.joined(separator: ", ")
      return at(context.mark.line, context.mark.column, expected: "each key once", found: "\(keys) several times")
    case .reader(let problem, let offset, _, _):
      // The offset counts characters, and CR LF is one character.
      let before = text.prefix(offset ?? 0).utf8.count
      let position = JSONPlaceReader.position(of: before, in: Array(text.utf8))
      return at(position.line, position.column, found: problem)
    default: return at(1, 1, found: "\(self)")
    }
  }
}
