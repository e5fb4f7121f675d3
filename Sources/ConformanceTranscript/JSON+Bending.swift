import JSONKit

extension JSON {
  /// Renames the member at a path and moves it to the end of its object. The value is unchanged if nothing is at the
  /// path.
  package func renaming(_ path: JSONPath, to name: String) -> JSON {
    guard let old = self[path], case .key? = path.steps.last else { return self }
    let parent = JSONPath(Array(path.steps.dropLast()))
    return setting(nil, at: path).setting(old, at: parent.appending(key: name))
  }

  /// A value of another type that resembles this one, such as `"1"` for `1`.
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
