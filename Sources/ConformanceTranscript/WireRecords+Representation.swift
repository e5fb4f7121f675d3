import HTTPValues
import JSONKit

extension RequestRecord: JSONObjectEncodable, JSONRepresentable {
  package func encodeMembers(into members: inout some JSONMembers) {
    members.add("connection", connection)
    members.add("line", line)
    members.add("headers", headers.fields)
    members.add("body", body)
    members.add("exchange", exchange)
    members.add("nearMiss", nearMiss)
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

extension ResponseRecord: JSONObjectEncodable, JSONRepresentable {
  package func encodeMembers(into members: inout some JSONMembers) {
    members.add("connection", connection)
    members.add("line", line)
    members.add("headers", headers.fields)
    members.add("body", body)
    if !values.members.isEmpty { members.add("values", values) }
    if !absent.isEmpty {
      let paths = absent.sorted { $0.key < $1.key }
      members.add("absent", JSON.Object(paths.map { .init(key: $0.key, value: .string($0.value)) }))
    }
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

/// A header line. In a list of header lines, the order of the lines, the case of letters and repeated lines are
/// preserved.
extension HTTPHeaders.Field: JSONObjectEncodable, JSONRepresentable {
  package func encodeMembers(into members: inout some JSONMembers) {
    members.add("name", name)
    members.add("value", value)
  }

  package init(_ field: JSONField) throws(JSONField.Problem) {
    self.init(name: try field.required("name").string(), value: try field.required("value").string())
  }
}

extension WireFailure: JSONObjectEncodable, JSONRepresentable {
  package func encodeMembers(into members: inout some JSONMembers) {
    members.add("kind", kind.rawValue)
    members.add("text", text)
    members.add("received", received)
  }

  package init(_ field: JSONField) throws(JSONField.Problem) {
    kind = try field.required("kind").word(Kind.self)
    text = try field.required("text").string()
    received = try field.decode("received")
  }
}
