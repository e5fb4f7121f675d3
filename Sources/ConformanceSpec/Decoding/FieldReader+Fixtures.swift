import ConformanceModel
import HTTPValues
import JSONKit
import Templates

extension FieldReader {
  mutating func exchange(_ root: JSONField) -> Exchange {
    var sets: [String: Bindings] = [:]
    for (name, field) in members(root.member("bindings")) { sets[name] = bindings(field) }
    var responses: [String: [Dialect: Exchange.Response]] = [:]
    for (name, field) in members(root.member("responses")) {
      for (dialect, response) in members(field) {
        responses[name, default: [:]][Dialect(dialect)] = self.response(response)
      }
    }
    return Exchange(
      name: text(root.member("exchange")), text: text(root.member("text")),
      service: ServiceName(text(root.member("at"))),
      requests: requests(root.member("request")),
      boundHoles: bool(root.member("bound"), otherwise: false) ? texts(root.member("holes")) : nil,
      capability: root.member("capability").map { text($0) }, bindings: sets, responses: responses)
  }

  private mutating func bindings(_ field: JSONField) -> Bindings {
    Bindings(Dictionary(members(field).map { ($0.key, $0.field.value) }) { _, last in last })
  }

  /// Maps each dialect to its request. If the file contains only one request, it is for all dialects.
  private mutating func requests(_ field: JSONField?) -> [Dialect: Exchange.Request] {
    guard let field else { return [:] }
    if field.member("method") != nil { return [.any: request(field)] }
    var requests: [Dialect: Exchange.Request] = [:]
    for (dialect, field) in members(field) { requests[Dialect(dialect)] = request(field) }
    return requests
  }

  mutating func request(_ field: JSONField?) -> Exchange.Request {
    Exchange.Request(
      method: text(field?.member("method")), path: template(field?.member("path")),
      query: templates(field?.member("query")), headers: templates(field?.member("headers")),
      body: optionalTemplate(field?.member("body")))
  }

  private mutating func templates(_ field: JSONField?) -> [String: Template] {
    var result: [String: Template] = [:]
    for (key, field) in members(field) { result[key] = template(field) }
    return result
  }

  private mutating func response(_ field: JSONField) -> Exchange.Response {
    var headers: [Exchange.Response.Field] = []
    for (name, value) in members(field.member("headers")) {
      let isOptional = name.hasSuffix("?")
      let values = value.value.string == nil ? elements(value) : [value]
      headers += values.map {
        .init(name: isOptional ? String(name.dropLast()) : name, isOptional: isOptional, value: template($0))
      }
    }
    var body = Exchange.Response.Body.none
    if let template = optionalTemplate(field.member("body")) {
      body = .json(template)
    } else if field.member("text") != nil || field.member("base64") != nil {
      body = octets(field).map { .bytes($0) } ?? .none
    }
    return Exchange.Response(status: int(field.member("status")) ?? 0, headers: headers, body: body)
  }

  /// Bytes from the members `text` or `base64`.
  mutating func octets(_ field: JSONField) -> Octets? {
    take { () throws(JSONField.Problem) in try Octets(field) }
  }

  mutating func model(_ root: JSONField) -> GoldenModel {
    GoldenModel(
      name: text(root.member("model")), text: text(root.member("text")), template: template(root.member("template")),
      examples: Dictionary(members(root.member("examples")).map { ($0.key, $0.field.value) }) { _, last in last })
  }
}

/// A named template, with examples of values that match it.
package struct GoldenModel: Hashable, Sendable {
  package var name: String
  package var text: String
  package var template: Template
  package var examples: [String: JSON]

  package init(name: String, text: String, template: Template, examples: [String: JSON] = [:]) {
    self.name = name
    self.text = text
    self.template = template
    self.examples = examples
  }
}
