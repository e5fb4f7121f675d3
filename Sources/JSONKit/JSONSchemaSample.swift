/// Makes a value of the form that a JSON Schema describes: the same each time, and as plain as the schema allows.
///
/// The sample has every member that the schema names, and uses the first of several values, types or alternatives. It
/// ignores `not` and conditions, and for a pattern it tries only a few common texts. If this sample is not valid, no
/// other sample is made.
package struct JSONSchemaSample {
  /// Texts that match the most common patterns of schemas.
  private static let texts: [String] = [
    "constant", "5f0c1c9e-7d3a-4b7e-9a51-2c6f8e0d4b19", "2026-01-01T00:00:00.000Z", "https://go.example.com/constant",
    "1", "abc123",
  ]

  private let definitions: JSON?

  /// A valid value of the schema; nil if none was found.
  package static func value(of schema: JSON) -> JSON? {
    guard let compiled = try? JSONSchema(schema) else { return nil }
    let value = Self(definitions: schema["$defs"]).value(of: schema)
    return compiled.validate(value).isEmpty ? value : nil
  }

  private func value(of schema: JSON) -> JSON {
    if let constant = schema["const"] { return constant }
    if let values = schema["enum"]?.array { return values.first ?? .null }
    if let reference = schema["$ref"]?.string, let name = reference.split(separator: "/").last {
      return definitions?[String(name)].map(value) ?? .null
    }
    if let forms = (schema["oneOf"] ?? schema["anyOf"])?.array {
      return forms.first.map(value) ?? .null
    }
    return value(ofType: type(of: schema), schema)
  }

  private func type(of schema: JSON) -> String? {
    (schema["type"]?.array?.first ?? schema["type"])?.string
  }

  private func value(ofType type: String?, _ schema: JSON) -> JSON {
    switch type {
    case "object": object(schema)
    case "array":
      .array(Array(repeating: value(of: schema["items"] ?? true), count: max(1, schema["minItems"]?.int ?? 1)))
    case "string": text(schema)
    case "integer", "number": schema["minimum"] ?? .int(1)
    case "boolean": true
    default: .null
    }
  }

  private func object(_ schema: JSON) -> JSON {
    let named = schema["properties"]?.object?.members ?? []
    let others = (schema["required"]?.array ?? []).compactMap(\.string).filter { name in
      !named.contains { $0.key == name }
    }
    var object = JSON.Object()
    for member in named { object[member.key] = value(of: member.value) }
    for name in others { object[name] = .null }
    return .object(object)
  }

  private func text(_ schema: JSON) -> JSON {
    let texts = Self.texts.map(JSON.string)
    guard let compiled = try? JSONSchema(schema) else { return texts[0] }
    return texts.first { compiled.validate($0).isEmpty } ?? texts[0]
  }
}
