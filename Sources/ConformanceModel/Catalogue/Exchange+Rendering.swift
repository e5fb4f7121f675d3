import HTTPValues
import JSONKit
import Templates

extension Exchange {
  /// The bindings of a named set, added to the bindings of the set `default`; nil if no set has this name.
  package func bindings(_ name: String?) -> Bindings? {
    let defaults = bindings["default"] ?? [:]
    guard let name, name != "default" else { return defaults }
    return bindings[name].map { defaults.merging($0) }
  }
}

extension Exchange.Request {
  /// The request with its holes filled. A value in the path is percent-encoded, so that it stays inside one segment.
  /// Query parameters and optional header fields are left out if one of their holes has no value.
  package func render(_ bindings: Bindings, models: Template.Models) throws(Template.RenderError) -> HTTPRequest {
    var headers = HTTPHeaders()
    for (name, template) in self.headers.sorted(by: { $0.key < $1.key }) {
      let isOptional = name.hasSuffix("?")
      do {
        headers.append(isOptional ? String(name.dropLast()) : name, try template.renderText(bindings))
      } catch .unbound where isOptional {
        continue
      }
    }
    var items: [String] = []
    for (name, template) in query.sorted(by: { $0.key < $1.key }) {
      do {
        items.append(PercentEncoding.encode(name) + "=" + PercentEncoding.encode(try template.renderText(bindings)))
      } catch .unbound {
        continue
      }
    }
    let target = try path.renderText(pathBindings(bindings)) + (items.isEmpty ? "" : "?" + items.joined(separator: "&"))
    let body = try self.body?.render(bindings, models: models)
    return HTTPRequest(
      method: method, target: target, headers: headers, body: body?.compactBytes ?? [])
  }

  /// The bindings for a path that a case sets in place of this path. The value of each hole that this path also has is
  /// percent-encoded as one segment (RFC 3986 §3.3). All other parts stay as they are.
  package func pathBindings(_ bindings: Bindings) -> Bindings { bindings.percentEncoding(path.holeNames) }

  /// The names of all holes of the request, each of them once.
  package var holeNames: [String] {
    let templates = [path] + query.values + headers.values + [body].compactMap(\.self)
    return Set(templates.flatMap(\.holeNames)).sorted()
  }
}

extension Exchange.Response {
  /// The response with its holes filled, and then changed. `edits` change members of a JSON body, and `headers` and
  /// `status` change the rest of the response. If `reversibly` is true, throws if the values could not be read back
  /// from a filled text.
  package func render(
    _ bindings: Bindings, edits: [Step.Edit] = [], headers changes: [String: Template?] = [:], status: Int? = nil,
    models: Template.Models, reversibly: Bool = true
  ) throws(Template.RenderError) -> HTTPResponse {
    var response = HTTPResponse(status: status ?? self.status, headers: try renderedHeaders(bindings, reversibly))
    switch body {
    case .none: break
    case .bytes(let octets): response.body = octets.bytes
    case .json(let template):
      let value = try template.render(bindings, models: models, reversibly: reversibly)
        .applying(edits, bindings, reversibly: reversibly)
      response.body = value.compactBytes
      if response.headers["Content-Type"] == nil {
        response.headers.append("Content-Type", "application/json; charset=utf-8")
      }
    }
    for (name, template) in changes.sorted(by: { $0.key < $1.key }) {
      response.headers[name] = try template?.renderText(bindings, reversibly: reversibly)
    }
    return response
  }

  private func renderedHeaders(
    _ bindings: Bindings, _ reversibly: Bool
  ) throws(Template.RenderError) -> HTTPHeaders {
    var result = HTTPHeaders()
    for field in headers {
      do {
        result.append(field.name, try field.value.renderText(bindings, reversibly: reversibly))
      } catch .unbound where field.isOptional {
        continue
      }
    }
    return result
  }
}

extension JSON {
  /// The value after these edits, one after the other.
  package func applying(
    _ edits: [Step.Edit], _ bindings: Bindings, reversibly: Bool = true
  ) throws(Template.RenderError) -> JSON {
    var value = self
    for edit in edits {
      var replacement: JSON?
      if let template = edit.value { replacement = try template.render(bindings, reversibly: reversibly) }
      value = value.setting(replacement, at: edit.path)
    }
    return value
  }
}
