import HTTPValues
import JSONKit

extension HTTPRequest {
  /// The request in the form that claims use: `method`, `target`, `path` (without needless escapes), `query` (decoded),
  /// `headers` (names in lower case, repeated fields joined by `, `), `body` (absent if it is not JSON) and `text` (the
  /// body as text). `body` is without a byte order mark of UTF-8. Of several members with the same name, `body`
  /// contains only the last one. Separate requirements forbid such marks and such members.
  package var view: JSON { view(body: body.isEmpty ? nil : Octets(body).toleratedJSON) }

  /// Like ``view``, for a request whose body is already parsed. With `asked`, the result contains only the members with
  /// these names.
  package func view(body: JSON?, only asked: Set<String>? = nil) -> JSON {
    var view = JSON.Object()
    func add(_ name: String, _ value: @autoclosure () -> (some JSONEncodable)?) {
      if asked?.contains(name) ?? true { view.add(name, value()) }
    }
    add("method", method)
    add("target", target)
    add("path", PercentEncoding.normalize(path))
    add("query", JSON.Object(queryItems.map { .init(key: $0.name, value: .string($0.value)) }))
    add("headers", headers.view)
    add("body", body)
    add("text", Octets(self.body).text)
    return .object(view)
  }
}

extension RequestRecord {
  /// The request as claims see it.
  package var view: JSON { request.view }
}

extension ResponseRecord {
  /// The response as claims see it: `status`, `headers`, `body` (absent if it is not JSON), `text`, and the values that
  /// a binding file finds in it.
  package var view: JSON {
    var view = JSON.Object()
    view.add("status", status)
    view.add("headers", headers.view)
    view.add("body", body.bytes.isEmpty ? nil : body.json)
    view.add("text", body.text)
    view.members += values.members
    return .object(view)
  }
}

extension HTTPHeaders {
  /// The fields as an object: names in lower case, repeated fields joined by `, ` (RFC 9110 §5.3).
  package var view: JSON {
    var result = JSON.Object()
    for field in fields {
      let name = field.name.lowercased()
      let earlier = result[name]?.string.map { $0 + ", " } ?? ""
      result[name] = .string(earlier + field.value)
    }
    return .object(result)
  }
}
