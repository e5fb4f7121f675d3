/// A place in a JSON value, spelled as in findings: `$.body.shortCode`, `$.items[2]`, `$['a b']`.
///
/// A path contains only names and indices, and so selects at most one value (RFC 9535, normalized paths).
package struct JSONPath: Hashable, Sendable, CustomStringConvertible {
  /// A step from a value to a member or an element.
  package enum Step: Hashable, Sendable {
    case key(String)
    case index(Int)
  }

  package var steps: [Step]

  package init(_ steps: [Step] = []) { self.steps = steps }

  /// The whole value.
  package static let root = JSONPath()

  /// The path of a member of the value at this path.
  package func appending(key: String) -> JSONPath { JSONPath(steps + [.key(key)]) }
  /// The path of an element of the value at this path.
  package func appending(index: Int) -> JSONPath { JSONPath(steps + [.index(index)]) }

  package var description: String {
    steps.reduce(into: "$") { text, step in
      switch step {
      case .index(let index): text += "[\(index)]"
      case .key(let key) where key.isPlainName: text += ".\(key)"
      case .key(let key): text += "['\(key.replacing("\\", with: "\\\\").replacing("'", with: "\\'"))']"
      }
    }
  }

  /// Parses a path as ``description`` writes it. The leading `$` can be left out before a name. nil if the text is not
  /// a path.
  package init?(_ text: String) {
    var rest = text[...]
    var steps: [Step] = []
    if rest.first == "$" { rest.removeFirst() } else if !rest.isEmpty { rest = "." + rest }
    while let mark = rest.popFirst() {
      if mark == "." {
        let name = rest.prefix { $0 != "." && $0 != "[" }
        guard !name.isEmpty else { return nil }
        steps.append(.key(String(name)))
        rest = rest.dropFirst(name.count)
      } else if mark == "[", rest.first == "'" {
        guard let key = JSONPath.takeQuotedKey(from: &rest) else { return nil }
        steps.append(.key(key))
      } else if mark == "[", let end = rest.firstIndex(of: "]"), let index = Int(rest[..<end]), index >= 0 {
        steps.append(.index(index))
        rest = rest[rest.index(after: end)...]
      } else {
        return nil
      }
    }
    self.steps = steps
  }

  private static func takeQuotedKey(from rest: inout Substring) -> String? {
    rest.removeFirst()
    var key = ""
    while let character = rest.popFirst() {
      if character == "\\" {
        guard let escaped = rest.popFirst() else { return nil }
        key.append(escaped)
      } else if character == "'" {
        return rest.popFirst() == "]" ? key : nil
      } else {
        key.append(character)
      }
    }
    return nil
  }
}

extension String {
  /// Whether the name can follow a dot in a path: it contains no character that the path grammar uses.
  fileprivate var isPlainName: Bool {
    // Nearly all names are words, which a test of bytes recognises.
    !isEmpty && (utf8.allSatisfy(\.isOfWord) || !contains { ".[]'\\ ".contains($0) || $0.isNewline })
  }
}

extension UInt8 {
  /// Whether the character is an ASCII letter or digit, or `_`, `-` or `$`.
  fileprivate var isOfWord: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "$"): true
    default: false
    }
  }
}

extension JSON {
  /// The value at the path; nil if the path leads to nothing.
  package subscript(path: JSONPath) -> JSON? {
    path.steps.reduce(Optional(self)) { value, step in
      switch (step, value) {
      case (.key(let key), .object(let object)?): object[key]
      case (.index(let index), .array(let elements)?): elements.indices.contains(index) ? elements[index] : nil
      default: nil
      }
    }
  }

  /// A copy in which the value at the path is replaced, or removed if `value` is nil. If nothing is at the path, the
  /// value is added as a new member, or as an element directly after the last one. Missing objects on the path are
  /// created. If the path leads through any other value, the copy is unchanged.
  package func setting(_ value: JSON?, at path: JSONPath) -> JSON {
    guard let step = path.steps.first else { return value ?? .null }
    let rest = JSONPath(Array(path.steps.dropFirst()))
    switch (step, self) {
    case (.key(let key), .object(var object)):
      if rest.steps.isEmpty {
        object[key] = value
      } else if object[key] != nil || value != nil {
        object[key] = (object[key] ?? .object(JSON.Object())).setting(value, at: rest)
      }
      return .object(object)
    case (.index(let index), .array(var elements)):
      if elements.indices.contains(index) {
        if rest.steps.isEmpty, value == nil {
          elements.remove(at: index)
        } else {
          elements[index] = elements[index].setting(value, at: rest)
        }
      } else if index == elements.count, let value, rest.steps.isEmpty {
        elements.append(value)
      }
      return .array(elements)
    default: return self
    }
  }
}
