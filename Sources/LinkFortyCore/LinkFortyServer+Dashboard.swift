import HTTPValues
import JSONKit

/// The routes for operators in the API of the shipped server. Only Core has them; they need no key.
///
/// Source: Core 1.21. Core's handlers throw an error for a missing entry, so the answer is a 500.
extension LinkFortyServer {
  /// `GET /api/links`: every link, sorted by its code.
  func listLinks() -> HTTPResponse {
    .json(200, .array(links.values.sorted { $0.shortCode < $1.shortCode }.map { .object(row(of: $0)) }))
  }

  /// `GET`, `PUT` and `DELETE` of `/api/links/:id`.
  mutating func link(_ id: String, _ request: HTTPRequest) throws(Refusal) -> HTTPResponse {
    guard var link = links.values.first(where: { $0.data.linkId == id.lowercased() }) else {
      throw .thrown("Link not found")
    }
    switch request.method {
    case "PUT":
      let body = try checkedBody(request, dashboardRules.map(\.optional))
      link.take(body)
      link.isActive = body["isActive"]?.bool ?? link.isActive
      links[link.shortCode] = link
    case "DELETE":
      links[link.shortCode] = nil
      return .json(200, ["success": true])
    default: break
    }
    return .json(200, .object(row(of: link)))
  }

  /// `GET /api/templates`, and `POST` to create a template. A missing slug is generated.
  mutating func templates(_ request: HTTPRequest) throws(Refusal) -> HTTPResponse {
    guard request.method == "POST" else {
      return .json(200, .array(templates.values.sorted { $0.slug < $1.slug }.map(\.row)))
    }
    let body = try checkedBody(request, Self.templateRules)
    var template = LinkTemplate(id: makeID(), slug: body["slug"]?.string ?? random.shortCode().lowercased())
    template.name = body["name"]?.string ?? ""
    templates[template.id] = template
    return .json(200, template.row)
  }

  /// `GET`, `PUT` and `DELETE` of `/api/templates/:id`.
  mutating func template(_ id: String, _ request: HTTPRequest) throws(Refusal) -> HTTPResponse {
    guard var template = templates[id.lowercased()] else { throw .thrown("Template not found") }
    switch request.method {
    case "PUT":
      let body = try checkedBody(request, Self.templateRules.map(\.optional))
      template.name = body["name"]?.string ?? template.name
      templates[template.id] = template
    case "DELETE":
      templates[template.id] = nil
      return .json(200, ["success": true])
    default: break
    }
    return .json(200, template.row)
  }

  /// `GET /health` and `/health/ready`: the state of the server, for operators. SDKs use a different route for this.
  func operation(isReadiness: Bool) -> HTTPResponse {
    isReadiness
      ? .json(200, ["status": "ready", "checks": ["database": "ok", "redis": "ok"]])
      : .json(200, ["status": "ok", "uptime": 1])
  }

  private static var templateRules: [FieldRule] {
    [FieldRule("name", .text, isRequired: true, column: .text(255)), FieldRule("slug", .text, column: .text(8))]
  }
}

extension FieldRule {
  /// The same rule for an optional member.
  fileprivate var optional: FieldRule {
    var rule = self
    rule.isRequired = false
    return rule
  }
}

extension LinkTemplate {
  /// The template as JSON, in the form in which Core returns the row of its database.
  fileprivate var row: JSON {
    ["id": .string(id), "name": .string(name), "slug": .string(slug), "settings": [:]]
  }
}
