extension RequestRecord: JSONRepresentable {
  public var representation: JSON {
    .object(compact: [
      ("connection", .int(connection)), ("line", .string(line)), ("headers", .list(headers.fields)),
      ("body", body.representation), ("exchange", exchange.map(JSON.string)), ("nearMiss", nearMiss.map(JSON.string)),
    ])
  }

  public init(_ field: JSONField) throws(JSONField.Problem) {
    connection = try field.required("connection").int()
    line = try field.required("line").string()
    headers = HTTPHeaders(try field.required("headers").list())
    body = try field.decode("body")
    exchange = try field.optional("exchange")?.string()
    nearMiss = try field.optional("nearMiss")?.string()
  }
}

extension ResponseRecord: JSONRepresentable {
  public var representation: JSON {
    [
      "connection": .int(connection), "line": .string(line), "headers": .list(headers.fields),
      "body": body.representation,
    ]
  }

  public init(_ field: JSONField) throws(JSONField.Problem) {
    connection = try field.required("connection").int()
    line = try field.required("line").string()
    headers = HTTPHeaders(try field.required("headers").list())
    body = try field.decode("body")
  }
}

/// A header line; the list of them keeps order, case and repetitions.
extension HTTPHeaders.Field: JSONRepresentable {
  public var representation: JSON { ["name": .string(name), "value": .string(value)] }

  public init(_ field: JSONField) throws(JSONField.Problem) {
    name = try field.required("name").string()
    value = try field.required("value").string()
  }
}

extension WireFailure: JSONRepresentable {
  public var representation: JSON {
    ["kind": .string(kind.rawValue), "text": .string(text), "received": received.representation]
  }

  public init(_ field: JSONField) throws(JSONField.Problem) {
    kind = try field.required("kind").word(Kind.self)
    text = try field.required("text").string()
    received = try field.decode("received")
  }
}
