import ConformanceModel
import JSONKit

/// Keeps what a model does not name: the members of an object without those that its typed fields hold.
///
/// A known member that is `null` counts as one the fields do not hold, so that reading and writing loses nothing.
enum OpenMembers {
  /// The members of the object that the model's own form does not have.
  static func rest(of field: JSONField, beside typed: JSON) throws(JSONField.Problem) -> JSON.Object {
    guard let object = field.value.object else { throw field.problem(expected: "an object") }
    let held = Set(typed.object?.keys ?? [])
    return JSON.Object(object.members.filter { !held.contains($0.key) })
  }

  /// The typed members that have a value, then the rest.
  static func join(_ typed: [(String, JSON?)], _ rest: JSON.Object) -> JSON {
    let held = typed.compactMap { key, value in value.map { JSON.Object.Member(key: key, value: $0) } }
    let keys = Set(held.map(\.key))
    return .object(JSON.Object(held + rest.members.filter { !keys.contains($0.key) }))
  }
}

extension JSONField {
  /// The text of a member, nil when it is absent or null.
  func text(_ key: String) throws(Problem) -> String? { try optional(key)?.string() }

  /// The members of a member that is an object, nil when it is absent or null.
  func object(_ key: String) throws(Problem) -> JSON.Object? {
    guard let field = optional(key) else { return nil }
    guard let object = field.value.object else { throw field.problem(expected: "an object") }
    return object
  }
}
