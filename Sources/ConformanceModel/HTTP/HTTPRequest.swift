/// A request as a state machine sees it: what was asked, without how it travelled.
package struct HTTPRequest: Hashable, Sendable {
  package var method: String
  /// Origin form as it stood in the request line: path and query, never decoded or normalised.
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
  package var path: String { String(target.prefix { $0 != "?" }) }

  /// The part of the target after the first `?`, raw; nil without one.
  package var query: String? {
    target.firstIndex(of: "?").map { String(target[target.index(after: $0)...]) }
  }

  /// The query's pairs in order, names and values percent-decoded (`+` stays `+`); invalid escapes are kept as written.
  package var queryItems: [(name: String, value: String)] { PercentEncoding.queryItems(query ?? "") }
}
