import JSONKit

extension JSON {
  /// The value with the member at a path under another name, where there is one; it goes to the end.
  package func renaming(_ path: JSONPath, to name: String) -> JSON {
    guard let old = self[path], case .key? = path.steps.last else { return self }
    let parent = JSONPath(Array(path.steps.dropLast()))
    return setting(nil, at: path).setting(old, at: parent.appending(key: name))
  }

  /// A value of another type that looks as much like this one as it can.
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
