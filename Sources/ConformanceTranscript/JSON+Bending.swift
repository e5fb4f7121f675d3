import JSONKit

extension JSON {
  /// A copy of the value in which the member at a path is renamed and moved to the end of its object. If nothing is at
  /// the path, returns the value itself.
  package func renaming(_ path: JSONPath, to name: String) -> JSON {
    guard let old = self[path], case .key? = path.steps.last else { return self }
    let parent = JSONPath(Array(path.steps.dropLast()))
    return setting(nil, at: path).setting(old, at: parent.appending(key: name))
  }

  /// A value of a different type that resembles this value, such as `"1"` for `1`.
  package var ofAnotherType: JSON {
    switch self {
    case .null: false
    case .bool(let value): .string("\(value)")
    case .number(let number): .string(number.lexeme)
    case .string(let text): Number(lexeme: text).map(JSON.number) ?? 1
    case .array: [:]
    case .object: []
    }
  }
}
