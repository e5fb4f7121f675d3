import JSONKit

extension RequestRecord: JSONRepresentable {
  package var representation: JSON {
    .object(compact: [
      ("connection", .int(connection)), ("line", .string(line)), ("headers", .list(headers.fields)),
      ("body", body.representation), ("exchange", exchange.map(JSON.string)), ("nearMiss", nearMiss.map(JSON.string)),
    ])
  }

  package init(_ field: JSONField) throws(JSONField.Problem) {
    connection = try field.required("connection").int()
    line = try field.required("line").string()
    headers = HTTPHeaders(try field.required("headers").list())
    body = try field.decode("body")
    exchange = try field.optional("exchange")?.string()
    nearMiss = try field.optional("nearMiss")?.string()
  }
}

extension ResponseRecord: JSONRepresentable {
  package var representation: JSON {
    .object(compact: [
      ("connection", .int(connection)), ("line", .string(line)), ("headers", .list(headers.fields)),
      ("body", body.representation), ("values", values.members.isEmpty ? nil : .object(values)),
      (
        "absent",
        absent.isEmpty
          ? nil
          : .object(
            JSON.Object(
              absent.sorted { $0.key < $1.key }.map {
                .init(key: $0.key, value: .string($0.value))
              }))
      ),
    ])
  }

  package init(_ field: JSONField) throws(JSONField.Problem) {
    connection = try field.required("connection").int()
    line = try field.required("line").string()
    headers = HTTPHeaders(try field.required("headers").list())
    body = try field.decode("body")
    values = field.optional("values")?.value.object ?? [:]
    absent = [:]
    for (name, path) in try field.optional("absent")?.members() ?? [] { absent[name] = try path.string() }
  }
}

/// A header line; the list of them keeps order, case and repetitions.
extension HTTPHeaders.Field: JSONRepresentable {
  package var representation: JSON { ["name": .string(name), "value": .string(value)] }

  package init(_ field: JSONField) throws(JSONField.Problem) {
    name = try field.required("name").string()
    value = try field.required("value").string()
  }
}

extension WireFailure: JSONRepresentable {
  package var representation: JSON {
    ["kind": .string(kind.rawValue), "text": .string(text), "received": received.representation]
  }

  package init(_ field: JSONField) throws(JSONField.Problem) {
    kind = try field.required("kind").word(Kind.self)
    text = try field.required("text").string()
    received = try field.decode("received")
  }
}
