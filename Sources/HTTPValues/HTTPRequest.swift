/// The contents of an HTTP request, without its transport.
package struct HTTPRequest: Hashable, Sendable {
  package var method: String
  /// The target in origin form, as in the request line: path and query, neither decoded nor normalised.
  package var target: String
  package var headers: HTTPHeaders
  package var body: [UInt8]

  package init(method: String, target: String, headers: HTTPHeaders = [:], body: [UInt8] = []) {
    self.method = method
    self.target = target
    self.headers = headers
    self.body = body
  }

  /// The part of the target before the first `?`, raw, without a fragment.
  package var path: String { String(resource.prefix { $0 != UInt8(ascii: "?") }) ?? target }

  /// The part of the target after the first `?`, raw, without a fragment; nil without a `?`.
  package var query: String? {
    let resource = resource
    return resource.firstIndex(of: UInt8(ascii: "?")).flatMap { String(resource[$0...].dropFirst()) }
  }

  /// The target without a fragment. A client must not send a fragment, and a server ignores a fragment.
  private var resource: Substring.UTF8View { target.utf8.prefix { $0 != UInt8(ascii: "#") } }

  /// The query's pairs in order. Names and values are percent-decoded, but `+` stays `+`. A name or value that cannot
  /// be decoded is kept as written.
  package var queryItems: [(name: String, value: String)] { query.map(PercentEncoding.queryItems) ?? [] }
}

extension String {
  /// The path and query of a complete HTTP URL (its target in origin form); nil if the text is not such a URL.
  package var pathOfWholeURL: String? {
    let start = prefix(8).lowercased()
    guard start.hasPrefix("http://") || start == "https://", let url = URLText(self) else { return nil }
    return (url.path.isEmpty ? "/" : String(url.path)) + (url.query.map { "?\($0)" } ?? "")
  }
}
