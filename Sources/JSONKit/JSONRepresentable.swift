/// A value in a format of the kit. It can be encoded as JSON and decoded from JSON. Errors contain the path.
package protocol JSONRepresentable: JSONEncodable {
  /// Reads the value from a field of a document.
  init(_ field: JSONField) throws(JSONField.Problem)
}

extension JSONRepresentable {
  /// Reads one value from JSON text, such as a line of a JSON Lines file.
  package init(line: some StringProtocol) throws {
    try self.init(JSONField(JSON(parsing: Array(line.utf8))))
  }
}

extension JSONField {
  /// The member, decoded as a value of this type; nil if the member is absent or null.
  package func decodeIfPresent<Value: JSONRepresentable>(
    _ key: String, as type: Value.Type = Value.self
  ) throws(Problem) -> Value? {
    guard let field = optional(key) else { return nil }
    return try Value(field)
  }

  /// The member, decoded as a value of this type. Throws if the member is absent.
  package func decode<Value: JSONRepresentable>(
    _ key: String, as type: Value.Type = Value.self
  ) throws(Problem) -> Value {
    try Value(try required(key))
  }
}
