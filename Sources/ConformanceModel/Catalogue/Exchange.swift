/// A golden exchange: the request as the protocol defines it and the answers servers give to it.
///
/// Read by the mock server (answers), the reference client (requests), the bench (classification) and the judge.
package struct Exchange: Hashable, Sendable {
  /// The template of a request.
  package struct Request: Hashable, Sendable {
    package var method: String
    /// Path with holes, without query: `/api/sdk/v1/resolve/${shortCode}`.
    package var path: Template
    /// Query parameters by name.
    package var query: [String: Template]
    package var headers: [String: Template]
    package var body: Template?

    package init(
      method: String, path: Template, query: [String: Template] = [:], headers: [String: Template] = [:],
      body: Template? = nil
    ) {
      self.method = method
      self.path = path
      self.query = query
      self.headers = headers
      self.body = body
    }
  }

  /// The template of a response: a JSON body, or literal bytes.
  package struct Response: Hashable, Sendable {
    /// What follows the header.
    package enum Body: Hashable, Sendable {
      case none
      case json(Template)
      case bytes(Octets)
    }

    package var status: Int
    package var headers: HTTPHeaders
    package var body: Body

    package init(status: Int, headers: HTTPHeaders = [:], body: Body = .none) {
      self.status = status
      self.headers = headers
      self.body = body
    }
  }

  package var name: String
  package var text: String
  package var request: Request
  /// Named sets of bindings that the reference client renders requests with.
  package var bindings: [String: Bindings]
  /// Answers by name, then by dialect; the dialect `any` serves those not named.
  package var responses: [String: [Dialect: Response]]

  package init(
    name: String, text: String, request: Request, bindings: [String: Bindings] = [:],
    responses: [String: [Dialect: Response]] = [:]
  ) {
    self.name = name
    self.text = text
    self.request = request
    self.bindings = bindings
    self.responses = responses
  }

  /// The answer of this name in a dialect, else the one for `any`.
  package func response(_ name: String, in dialect: Dialect) -> Response? {
    responses[name]?[dialect] ?? responses[name]?["any"]
  }

  /// Whether a request of this method and raw path (mount point and query taken off) belongs to this exchange.
  ///
  /// A hole of the path is one segment: it never spans a `/` and is never empty.
  package func classifies(method: String, path: String) -> Bool {
    guard request.method == method else { return false }
    let match = request.path.match(.string(path))
    return match.succeeded
      && match.bindings.values.values.allSatisfy { $0.string.map { !$0.isEmpty && !$0.contains("/") } ?? true }
  }
}
