import JSONKit
import Templates

/// Fills environment variables into the texts of a file: `${env:NAME}` becomes the value of NAME.
struct EnvironmentText {
  let variables: [String: String]
  /// Maps the name of each variable that was filled in to its value, and to the path at which it was first used.
  private(set) var used: [String: (value: String, path: JSONPath)] = [:]
  private(set) var problems: [JSONField.Problem] = []

  init(_ variables: [String: String]) { self.variables = variables }

  static let mark = "env:"

  mutating func add(problems others: [JSONField.Problem]) { problems += others }

  /// The value with environment variables filled into all its texts. If `escapes` is true, a `${` in a variable is
  /// escaped, so that a template does not treat it as a hole.
  mutating func fill(_ field: JSONField, escapes: Bool) -> JSON {
    switch field.value {
    case .null, .bool, .number: return field.value
    case .string(let text): return .string(fill(text, at: field, escapes: escapes))
    case .array(let elements):
      return .array(
        elements.enumerated().map { index, element in
          fill(JSONField(element, path: field.path.appending(index: index)), escapes: escapes)
        })
    case .object(let object):
      return .object(
        JSON.Object(
          object.members.map { member in
            let inner = JSONField(member.value, path: field.path.appending(key: member.key))
            return .init(key: member.key, value: fill(inner, escapes: escapes))
          }))
    }
  }

  private mutating func fill(_ text: String, at field: JSONField, escapes: Bool) -> String {
    var result = ""
    for piece in HoleText(text).pieces {
      switch piece {
      case .literal(let literal): result += literal
      case .hole(let written, let inside):
        guard inside.hasPrefix(Self.mark) else {
          result += written
          continue
        }
        let value = value(of: String(inside.dropFirst(Self.mark.count)), at: field)
        result += escapes ? value.replacing("${", with: "$${") : value
      }
    }
    return result
  }

  private mutating func value(of name: String, at field: JSONField) -> String {
    guard let value = variables[name], !value.isEmpty else {
      // A variable that exists but is empty is not a misspelling.
      let hint = variables[name] == nil ? Nearest.suggestion(for: name, in: Array(variables.keys)) : nil
      problems.append(
        .init(
          path: field.path, expected: "the environment variable \(name) to be set",
          found: variables[name] == nil ? "no variable of this name" : "an empty one",
          hint: hint ?? "export \(name)=… before the run"))
      return ""
    }
    if used[name] == nil { used[name] = (value, field.path) }
    return value
  }
}
