/// A request as a state machine sees it: its contents, without its transport.
package struct HTTPRequest: Hashable, Sendable {
  package var method: String
  /// Origin form as in the request line: path and query, never decoded or normalised.
  package var target: String
  package var headers: HTTPHeaders
  package var body: [UInt8]

  package init(method: String, target: String, headers: HTTPHeaders = [:], body: [UInt8] = []) {
    self.method = method
    self.target = target
    self.headers = headers
    self.body = body
  }

  /// The part of the target before the first `?`, raw.
  package var path: String { mark.map { String(target[..<$0]) } ?? target }

  /// The part of the target after the first `?`, raw; nil without one.
  package var query: String? {
    mark.map { String(target[target.utf8.index(after: $0)...]) }
  }

  /// The place of the first `?` of the target.
  private var mark: String.Index? { target.utf8.firstIndex(of: UInt8(ascii: "?")) }

  /// The query's pairs in order, names and values percent-decoded (`+` stays `+`); invalid escapes are kept as written.
  package var queryItems: [(name: String, value: String)] { query.map(PercentEncoding.queryItems) ?? [] }
}

extension String {
  /// Of a whole URL the path and query, which is its target in origin form; nil when the text is none.
  package var pathOfWholeURL: String? {
    let start = prefix(8).lowercased()
    guard start.hasPrefix("http://") || start == "https://", let url = URLText(self) else { return nil }
    return (url.path.isEmpty ? "/" : String(url.path)) + (url.query.map { "?\($0)" } ?? "")
  }
}
