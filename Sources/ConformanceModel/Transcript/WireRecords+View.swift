import JSONKit

extension HTTPRequest {
  /// The request as claims see it: `method`, `target`, `path` (without needless escapes), `query` (decoded), `headers`
  /// (names in lower case, repeated fields joined by `, `), `body` (JSON, absent when the body is not JSON) and `text` (the
  /// body as text).
  package var view: JSON { view(body: body.isEmpty ? nil : Octets(body).json) }

  /// The same of a request whose body has been read; with `asked`, these members alone.
  func view(body: JSON?, only asked: Set<String>? = nil) -> JSON {
    func member(_ name: String, _ value: @autoclosure () -> JSON?) -> (String, JSON?) {
      (name, asked?.contains(name) ?? true ? value() : nil)
    }
    return .object(compact: [
      member("method", .string(method)), member("target", .string(target)),
      member("path", .string(PercentEncoding.normalize(path))),
      member("query", .object(JSON.Object(queryItems.map { .init(key: $0.name, value: .string($0.value)) }))),
      member("headers", headers.view), member("body", body), member("text", .string(Octets(self.body).text)),
    ])
  }
}

extension RequestRecord {
  /// The request as claims see it.
  package var view: JSON { request.view }
}

extension ResponseRecord {
  /// The response as claims see it: `status`, `headers`, `body` (absent when it is not JSON) and `text`, and what a
  /// binding file says stands in it.
  package var view: JSON {
    let own: JSON = .object(compact: [
      ("status", .int(status)), ("headers", headers.view), ("body", body.bytes.isEmpty ? nil : body.json),
      ("text", .string(body.text)),
    ])
    return values.members.isEmpty ? own : .joining(own, .object(values))
  }
}

extension HTTPHeaders {
  /// An object of the fields: names in lower case, repeated fields joined by `, ` (RFC 9110 §5.3).
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
