import JSONKit

/// A JSON object in a request or answer that the specification defines as a model. Members that the model does not name
/// are kept.
package protocol OpenModel: JSONRepresentable, Hashable, Sendable {
  var members: JSON.Object { get set }

  init(_ members: JSON.Object)

  /// Throws unless the members that the model names have the correct types. An optional member may be null.
  static func check(_ field: JSONField) throws(JSONField.Problem)
}

extension OpenModel {
  package var representation: JSON { .object(members) }

  package init(_ field: JSONField) throws(JSONField.Problem) {
    guard let members = field.value.object else { throw field.problem(expected: "an object") }
    try Self.check(field)
    self.init(members)
  }

  /// The text of a member; nil if the member is missing or is not a text.
  package subscript(text name: String) -> String? {
    get { members[name]?.string }
    set { members[name] = newValue.map(JSON.string) }
  }

  /// The object in a member; nil if the member is missing or is not an object.
  subscript(object name: String) -> JSON.Object? {
    get { members[name]?.object }
    set { members[name] = newValue.map(JSON.object) }
  }
}

extension JSON.Object {
  /// Returns the members that have one of these names and are not null.
  package func only(_ names: [String]) -> JSON.Object {
    JSON.Object(members.filter { names.contains($0.key) && !$0.value.isNull })
  }
}

extension JSONField {
  /// The text of a member; nil if the member is absent or null.
  package func text(_ key: String) throws(Problem) -> String? { try optional(key)?.string() }

  /// The object in a member, as its members; nil if the member is absent or null.
  package func object(_ key: String) throws(Problem) -> JSON.Object? {
    guard let field = optional(key) else { return nil }
    guard let object = field.value.object else { throw field.problem(expected: "an object") }
    return object
  }

  /// Throws unless a member is a text that is not empty.
  func needText(_ key: String) throws(Problem) {
    let member = try required(key)
    if try member.string().isEmpty { throw member.problem(expected: "a text that is not empty") }
  }
}
